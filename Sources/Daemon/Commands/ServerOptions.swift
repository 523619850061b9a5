internal import ArgumentParser
internal import DatabaseServer
internal import FoundationEssentials
internal import PluginKit
internal import SystemPackage

/// The flags of a server that runs by itself.
struct ServerOptions: ParsableArguments {
    @Option(help: ArgumentHelp(LocalKeys.listen.declaration, "host:port"))
    var listen = LocalKeys.listen.fallback

    @OptionGroup var dataFolder: DataFolderOption

    @Option(help: ArgumentHelp(LocalKeys.fsync.declaration))
    var fsync = LocalKeys.fsync.fallback

    @Option(help: ArgumentHelp(LocalKeys.keepAlive.declaration, "duration"), transform: ServerOptions.duration)
    var keepAlive = LocalKeys.keepAlive.fallback

    @Option(help: ArgumentHelp(LocalKeys.rules.declaration, "file"))
    var rules: String?

    @Option(help: ArgumentHelp(LocalKeys.secret.declaration, "file"))
    var secretFile: String?

    @Option(help: ArgumentHelp(LocalKeys.tokenKey.declaration, "file"))
    var tokenKey: String?

    @Option(help: ArgumentHelp(LocalKeys.project.declaration, "id"))
    var project: String?

    @Flag(help: ArgumentHelp(LocalKeys.accounts.declaration))
    var accounts = false

    @Flag(inversion: .prefixedNo, help: ArgumentHelp(LocalKeys.emailPrivacy.declaration))
    var emailPrivacy = true

    @Option(help: ArgumentHelp(LocalKeys.codesTo.declaration, "program"))
    var codesTo: String?

    @Option(help: ArgumentHelp(LocalKeys.certificate.declaration, "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp(LocalKeys.key.declaration, "file"))
    var tlsKey: String?

    @Option(help: ArgumentHelp(LocalKeys.hosts.declaration, "name"))
    var host: [String] = []

    @Option(help: ArgumentHelp(LocalKeys.maxBody.declaration, "bytes"))
    var maxBody = LocalKeys.maxBody.fallback

    @Flag(help: ArgumentHelp(LocalKeys.emulator.declaration))
    var emulator = false

    @Flag(help: ArgumentHelp(LocalKeys.insecure.declaration))
    var insecure = false

    func validate() throws {
        if (tlsCert == nil) != (tlsKey == nil) {
            throw ValidationError("--tls-cert and --tls-key belong together: give both, or neither")
        }
        guard LocalKeys.bodySizes.contains(maxBody) else {
            throw ValidationError("--max-body must be 1024 to 4294967296")
        }
        if let name = host.first(where: { !HostNames.isOne($0) }) {
            throw ValidationError("--host \(HostNames.complaint(name))")
        }
        if project != nil, tokenKey == nil, !emulator, !accounts {
            throw ValidationError("--project says whose ID tokens count, and needs --token-key or --accounts")
        }
    }

    /// All of it with absolute paths. Throws where the files can't be used, or where others could reach the server and
    /// nothing would stop them.
    func settings(_ environment: [String: String]) throws -> LocalSettings {
        var local = LocalSettings(listen: listen, data: try dataFolder.folder(environment))
        let credentials = CredentialFolder(path: environment["CREDENTIALS_DIRECTORY"])
        func place(_ name: String) -> FilePath {
            credentials.place(of: name, otherwiseIn: DataFolderOption.workingDirectory)
        }
        local.fsync = fsync
        local.keepAlive = keepAlive
        local.rules = rules.map(place)
        local.secret = secretFile.map(place)
        local.tokenKey = tokenKey.map(place)
        local.project = project
        local.servesAccounts = accounts
        local.hidesEmails = emailPrivacy
        local.codesTo = codesTo.map(place)
        local.isEmulator = emulator
        local.hosts = host
        local.maxBody = maxBody
        local.isInsecure = insecure
        local.certificate = tlsCert.map(place)
        local.key = tlsKey.map(place)
        guard local.isInsecure || !local.isExposed else {
            let advice = emulator ? "leave out --emulator" : "give --tls-cert, --tls-key and --rules"
            throw CommandFailure(
                .configuration, "--listen \(listen): other machines can reach it; \(advice), or say --insecure")
        }
        return local
    }

    private static func duration(_ text: String) throws -> Duration {
        guard let duration = Duration(setting: text), duration > .zero else {
            throw ValidationError("it must be a whole number above 0 and a unit: 250ms, 30s, 1m")
        }
        return duration
    }
}

extension Fsync: ExpressibleByArgument {}
