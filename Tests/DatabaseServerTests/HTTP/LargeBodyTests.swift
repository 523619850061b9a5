import TestSupport
import Testing

@testable import DatabaseServer

/// Bodies that are looked at before anything is made of them.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct LargeBodyTests {
    private static let rules = """
        {"rules":{"list":{".read":true,".write":"newData.hasChildren()","$k":{".validate":"newData.isNumber()"}}}}
        """
    private static let blanks = String(repeating: " ", count: 300_000)

    private static func large(_ text: String) -> String { text.replacing(",", with: ",\(blanks)") }

    @Test func `a large body is refused and taken as a small one`() async throws {
        let wrong = ["if-match": "other"]
        try await withServer { client in
            try await Step("PUT /.settings/rules.json", LargeBodyTests.rules, RuledServerTests.owner).perform(client)
            for large in [{ $0 }, LargeBodyTests.large] {
                for step in [
                    Step("PUT /list.json", large(#"[1,2,"x"]"#), [:], 401),
                    Step("PUT /list.json", large("[1,2,3"), [:], 400),
                    Step("PUT /list.json", large(#"[1,2,{"a.b":3}]"#), [:], 400),
                    Step("PUT /list.json", large("[null,{}]"), [:], 401), Step("GET /list.json", nil, [:], 200, "null"),
                    Step("PUT /list.json", large("[1,2,3]"), wrong, 412, "null"),
                    Step("PUT /list.json", large("[1,2,3]"), [:], 200, "[1,2,3]"),
                    Step("PATCH /list.json", large(#"{"0":4,"5/x":1}"#), [:], 401),
                    Step("PATCH /list.json", large(#"{"0":null,"1":null,"2":null}"#), [:], 401),
                    Step("PATCH /list.json", large(#"{"0":4,"1":null}"#), [:], 200, #"{"0":4,"1":null}"#),
                    Step("PATCH /list.json", large("[1,2]"), [:], 400),
                    Step("GET /list.json", nil, [:], 200, "[4,null,3]"),
                    Step("DELETE /list.json", nil, RuledServerTests.owner),
                ] { try await step.perform(client) }
            }
        }
    }
}
