import FirebaseWire
import HTTPTypes
import SecurityRules
import SyncModel

@testable import DatabaseServer
@testable import DatabaseTree

extension FuzzTarget {
    private static let tree = #"{"k":3,"r":{"x":{"b":true,"n":2,"s":"hello","u":"äöü🎬"},"y":{".priority":1,"n":-1}}}"#

    private static var root: Root {
        var root = Root("")
        var rows = RowChanges(RowNumbers(next: 1))
        _ = root.set(.root, to: Node(canonical: Array(tree.utf8)), &rows)
        return root
    }

    /// `database.rules.json`.
    static let securityRules = FuzzTarget(
        "securityRules",
        seeds: [
            #"{"rules":{"r":{"$id":{".write":"newData.child('n').val() > data.child('n').val() && auth.uid == $id"}}}}"#,
            #"{"rules":{".read":true,"r":{".indexOn":["n","a/b"],".validate":"newData.hasChildren(['x', 'y'])"}}}"#,
            #"/* c */ {"rules": {"r": {"x": {"s": {".validate": "newData.val().matches(/^h(e|l)+o$/i)"}}}} } // end"#,
            #"{"rules":{"r":{".write":"root.child('k').val() === 3 ? now < 5 : (1 + 2) * -3 % 2 != 'a'.length"}}}"#,
        ],
        words: [
            ".read", ".write", ".validate", ".indexOn", "$id", "auth", "now", "data", "newData", "root", ".val()",
            ".child(",
            ".exists()", ".matches(/", "/)", "&&", "||", "==", "!=", "?", "(", ")", "!", "'", "\\\\", "\\/", "[a-z]",
            "(?:", "{1,9}",
            "*", "+", "/*", "//", ".replace('a', 'b')", ".contains(", ".isNumber()", "query.limitToFirst",
        ]
    ) { input in
        let rules: Ruleset
        do {
            rules = try Ruleset(input)
        } catch {
            try promiseOneLine(error)
            return false
        }
        let before = root
        let path = try WirePath(parsing: "r/x")
        let check = RuleCheck(rules: rules, auth: .object(["uid": .string("x")]), now: 1_000, before: before)
        _ = check.allowsReading(path, query: nil)
        var after = before
        var rows = RowChanges(RowNumbers(next: 9))
        _ = after.set(path, to: Node(canonical: Array(#"{"n":5,"s":"hello"}"#.utf8)), &rows)
        _ = check.allowsWriting([path], after: after)
        return true
    }

    private static let bodies = [
        #"{"a":{"b":[1,2.50,null,{"c":true}],"0":"x"},".priority":1}"#, #"["a",null,"c"]"#,
        #"{".value":5,".priority":"p"}"#,
        #"{"t":{".sv":"timestamp"},"n":{".sv":{"increment":2}}}"#, "null", #""text \u00e4""#, "-0.0",
        "123456789012345678901234567890",
    ]
    private static let bodyWords = [
        ".value", ".priority", ".sv", "timestamp", "increment", "{\".sv\":\"timestamp\"}", "a/b", "$", "#", "e\u{301}",
        "\u{e9}",
    ]

    /// The body of a PUT or POST.
    static let putBody = FuzzTarget("putBody", seeds: bodies, words: bodyWords) { input in
        let base = WirePath(["a", "b", "c"].map { WireKey(unchecked: $0) })
        let outline = try? Outline(put: Array(input), at: base, run: 6)
        let body: PutBody
        do {
            body = try input.withUnsafeBufferPointer { (text) throws(Refusal) in try PutBody(text, depth: 3) }
        } catch {
            try promiseOneLine(error)
            try promise(outline == nil, "an outline takes what can't be stored")
            return false
        }
        let value = outline.map { Outlook(of: $0, on: Root(""), now: 7) }.map { base.keys.reduce($0) { $0.child($1) } }
        let stored = PendingValue(body.value, hasServerValues: true).resolved(now: 7) { _ in nil }
        try promise(value?.exists == (stored != nil), "an outline does not see whether something is stored")
        try promise(value?.leaf == stored?.leaf, "an outline sees another value than is stored")
        try promiseStored(body.value.resolved(now: 1_700_000_000_000) { _ in .integer(5) })
        return true
    }

    /// The body of a PATCH.
    static let patchBody = FuzzTarget(
        "patchBody",
        seeds: bodies + [
            #"{"b":1,"a/x":null,"a/.priority":5,"a/b/c":true,".priority":"p"}"#, #"{"/a/b/":{"c":1},"d":[1,2]}"#, "{}",
        ],
        words: bodyWords + ["a/.priority", "/", "a//b", "a/b/c"]
    ) { input in
        let outline = Result { try Outline(patch: Array(input), at: WirePath([WireKey(unchecked: "base")]), run: 6) }
        let body: PatchBody?
        do {
            body = try input.withUnsafeBufferPointer { (text) throws(Refusal) in
                try PatchBody(text, base: WirePath([WireKey(unchecked: "base")]))
            }
        } catch {
            try promiseOneLine(error)
            try promise((try? outline.get()) == nil, "an outline takes a patch that can't be stored")
            return false
        }
        try promise((try outline.get() == nil) == (body == nil), "an outline reads another patch")
        for entry in body?.entries ?? [] {
            try promise(!entry.path.keys.isEmpty, "an entry for the place itself")
            try promiseStored(entry.value.resolved(now: 1_700_000_000_000) { _ in nil })
        }
        return true
    }

    /// What is stored reads the same again, as a body and as a tree.
    private static func promiseStored(_ value: WriteValue) throws {
        guard let text = value.canonicalText else { return }
        let second = try text.withUnsafeBufferPointer { (text) throws(Refusal) in try PutBody(text, depth: 0) }
        try promise(second.value.canonicalText == text, "a stored text is stored otherwise the second time")
        try promise(Node(canonical: text).text == text, "a tree writes another text than it was read from")
        let plain = Node(canonical: text).text(.plain)
        try promise(!CanonicalText.hasPriorities(plain[...]), "a priority in a text without priorities")
    }

    /// A request's line and headers; what a query selects.
    static let restRequest = FuzzTarget(
        "restRequest",
        seeds: [
            "GET /r.json?orderBy=%22n%22&startAt=1&endAt=%22x%22&limitToFirst=2&print=pretty",
            "GET /r/x.json?orderBy=%22$key%22&equalTo=%22b%22&format=export&ns=a\nAccept: text/event-stream",
            "GET /.json?orderBy=%22$priority%22&startAfter=null,%22k%22&limitToLast=3&callback=f.g&timeout=5s",
            "PUT /a%20b/.priority.json?writeSizeLimit=tiny\nif-match: *\nX-Firebase-ETag: true",
            "POST /x.json?x-http-method-override=PATCH&auth=t&print=silent", "GET /.settings/rules.json?shallow=true",
            "OPTIONS /x.json\nOrigin: http://a.example\nAccess-Control-Request-Method: PUT",
        ],
        words: [
            "orderBy=", "%22$key%22", "%22$value%22", "startAt=", "endAt=", "startAfter=", "endBefore=", "equalTo=",
            "limitToFirst=", "limitToLast=", "&", "?", "/", ".json", "%2F", "%22a/b/c%22", "auth_variable_override=",
            "%7B%7D",
            "if-none-match: ", "Authorization: Bearer ", ".", "..", "+", "download=", "disableTriggers=true",
        ]
    ) { input in
        guard let head = head(input) else { return false }
        let request: RestRequest
        do {
            request = try RestRequest(head)
        } catch {
            try promiseOneLine(error)
            return false
        }
        if let query = request.query, let node = root.value(at: try WirePath(parsing: "r")) {
            let selected = node.selected(by: query)
            try promise(
                selected.allSatisfy { Node.isAdmitted($0.key, $0.value, by: query) },
                "a query selects what it does not admit")
        }
        if case .data(let path) = request.target {
            let encoded = path.keys.map { PercentEncoding.encoded($0.text) }.joined(separator: "/")
            guard
                case .data(path) = try RestRequest(
                    .init(method: .get, scheme: nil, authority: nil, path: "/\(encoded).json")
                ).target
            else { throw Finding("a path that is encoded again is another one") }
        }
        return true
    }

    private static func head(_ input: [UInt8]) -> HTTPRequest? {
        let lines = String(decoding: input, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let words = (lines.first ?? "").split(separator: " ", maxSplits: 1)
        guard words.count == 2, let method = HTTPRequest.Method(String(words[0])) else { return nil }
        var request = HTTPRequest(method: method, scheme: nil, authority: nil, path: String(words[1]))
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { continue }
            request.headerFields.append(HTTPField(name: name, value: String(parts[1].drop { $0 == " " })))
        }
        return request
    }
}
