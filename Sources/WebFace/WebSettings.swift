/// How the page is served.
package struct WebSettings: Equatable, Sendable {
    /// The host that it listens at, as the configuration has it.
    package var host: String
    /// The port; 0 takes any free one.
    package var port: Int
    /// The names that people reach it by, besides numbers of this machine and `localhost`.
    package var hosts: [String]
    /// Whether nothing can be changed there.
    package var readOnly: Bool
    /// Where the sessions are kept.
    package var sessions: String

    package init(host: String, port: Int, hosts: [String] = [], readOnly: Bool = false, sessions: String) {
        self.host = host
        self.port = port
        self.hosts = hosts
        self.readOnly = readOnly
        self.sessions = sessions
    }
}
