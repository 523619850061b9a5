package import PluginKit

/// The configuration keys of a Firebase database.
package enum FirebaseKeys {
    /// The words of `remote.credential`.
    package enum Kind: String, CaseIterable, Sendable {
        case none, emulator, secret
        case serviceAccount = "service-account"
        case idToken = "id-token"
    }

    /// Where the database is; nil where the key is empty.
    package static let url = SettingKey<DatabaseAddress?>(
        "remote.url", SettingType("address"), fallback: nil,
        "The address of the database alone, without any path or secret; for firebase."
    ) { input throws(SettingComplaint) in
        guard !input.text.isEmpty else { return nil }
        guard let address = DatabaseAddress(input.text) else {
            // The value is not repeated: what does not belong into an address may well be a secret.
            throw SettingComplaint("must be the address of the database alone, such as \(exampleURL)")
        }
        return address
    }.example(exampleURL).reloadable()

    package static let credential = SettingKey<Kind>.word(
        "remote.credential", default: .none,
        meanings: [
            .emulator: "the owner of Firebase's emulator.",
            .secret: "a database secret.",
            .serviceAccount: "the key of a service account, in JSON.",
            .idToken: "the ID token of a user.",
        ], "How the daemon proves to the database who it is."
    ).reloadable()

    package static let credentialFile = SettingKey.secretFile(
        "remote.credentialFile",
        """
        The file with the secret, looked for in the credentials of the unit first (LoadCredential=), then beside the \
        configuration; there its mode must be 0600.
        """
    ).example("firebase.json").reloadable()

    package static let caFile = SettingKey.file(
        "remote.tls.caFile", "More certificates to trust than those of the system: a PEM file."
    ).example("authorities.pem").reloadable()

    package static let bucket = SettingKey<String?>(
        "remote.bucket", SettingType("bucket"), fallback: nil,
        """
        The bucket of Firebase's storage in which pictures of people are kept; without it there are none. A hub needs \
        no name of it.
        """
    ) { input throws(SettingComplaint) in
        guard !input.text.isEmpty else { return nil }
        let isPlain = input.text.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || Array("-._".utf8).contains($0)
        }
        guard isPlain, input.text.utf8.count <= 222 else {
            throw SettingComplaint("is \(input.quoted), but must be the name of a bucket, such as \(exampleBucket)")
        }
        return input.text
    }.example(exampleBucket).reloadable()

    private static let exampleBucket = "my-project.firebasestorage.app"
    package static let accountsURL = SettingKey<DatabaseAddress?>(
        "remote.accounts.url", SettingType("address"), fallback: nil,
        """
        Where people sign in, where that is neither at the hub nor at Google: the address of an emulator of Firebase \
        Authentication.
        """
    ) { input throws(SettingComplaint) in
        guard !input.text.isEmpty else { return nil }
        guard let address = DatabaseAddress(input.text) else {
            throw SettingComplaint("is \(input.quoted), but must be an address such as http://127.0.0.1:9099")
        }
        return address
    }.example("http://127.0.0.1:9099").reloadable()

    package static let apiKey = SettingKey.text(
        "remote.accounts.apiKey",
        "The web API key of the Firebase project, by which people sign in; a hub needs none. It is no secret."
    ).reloadable()

    private static let exampleURL = "https://my-project-default-rtdb.firebaseio.com"
}
