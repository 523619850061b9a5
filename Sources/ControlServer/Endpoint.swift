internal import ControlAPI
internal import HTTPTypes
internal import Hummingbird

/// One method of one path, and what it answers.
struct Endpoint: Sendable {
    var method: HTTPRequest.Method
    /// With `:name` for a part that varies.
    var path: String
    /// The most bytes of a request's body.
    var maxBody: Int
    var answer: @Sendable (Request, ControlContext) async throws -> Response

    /// - Parameters:
    ///   - words: what the query may say.
    ///   - changes: whether something is changed: only what is declared here may be said then, while a request that only
    ///     reads may say anything. Nil for what the method says.
    init(
        _ method: HTTPRequest.Method, _ path: String, words: [String] = [], body: DeclaredArguments.Body = .nothing,
        maxBody: Int = ControlRoute.maxBody, changes: Bool? = nil,
        answer: @escaping @Sendable (Request, ControlContext) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.maxBody = maxBody
        guard changes ?? (method != .get) else {
            self.answer = answer
            return
        }
        let declared = DeclaredArguments(words: words, body: body)
        self.answer = { request, context in
            try await declared.check(request)
            return try await answer(request, context)
        }
    }

    /// Whether `path` is one of this endpoint's.
    func covers(_ path: String) -> Bool {
        let (own, other) = (self.path.split(separator: "/"), path.split(separator: "/"))
        return own.count == other.count && zip(own, other).allSatisfy { $0.hasPrefix(":") || $0 == $1 }
    }
}
