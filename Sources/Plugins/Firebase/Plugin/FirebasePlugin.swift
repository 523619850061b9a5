internal import Logging
package import PluginKit
internal import SyncModel

/// The remote `firebase`: a Realtime Database of Google's, an emulator, or a hub.
package struct FirebasePlugin: RemotePlugin {
    package let name = "firebase"
    package let summary = "the database at \"url\"."
    package let hasRules = true
    package let keys = [
        FirebaseKeys.url.declaration, FirebaseKeys.credential.declaration, FirebaseKeys.credentialFile.declaration,
        FirebaseKeys.caFile.declaration, FirebaseKeys.bucket.declaration,
        FirebaseKeys.accountsURL.declaration, FirebaseKeys.apiKey.declaration,
    ]

    package init() {}

    package func makeRemote(_ context: RemoteContext) throws -> RemoteInstance {
        RemoteInstance(try remote(context, Logger(label: "moviesyncd")))
    }

    package func probe(_ context: RemoteContext) async throws -> String {
        try await context.probe(remote(context, Logger(label: "moviesyncd") { _ in SwiftLogNoOpLogHandler() }))
    }

    /// What `FIREBASE_DATABASE_EMULATOR_HOST` replaces; nothing where the environment names the database itself.
    ///
    /// The namespace is the one that the configured address names, else the first label of its host. An emulator's
    /// owner is not bound by rules, so the write guard is `etag`.
    package func override(
        environment: [String: String], configured: (String) -> String?
    ) -> SettingsOverride? {
        let variable = "FIREBASE_DATABASE_EMULATOR_HOST"
        guard let host = environment[variable], !host.isEmpty,
            environment[FirebaseKeys.url.declaration.environmentName] ?? "" == ""
        else { return nil }
        var url = "http://\(host)"
        if let configured = configured(FirebaseKeys.url.name).flatMap(DatabaseAddress.init) {
            let label = configured.host.split(separator: ".").first.map(String.init)
            if let namespace = configured.namespace ?? label { url += "?ns=\(namespace)" }
        }
        return SettingsOverride(
            variable: variable,
            values: [
                RemoteKeys.plugin: name, FirebaseKeys.url.name: url,
                FirebaseKeys.credential.name: FirebaseKeys.Kind.emulator.rawValue,
                RemoteKeys.writeGuard.name: WriteGuard.etag.rawValue,
            ])
    }

    private func remote(_ context: RemoteContext, _ logger: Logger) throws -> FirebaseRemote {
        let values = context.values
        guard let address = values[FirebaseKeys.url] else { throw RemoteSettingsError("remote.url is missing") }
        var settings = FirebaseSettings(
            url: address.root, namespace: address.namespace, bases: context.bases, meta: values[RemoteKeys.meta],
            credential: try credential(context), caFile: values[FirebaseKeys.caFile])
        settings.depths = context.depths
        settings.bucket = values[FirebaseKeys.bucket]
        settings.accountsURL = values[FirebaseKeys.accountsURL]?.root
        settings.apiKey = values[FirebaseKeys.apiKey]
        return try FirebaseRemote(settings, logger: logger)
    }

    private func credential(_ context: RemoteContext) throws -> FirebaseCredential {
        let kind = context.values[FirebaseKeys.credential]
        guard let file = context.values[FirebaseKeys.credentialFile] else {
            return kind == .emulator ? .emulator : .none
        }
        switch kind {
        case .none: return .none
        case .emulator: return .emulator
        // It lays its administrator's rights down, so that the security rules bind the daemon.
        case .serviceAccount: return .serviceAccount(json: try context.readSecret(file))
        case .secret: return .secret(try text(in: file, context))
        case .idToken: return .idToken(try text(in: file, context))
        }
    }

    private func text(in file: String, _ context: RemoteContext) throws -> String {
        guard let text = String(validating: try context.readSecret(file), as: UTF8.self) else {
            throw RemoteSettingsError("\(file): the credential is not UTF-8 text")
        }
        return text
    }
}
