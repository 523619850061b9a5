/// Why a catalog gave no answer: a stable word for programs, a message for people. It names no credential.
public struct CatalogError: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let word: String
        public init(_ word: String) { self.word = word }
        public var description: String { word }

        /// No key is configured.
        public static let noKey = Code("noKey")
        /// The key is not accepted.
        public static let unauthorized = Code("unauthorized")
        /// Too much was asked for; again after ``CatalogError/retryAfter``.
        public static let limited = Code("limited")
        /// The source does not answer, or answers with something else; worth another attempt.
        public static let unavailable = Code("unavailable")
        /// There is no such item.
        public static let notFound = Code("notFound")
        /// The question is wrong; another attempt gives the same.
        public static let refused = Code("refused")
        /// Nobody waits for the answer any more.
        public static let cancelled = Code("cancelled")
    }

    public let code: Code
    public let message: String
    /// In how many seconds to ask again, where the source says.
    public let retryAfter: Int?

    public init(_ code: Code, _ message: String, retryAfter: Int? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    public var description: String { "\(code): \(message)" }
}
