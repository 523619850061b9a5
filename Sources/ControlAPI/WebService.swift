/// What the control socket can ask of the web page.
package protocol WebService: Sendable {
    /// Makes a link that signs one browser in: once, and soon.
    ///
    /// - Parameter opening: whether a page that is off is served from now on, on this machine alone, until the daemon ends.
    /// - Throws: `webOff` (409) where no page is served, with what to do.
    func link(opening: Bool) throws(ControlError) -> WebLinkReply

    /// Why the page that the configuration wants is not served; nil where it is, or where none is wanted.
    var trouble: String? { get }
}

/// No page at all.
package struct NoWeb: WebService {
    package init() {}

    package func link(opening: Bool) throws(ControlError) -> WebLinkReply { throw .webOff }

    package var trouble: String? { nil }
}

extension ControlError {
    package static let webOff = ControlError(
        409, "webOff",
        """
        the web page is off: 'moviesync web --open' opens it until the daemon ends; for good, set web.listen in the \
        daemon's configuration, in two lines "web:" and "  listen: 127.0.0.1:9080", and reload it
        """)
}

/// A link that signs one browser in.
package struct WebLinkReply: Codable, Hashable, Sendable {
    package var url: String
    /// When it is of no use any more, even where nobody has used it.
    package var expiresAt: Moment

    package init(url: String, expiresAt: Moment) {
        self.url = url
        self.expiresAt = expiresAt
    }
}
