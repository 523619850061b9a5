internal import NIOSSL
package import PluginKit
internal import SyncModel

extension FirebasePlugin {
    package func check(_ settings: inout SettingsCheck) {
        let isChosen = settings.plugin == name
        let address = settings.values[FirebaseKeys.url]
        if isChosen, address == nil, !settings.isWrong(FirebaseKeys.url) {
            settings.complain(
                about: FirebaseKeys.url, at: RemoteKeys.plugin, "is missing: firebase needs the address of the database"
            )
        }
        let kind = usableCredential(&settings)
        if let address, kind != .none, kind != .emulator, !address.isPrivate {
            settings.complain(about: FirebaseKeys.url, "would send the credential in the clear: use https")
        }
        if isChosen, settings.values[RemoteKeys.writeGuard] == .rules, kind == .emulator || kind == .secret {
            settings.complain(
                about: RemoteKeys.writeGuard,
                "is rules, but rules do not bind this credential: use etag, or service-account")
        }
        if let file = settings.values[FirebaseKeys.caFile] {
            let certificates = try? NIOSSLCertificate.fromPEMFile(file)
            if certificates?.isEmpty ?? true {
                settings.complain(
                    about: FirebaseKeys.caFile, "names \(file), which is not a readable file of PEM certificates")
            }
        }
    }

    /// The kind of credential; `none` where its file is missing.
    private func usableCredential(_ settings: inout SettingsCheck) -> FirebaseKeys.Kind {
        let kind = settings.values[FirebaseKeys.credential]
        guard kind != .none, kind != .emulator else { return kind }
        guard let file = settings.values[FirebaseKeys.credentialFile] else {
            if !settings.isWrong(FirebaseKeys.credentialFile) {
                settings.complain(
                    about: FirebaseKeys.credentialFile, at: FirebaseKeys.credential.name,
                    "is missing: \(kind.rawValue) needs it")
            }
            return .none
        }
        do {
            let secret = try settings.readSecret(file)
            if secret.isEmpty {
                settings.complain(about: FirebaseKeys.credentialFile, "names an empty file: \(file)")
            } else if kind == .serviceAccount {
                _ = try ServiceAccount(json: secret)
            }
        } catch let error as RemoteSettingsError {
            settings.complain(about: FirebaseKeys.credentialFile, "names \(file): \(error)")
        } catch {
            settings.complain(about: FirebaseKeys.credentialFile, "can't be used: \(error)")
        }
        return kind
    }
}
