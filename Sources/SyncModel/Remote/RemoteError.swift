/// Why a request to a remote did not succeed.
public struct RemoteError: Error, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let word: String
        public init(_ word: String) { self.word = word }
        public var description: String { word }

        /// No connection was made: nothing was written.
        public static let unreachable = Code("unreachable")
        /// The request may have been carried out: timeout, cut connection, 500, 502, 504.
        public static let outcomeUnknown = Code("outcomeUnknown")
        /// The server is busy (503, 429) and did nothing; try later.
        public static let unavailable = Code("unavailable")
        /// The credential is not accepted, also after renewing it.
        public static let unauthorized = Code("unauthorized")
        /// The server's rules refused this request ("Permission denied").
        public static let denied = Code("denied")
        /// The request itself is wrong (400): sending it again can't help.
        public static let refused = Code("refused")
        /// The answer would be larger than the remote or this side takes: ask for less at once.
        public static let tooLarge = Code("tooLarge")
        /// The database is gone, disabled or out of quota (402, 403, 404, 423): needs a person.
        public static let stopped = Code("stopped")
        /// The person in whose name the request was to be made has to sign in again: nothing was written.
        public static let sessionEnded = Code("sessionEnded")
        /// What the person is signed in with, in whose name the request was to be made, can't be renewed now: nothing was
        /// written.
        public static let personUnreachable = Code("personUnreachable")
        /// The stream was silent for too long, or was closed.
        public static let streamEnded = Code("streamEnded")
        /// The stream's token ended: open a new one at once.
        public static let tokenEnded = Code("tokenEnded")
    }

    public var code: Code
    /// One line with the server's own words; never a secret, never a URL with one in it.
    public var message: String
    /// What the server asked for in `Retry-After`.
    public var retryAfter: Duration?

    public init(_ code: Code, _ message: String, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    public var description: String { "\(code.word): \(message)" }
}
