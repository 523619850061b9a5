/// How the page is served.
package struct WebSettings: Equatable, Sendable {
    /// The names that people reach it by, besides numbers of this machine and `localhost`.
    package var hosts: [String]
    /// Whether nothing can be changed there.
    package var readOnly: Bool
    /// Where the sessions are kept.
    package var sessions: String

    package init(hosts: [String] = [], readOnly: Bool = false, sessions: String) {
        self.hosts = hosts
        self.readOnly = readOnly
        self.sessions = sessions
    }
}
