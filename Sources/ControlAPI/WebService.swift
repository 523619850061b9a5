/// What the control socket can ask of the web page.
package protocol WebService: Sendable {
    /// Makes a link that signs one browser in: once, and soon.
    ///
    /// - Throws: `webOff` (409) where no page is served, with what to do.
    func link() throws(ControlError) -> WebLinkReply
}

/// No page at all.
package struct NoWeb: WebService {
    private let reason: String?

    /// - Parameter reason: why there is none although there should be one; nil where nobody wants it.
    package init(because reason: String? = nil) { self.reason = reason }

    package func link() throws(ControlError) -> WebLinkReply {
        if let reason { throw ControlError(409, "webOff", "the web page can't be served: \(reason)") }
        throw ControlError(
            409, "webOff",
            """
            the web page is off: set web.listen in the daemon's configuration, in two lines "web:" and \
            "  listen: 127.0.0.1:9080", and restart it
            """)
    }
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
