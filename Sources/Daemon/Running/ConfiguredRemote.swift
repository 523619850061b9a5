internal import Firebase
internal import FoundationEssentials
package import Logging
internal import OperatingSystem
package import PluginKit
internal import SystemPackage

/// The remote that the settings describe.
package enum ConfiguredRemote {
    /// Reads the credential and makes the remote; nothing is sent yet.
    ///
    /// - Parameter local: the embedded server, for the plugin `local`.
    package static func make(
        _ settings: Settings, local: LocalConnection?, logger: Logger
    ) throws -> any Remote {
        let remote = settings.remote
        let local = remote.plugin == .local ? local : nil
        guard let url = remote.plugin == .local ? local?.url : remote.url else {
            throw Failure(.configuration, "remote.url is missing")
        }
        var firebase = FirebaseSettings(
            url: url,
            namespace: remote.namespace,
            bases: Dictionary(uniqueKeysWithValues: settings.collections.map { ($0.id, $0.base) }),
            meta: remote.meta,
            credential: try local.map { credential($0, remote.writeGuard) } ?? credential(remote),
            caFile: remote.caFile?.string
        )
        firebase.name = remote.plugin.rawValue
        firebase.isThisProcess = local != nil
        return try FirebaseRemote(firebase, logger: logger)
    }

    /// An administrator, whom no rules lock out of the own database, except where they are to guard it from the daemon.
    private static func credential(
        _ local: LocalConnection, _ writeGuard: Settings.Remote.WriteGuard
    ) -> FirebaseCredential {
        .administrator(token: local.secret, override: writeGuard == .rules ? daemon : nil)
    }

    /// What security rules see as `auth`.
    private static let daemon = #"{"uid":"moviesync"}"#

    /// A service account lays its administrator's rights down, so that the security rules bind the daemon.
    private static func credential(_ remote: Settings.Remote) throws -> FirebaseCredential {
        switch remote.credential {
        case .none: .none
        case .emulator: .emulator
        case .serviceAccount(let file):
            .serviceAccount(
                json: try SecretFile.read(at: file.string),
                override: daemon
            )
        case .secret(let file): .secret(try text(in: file))
        case .idToken(let file): .idToken(try text(in: file))
        }
    }

    private static func text(in file: FilePath) throws -> String {
        guard let text = String(validating: try SecretFile.read(at: file.string), as: UTF8.self) else {
            throw Failure(.configuration, "\(file): the credential is not UTF-8 text")
        }
        return text
    }
}
