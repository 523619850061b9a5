/// How requests prove who sends them. Its description never shows a secret.
package enum FirebaseCredential: Sendable, CustomStringConvertible, CustomReflectable {
    /// For databases that are open, or on this machine.
    case none
    /// The emulator's administrator.
    case emulator
    /// A service account's key file. `override` is the compact JSON of the `auth` that security rules see; with nil
    /// they don't apply.
    case serviceAccount(json: [UInt8], override: String? = daemonIdentity)
    /// A bearer token of an administrator. `override` is as with a service account.
    case administrator(token: String, override: String?)
    /// A legacy database secret.
    case secret(String)
    /// An ID token of a signed-in user.
    case idToken(String)
    /// The ID tokens of a signed-in user, renewed in time.
    case person

    package var description: String {
        switch self {
        case .none: "none"
        case .emulator: "emulator"
        case .serviceAccount: "service-account"
        case .administrator: "administrator"
        case .secret: "secret"
        case .idToken: "id-token"
        case .person: "person"
        }
    }

    /// The `auth` that security rules see of a daemon.
    package static let daemonIdentity = #"{"uid":"moviesync"}"#

    /// Whether whoever sees a request could misuse it.
    var isSecret: Bool {
        switch self {
        case .none, .emulator: false
        case .serviceAccount, .administrator, .secret, .idToken, .person: true
        }
    }

    package var customMirror: Mirror { Mirror(self, children: []) }
}
