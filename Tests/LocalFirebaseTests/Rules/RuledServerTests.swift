import Testing

@testable import LocalFirebase

@Suite(.timeLimit(.minutes(1)))
struct RuledServerTests {
    static let owner: [String: String] = ["Authorization": "Bearer owner"]
    static let rules: String = """
        {"rules":{
          "open":{".read":true,".write":true,".indexOn":"n"},
          "records":{".read":"auth != null","$id":{
            ".write":"newData.exists() && (!data.exists() || newData.child('v').val() >= data.child('v').val())",
            ".validate":"newData.hasChild('v')",
            "title":{".validate":"newData.isString()"},
            "$other":{".validate":"$other == 'v'"}}}}}
        """
    static let me: String = "auth_variable_override=%7B%22uid%22%3A%22me%22%7D"

    static let stories: [Story] = [
        Story(
            "nobody may read or write where nothing is granted",
            [
                Step("GET /.json", nil, [:], 401, #"{"error":"Permission denied"}"#),
                Step("PUT /x.json", "1", [:], 401), Step("GET /records.json", nil, [:], 401),
                Step("GET /records.json", nil, ["Accept": "text/event-stream"], 401),
                Step("GET /records.json?\(me)", nil, owner, 200, "null"),
                Step("GET /records.json?auth_variable_override=null", nil, owner, 401),
                Step("GET /.settings/rules.json", nil, [:], 401), Step("PUT /.settings/rules.json", "{}", [:], 401),
                Step("PUT /x.json", "1", owner), Step("GET /x.json", nil, owner, 200, "1"),
            ]
        ),
        Story(
            "a lower version loses, and takes its whole patch with it",
            [
                Step("PUT /records/a.json", #"{"title":"A","v":"5"}"#),
                Step("PUT /records/a.json", #"{"title":"B","v":"4"}"#, [:], 401),
                Step("PATCH /records.json", #"{"b":{"v":"1"},"a":{"v":"4"}}"#, [:], 401),
                Step("PATCH /records.json", #"{"b":{"v":"1"},"a":{"v":"6"}}"#),
                Step("DELETE /records/a.json", nil, [:], 401), Step("PUT /records.json", "1", [:], 401),
                Step("GET /records.json", nil, owner, 200, #"{"a":{"v":"6"},"b":{"v":"1"}}"#),
            ]
        ),
        Story(
            "what is not valid is refused, above and below the written place",
            [
                Step("PUT /records/a.json", #"{"title":1,"v":"5"}"#, [:], 401),
                Step("PUT /records/a.json", #"{"title":"x"}"#, [:], 401),
                Step("PUT /records/a.json", #"{"extra":1,"v":"5"}"#, [:], 401),
                Step("PUT /records/a.json", #"{"v":"5"}"#), Step("PUT /records/a/title.json", "7", [:], 401),
                Step("PUT /records/a/title.json", #""T""#), Step("DELETE /records/a/v.json", nil, [:], 401),
            ]
        ),
        Story(
            "a query needs its index, also the owner's",
            [
                Step(
                    "GET /open.json?orderBy=%22m%22&startAt=1", nil, owner, 400,
                    #"{"error":"Index not defined, add \".indexOn\": \"m\", for path \"/open\", to the rules"}"#
                ),
                Step("GET /open.json?orderBy=%22n%22&startAt=1", nil, [:], 200, "{}"),
                Step("GET /open.json?orderBy=%22$key%22&limitToFirst=1", nil, [:], 200, "{}"),
                Step("GET /open.json?orderBy=%22$value%22&limitToFirst=1", nil, [:], 400),
            ]
        ),
        Story(
            "a refused conditional write does not show what it may not read",
            [
                Step("PUT /records/a.json", #"{"v":"5"}"#),
                Step("PUT /records/a.json", #"{"v":"6"}"#, ["if-match": "x"], 401),
                Step(
                    "PUT /records/a.json?\(me)", #"{"v":"6"}"#, ["if-match": "x", "Authorization": "Bearer owner"], 412,
                    #"{"v":"5"}"#),
            ]
        ),
        Story(
            "bad rules change nothing",
            [
                Step(
                    "PUT /.settings/rules.json", #"{"rules":{".read":"x"}}"#, owner, 400,
                    #"{"error":"Line 1, column 20: x is not known here"}"#),
                Step("GET /.settings/rules.json", nil, owner, 200, rules),
            ]
        ),
    ]

    @Test(arguments: stories) func `rules apply to whoever is not the owner`(_ story: Story) async throws {
        let folder = try TemporaryFolder()
        try await withServer(data: folder.path) { client in
            try await Step("PUT /.settings/rules.json", RuledServerTests.rules, [:], 200, #"{"status":"ok"}"#).perform(
                client)
        }
        try await withServer(data: folder.path) { client in
            for step in story.steps { try await step.perform(client) }
        }
    }
}
