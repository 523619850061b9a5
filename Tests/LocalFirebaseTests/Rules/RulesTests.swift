import RTDBWire
import SyncModel
import Testing

@testable import LocalFirebase

struct RulesTests {
    private func root(_ text: String) -> Root {
        var root = Root("")
        var rows = RowChanges(nextRow: 1)
        _ = root.set(.root, to: Node(canonical: Array(text.utf8)), &rows)
        return root
    }

    /// What `expression` decides as a `.write` rule of `/r/$id` for a write of `new` over `old`.
    private func decides(_ expression: String, old: String, new: String, auth: JSONValue = .null) throws -> Bool {
        let quoted = expression.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let rules = try Ruleset(Array(#"{"rules":{"r":{"$id":{".write":"\#(quoted)"}}}}"#.utf8))
        let check = RuleCheck(rules: rules, auth: auth, now: 1000, before: root(old))
        return check.allowsWriting([try WirePath(parsing: "r/x")], after: root(new))
    }

    @Test(arguments: [
        ("true", true), ("false", false), ("1 + 2 * 3 == 7", true), ("(1 + 2) * 3 === 9", true), ("7 % 4 == 3", true),
        ("-2 < 1 && !(2 <= 1)", true), ("1 == '1'", false), ("1 != '1'", true),
        ("'a' < 'b' && 'B' < 'a'", true), ("1 < 'b'", false), ("null < 1", false), ("null == null", true),
        ("'a' + 1 == 'a1'", true), ("true ? false : true", false), ("$id == 'x'", true), ("now == 1000", true),
        ("auth == null", true), ("auth.uid == null", true), ("data.exists() && newData.exists()", true),
        ("data.val() == 1", false), ("data.child('n').val() == 1 && newData.child('n').val() == 2", true),
        ("newData.child('n').val() > data.child('n').val()", true), ("newData.child('none').val() > 0", false),
        ("newData.hasChildren(['n', 's'])", true), ("newData.hasChildren(['n', 'q'])", false),
        ("newData.hasChildren()", true),
        ("newData.child('n').isNumber() && newData.child('s').isString() && newData.child('b').isBoolean()", true),
        ("newData.child('s').val().length == 5", true), ("newData.child('s').val().contains('ell')", true),
        ("newData.child('s').val().beginsWith('he') && newData.child('s').val().endsWith('lo')", true),
        ("newData.child('s').val().toUpperCase() == 'HELLO'", true),
        ("newData.child('s').val().replace('l', 'L') == 'heLLo'", true),
        ("newData.child('s').val().matches(/^h.*O$/i)", true), ("newData.child('s').val().matches(/^H/)", false),
        ("newData.child('n').val().length == 1", false), ("newData.parent().parent().child('k').val() == 3", true),
        ("root.child('k').val() == 3", true), ("root.child('r/x/n').val() == 1", true),
        ("root.parent().exists()", false),
        ("newData.getPriority() == null", true), ("1 / 0 > 5", true), ("newData == data", false), ("!1", false),
        ("auth['uid'] == null", true), ("\"a\" == 'a'", true),
    ]) func `an expression decides`(_ expression: String, _ expected: Bool) throws {
        let old = #"{"k":3,"r":{"x":{"n":1}}}"#
        let new = #"{"k":3,"r":{"x":{"b":true,"n":2,"s":"hello"}}}"#
        #expect(try decides(expression, old: old, new: new) == expected)
    }

    @Test func `auth is what the token says`() throws {
        let auth: JSONValue = ["uid": "me", "token": ["email": "a@b.c", "admin": true]]
        let both = #"{"r":{"x":1}}"#
        #expect(
            try decides(
                "auth != null && auth.uid == 'me' && auth.token.admin == true", old: both, new: both, auth: auth))
        #expect(try !decides("auth.token.email.endsWith('@x')", old: both, new: both, auth: auth))
    }

    @Test(arguments: [
        (#"{"rules":{".read":"auth = null"}}"#, 1, 25, "not expected"),
        ("{\n  \"rules\": {\n    \".write\": \"newData.exits()\"\n  }\n}", 3, 24, "no method exits"),
        (#"{"rules":{".read":"newData.exists()"}}"#, 1, 20, "newData is not known"),
        (#"{"rules":{".write":"$id == 1"}}"#, 1, 21, "$id is not known"),
        (#"{"rules":{".write":"data.child()"}}"#, 1, 26, "number of arguments"),
        (#"{"rules":{".write":"'abc"}}"#, 1, 21, "does not end"),
        (#"{"rules":{".write":"(true"}}"#, 1, 26, ") is expected"),
        (#"{"rules":{".write":"data.val().matches('x')"}}"#, 1, 32, "regular expression"),
        (#"{"rules":{"a.b":{}}}"#, 1, 12, "can't be a key"),
        (#"{"rules":{"a":true}}"#, 1, 12, "must be an object"),
        (#"{"rules":{"$a":{},"$b":{}}}"#, 1, 20, "another wildcard"),
        (#"{"rules":{".read":true,".read":false}}"#, 1, 25, "twice"),
        (#"{"rules":{".read":1}}"#, 1, 19, "is expected"),
        (#"{"rules":{".read":true}"#, 1, 24, "expected"),
        (#"{"other":{}}"#, 1, 1, "\"rules\""),
    ]) func `a fault is refused with its place`(_ text: String, _ line: Int, _ column: Int, _ message: String) throws {
        do {
            _ = try Ruleset(Array(text.utf8))
            Issue.record("no fault was found")
        } catch {
            #expect(error.line == line && error.column == column, "\(error)")
            #expect(error.message.contains(message), "\(error)")
        }
    }

    @Test func `comments and escapes are understood`() throws {
        let text = """
            // what everybody may do
            { "rules": { /* nothing
              but */ ".read": "data.val() == \\"x\\"", ".indexOn": ["a/b", ".value"], } }
            """
        let rules = try Ruleset(Array(text.utf8))
        #expect(rules.isIndexed(.child(try WirePath(parsing: "a/b")), at: .root))
        #expect(rules.isIndexed(.value, at: .root))
        #expect(!rules.isIndexed(.child(try WirePath(parsing: "c")), at: .root))
    }
}

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
