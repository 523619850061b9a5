import TestSupport
import Testing

@testable import DatabaseServer

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct RuledServerTests {
    static let owner: [String: String] = ["Authorization": "Bearer owner"]
    static let rules: String = """
        {"rules":{
          "open":{".read":true,".write":true,".indexOn":"n"},
          "records":{".read":"auth != null","$id":{
            ".write":"newData.exists() && (!data.exists() || newData.child('v').val() >= data.child('v').val())",
            ".validate":"newData.hasChild('v')",
            "title":{".validate":"newData.isString()"},
            "$other":{".validate":"$other == 'v'"}}},
          "pair":{".write":"newData.exists()",".validate":"newData.child('a').val() == newData.child('b').val()"},
          "once":{"x":{".write":"!data.exists() || !newData.exists()",".validate":"newData.isString()"}},
          "time":{".write":true,".validate":"newData.val() == now"},
          "mine":{"$user":{".read":"auth.uid == $user"}},
          "list":{".read":"query.orderByKey && query.limitToFirst <= 10"},
          "deep":{"$any":{".indexOn":["a/b",".value"]}}}}
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
            "what a POST makes is checked at its own place",
            [
                Step("POST /records.json", #"{"v":"1","title":"A"}"#),
                Step("POST /records.json", #"{"title":"A"}"#, [:], 401),
                Step("POST /records.json", "1", [:], 401), Step("POST /other.json", "1", [:], 401),
                Step("POST /open.json", "1"),
            ]
        ),
        Story(
            "a patch sees at every path what all of it will leave",
            [
                Step("PUT /pair.json", #"{"a":1,"b":1}"#, owner),
                Step("PUT /pair/a.json", "2", [:], 401), Step("PATCH /pair.json", #"{"a":2}"#, [:], 401),
                Step("PATCH /.json", #"{"pair/a":2,"pair/b":3}"#, [:], 401),
                Step("PATCH /pair.json", #"{"a":2,"b":2}"#),
                Step("PATCH /.json", #"{"pair/a":3,"pair/b":3,"open/x":1}"#),
                Step("PATCH /.json", #"{"pair/a":4,"pair/b":4,"closed":1}"#, [:], 401),
                Step("PATCH /.json", #"{"pair/a":null,"pair/b":null}"#, [:], 401),
                Step("GET /pair.json", nil, owner, 200, #"{"a":3,"b":3}"#),
                Step("GET /open/x.json", nil, [:], 200, "1"),
            ]
        ),
        Story(
            "a delete is decided by the rule for writing, and not by what is valid",
            [
                Step("PUT /once/x.json", #""short""#), Step("PUT /once/x.json", #""other""#, [:], 401),
                Step("PUT /once/x.json", "5", [:], 401), Step("DELETE /once/x.json"),
                Step("PUT /once/x.json", #""again""#),
                Step("PATCH /once.json", #"{"x":null}"#), Step("GET /once.json", nil, owner, 200, "null"),
            ]
        ),
        Story(
            "now is the time that the write gets",
            [
                Step("PUT /time.json", #"{".sv":"timestamp"}"#), Step("PUT /time.json", "1700000000000", [:], 401),
                Step("PATCH /.json", #"{"time":{".sv":"timestamp"},"open/t":{".sv":"timestamp"}}"#),
            ]
        ),
        Story(
            "reading is granted as a whole or not at all",
            [
                Step("PUT /mine/me/note.json", #""n""#, owner), Step("GET /mine.json?\(me)", nil, owner, 401),
                Step("GET /mine.json?shallow=true&\(me)", nil, owner, 401), Step("GET /mine/me.json", nil, [:], 401),
                Step("GET /mine/me.json?\(me)", nil, owner, 200, #"{"note":"n"}"#),
                Step("GET /mine/me/note.json?\(me)", nil, owner, 200, #""n""#),
                Step("GET /mine/you.json?\(me)", nil, owner, 401),
                Step("GET /mine/me/none/deeper.json?\(me)", nil, owner, 200, "null"),
                Step("GET /mine/me.json?shallow=true&\(me)", nil, owner, 200, #"{"note":true}"#),
            ]
        ),
        Story(
            "a list may be read only by a query that the rule allows",
            [
                Step("GET /list.json", nil, [:], 401),
                Step("GET /list.json?orderBy=%22$key%22&limitToFirst=11", nil, [:], 401),
                Step("GET /list.json?orderBy=%22$key%22&limitToFirst=10", nil, [:], 200, "{}"),
                Step(
                    "GET /list.json?orderBy=%22$key%22&limitToFirst=11", nil, ["Accept": "text/event-stream"], 401,
                    #"{"error":"Permission denied"}"#),
            ]
        ),
        Story(
            "an index is known by wildcard and path",
            [
                Step("GET /deep/any.json?orderBy=%22a/b%22&equalTo=1", nil, owner, 200, "{}"),
                Step("GET /deep/any.json?orderBy=%22$value%22&equalTo=1", nil, owner, 200, "{}"),
                Step("GET /deep/any.json?orderBy=%22a%22&equalTo=1", nil, owner, 400),
                Step("GET /deep.json?orderBy=%22a/b%22&equalTo=1", nil, owner, 400),
            ]
        ),
        Story(
            "rules are those of their database",
            [
                Step("PUT /x.json?ns=other", "1", owner), Step("GET /x.json?ns=other", nil, [:], 200, "1"),
                Step("GET /x.json", nil, [:], 401),
                Step("PUT /.settings/rules.json?ns=other", #"{"rules":{".read":true}}"#),
                Step("PUT /x.json?ns=other", "2", [:], 401), Step("GET /x.json?ns=other", nil, [:], 200, "1"),
                Step("PUT /.settings/rules.json?ns=other", #"{"rules":{".write":true}}"#, [:], 401),
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
