internal import DatabaseServer
internal import Firebase
internal import Logging
internal import PluginKit
internal import SyncModel
internal import SystemPackage

/// The remote `local`: a hub that runs inside the daemon, reached as any other database is.
struct LocalPlugin: RemotePlugin {
    let name = "local"
    let summary = "the built-in hub below."
    let hasRules = true
    let keys = LocalKeys.declarations

    func check(_ settings: inout SettingsCheck) {
        let values = settings.values
        let local = LocalSettings(values, stateFolder: "")
        for problem in LocalFiles(local, readSecret: settings.readSecret).problems {
            settings.complain(about: problem.key, "can't be used: \(problem.message)")
        }
        if (local.certificate == nil) != (local.key == nil) {
            let (given, missing) =
                local.key == nil ? (LocalKeys.certificate, LocalKeys.key) : (LocalKeys.key, LocalKeys.certificate)
            settings.complain(about: given, "stands alone: set \(missing.name) too")
        }
        guard settings.plugin == name else { return }
        if values[RemoteKeys.writeGuard] == .rules, local.rules == nil {
            settings.complain(
                about: RemoteKeys.writeGuard,
                "is rules, but the built-in hub has none: set local.rules, or use etag")
        }
        checkProtection(of: local, &settings)
    }

    /// Refuses an address that others can reach while nothing stops them.
    private func checkProtection(of local: LocalSettings, _ settings: inout SettingsCheck) {
        guard local.isExposed, !local.isInsecure else { return }
        let wanted = local.isEmulator ? "without local.emulator" : "with local.tls and local.rules"
        settings.complain(
            about: LocalKeys.listen,
            "is \(local.listen), which other machines can reach: use it \(wanted), or set local.insecure to true")
    }

    func makeRemote(_ context: RemoteContext) throws -> RemoteInstance {
        let logger = Logger(label: "moviesyncd")
        let secret = Self.ownSecret()
        let local = LocalSettings(context.values, stateFolder: FilePath(context.stateFolder))
        let server = try LocalServer.make(
            local, ownSecret: secret, readSecret: context.readSecret, logger: logger)
        let another: @Sendable (RemoteContext) throws -> any Remote = {
            try Self.remote($0, of: server, local, secret, logger)
        }
        return RemoteInstance(try another(context), service: { try await server.run() }, another: another)
    }

    private static func remote(
        _ context: RemoteContext, of server: HubServer, _ local: LocalSettings, _ secret: String, _ logger: Logger
    ) throws -> any Remote {
        let writeGuard = context.values[RemoteKeys.writeGuard]
        var settings = FirebaseSettings(
            url: LocalServer.url(of: server), namespace: context.values[FirebaseKeys.url]?.namespace,
            bases: context.bases, meta: context.values[RemoteKeys.meta],
            // An administrator, whom no rules lock out of the own database, except where they are to guard it from the
            // daemon.
            credential: .administrator(
                token: secret, override: writeGuard == .rules ? FirebaseCredential.daemonIdentity : nil))
        settings.depths = context.depths
        settings.name = "local"
        settings.isThisProcess = true
        settings.hasStorage = local.accounts != nil
        settings.shownAs = LocalServer.shown(server, hosts: local.hosts)
        return try FirebaseRemote(settings, logger: logger)
    }

    func probe(_ context: RemoteContext) -> String { "remote: the built-in hub, which runs with the daemon only" }

    /// By this the daemon reaches the server in its own process; it is made when that starts, and told nobody.
    private static func ownSecret() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<4).map { _ in String(random.next() as UInt64, radix: 36) }.joined()
    }
}
