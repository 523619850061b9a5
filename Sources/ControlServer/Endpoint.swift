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

    init(
        _ method: HTTPRequest.Method, _ path: String, maxBody: Int = ControlRoute.maxBody,
        answer: @escaping @Sendable (Request, ControlContext) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.maxBody = maxBody
        self.answer = answer
    }

    /// Whether `path` is one of this endpoint's.
    func covers(_ path: String) -> Bool {
        let (own, other) = (self.path.split(separator: "/"), path.split(separator: "/"))
        return own.count == other.count && zip(own, other).allSatisfy { $0.hasPrefix(":") || $0 == $1 }
    }
}
