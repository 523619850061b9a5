/// A person who has signed in at the remote.
package struct PersonSession: Codable, Hashable, Sendable, CustomReflectable {
    /// What people on this machine call the session.
    package var name: String
    /// By which the remote knows the person; nil until it has said so, where only a token was given.
    package var uid: String?
    /// Whose the token before was, as long as the remote has not said whose the one of now is; there is no `uid` then.
    var formerUID: String?
    package var email: String?
    /// A secret; empty where the configuration names the file that it stands in.
    package var refreshToken: String
    /// The token that the configuration names, where the remote has given another one in its place since; a secret.
    var configuredToken: String?
    /// The users of this machine who are this person.
    package var localUsers: [UInt32] = []
    /// Milliseconds since 1970.
    package var since: UInt64
    /// Why the person has to sign in again; nil while the session holds.
    package var ended: String?
    /// Whether the configuration names a file with its token.
    package var isConfigured = false
    /// Whether the remote has said whose a configured token is.
    package var isChecked = false

    package init(name: String, uid: String?, email: String?, refreshToken: String, since: UInt64) {
        self.name = name
        self.uid = uid
        self.email = email
        self.refreshToken = refreshToken
        self.since = since
    }

    package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
