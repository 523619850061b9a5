/// How the page is served; all of it can change while it is.
package struct WebSettings: Equatable, Sendable {
    /// The names that people reach it by, besides numbers of this machine and `localhost`.
    package var hosts: [String]
    /// Whether nothing can be changed there.
    package var readOnly: Bool

    package init(hosts: [String] = [], readOnly: Bool = false) {
        self.hosts = hosts
        self.readOnly = readOnly
    }
}
