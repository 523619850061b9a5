import Testing

/// One request after another against one server, each with what it must answer.
struct Step: CustomTestStringConvertible, Sendable {
    var request: String
    var body: String?
    var headers: [String: String] = [:]
    var status = 200
    var answer: String?

    init(
        _ request: String, _ body: String? = nil, _ headers: [String: String] = [:], _ status: Int = 200,
        _ answer: String? = nil
    ) {
        self.request = request
        self.body = body
        self.headers = headers
        self.status = status
        self.answer = answer
    }

    var testDescription: String { request }

    func perform(_ client: TestClient) async throws {
        let parts = request.split(separator: " ", maxSplits: 1).map(String.init)
        let found: Answer
        do {
            found = try await client.send(parts[0], parts[1], body, headers)
        } catch {
            Issue.record("\(request): \(error)")
            throw error
        }
        #expect(found.status == status, "\(request): \(found.body)")
        if let answer { #expect(found.body == answer, "\(request)") }
    }
}

struct Story: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let steps: [Step]
    init(_ name: String, _ steps: [Step]) {
        testDescription = name
        self.steps = steps
    }
}
