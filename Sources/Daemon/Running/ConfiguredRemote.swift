internal import FirebaseRemote
internal import FoundationEssentials
package import Logging
internal import OperatingSystem
package import PluginKit
internal import SystemPackage

/// The remote that the settings describe.
package enum ConfiguredRemote {
    /// Reads the credential and makes the remote; nothing is sent yet.
    ///
    /// - Parameter localAddress: where the embedded server listens, for the plugin `local`.
    package static func make(
        _ settings: Settings, localAddress: String?, logger: Logger
    ) throws -> any Remote {
        let remote = settings.remote
        let url = remote.plugin == .local ? localAddress : remote.url
        guard let url else { throw Failure(.configuration, "remote.url is missing") }
        var firebase = FirebaseSettings(
            url: url,
            namespace: remote.namespace,
            bases: Dictionary(uniqueKeysWithValues: settings.collections.map { ($0.id, $0.base) }),
            meta: remote.meta,
            credential: try credential(remote),
            caFile: remote.caFile?.string
        )
        firebase.name = remote.plugin.rawValue
        return try FirebaseRemote(firebase, logger: logger)
    }

    /// A service account lays its administrator's rights down, so that the security rules bind the daemon.
    private static func credential(_ remote: Settings.Remote) throws -> FirebaseCredential {
        switch remote.credential {
        case .none: .none
        case .emulator: .emulator
        case .serviceAccount(let file):
            .serviceAccount(
                json: try SecretFile.read(at: file.string),
                override: #"{"uid":"moviesync"}"#
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
