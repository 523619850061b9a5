import DatabaseTree
import FirebaseWire
import SyncModel
import Testing

@testable import SecurityRules

/// What rules decide, without a server.
struct RulesTests {
    static func root(_ text: String) -> Root {
        var root = Root("")
        var rows = RowChanges(RowNumbers(next: 1))
        _ = root.set(.root, to: Node(canonical: Array(text.utf8)), &rows)
        return root
    }

    /// The expression as a string of JSON, without the quotes.
    static func quoted(_ expression: String) -> String {
        expression.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }

    /// What `expression` decides as a `.write` rule of `/r/$id` for a write of `new` over `old`.
    private func decides(_ expression: String, old: String, new: String, auth: JSONValue = .null) throws -> Bool {
        let text = #"{"rules":{"r":{"$id":{".write":"\#(RulesTests.quoted(expression))"}}}}"#
        let rules = try Ruleset(Array(text.utf8))
        let check = RuleCheck(rules: rules, auth: auth, now: 1000, before: RulesTests.root(old))
        return check.allowsWriting([try WirePath(parsing: "r/x")], after: RulesTests.root(new))
    }

    private static let old = #"{"k":3,"r":{"x":{"n":1}}}"#
    private static let new = #"{"k":3,"r":{"x":{"b":true,"n":2,"s":"hello","u":"äöü🎬"}}}"#

    @Test(
        arguments: [
            ("true", true), ("false", false), ("1 + 2 * 3 == 7", true), ("(1 + 2) * 3 === 9", true),
            ("7 % 4 == 3", true),
            ("-2 < 1 && !(2 <= 1)", true), ("1 == '1'", false), ("1 != '1'", true), ("1 !== '1'", true),
            ("'a' < 'b' && 'B' < 'a'", true), ("'\u{1F600}' < '\u{E000}' && '\u{E000}' >= '\u{1F600}'", true),
            ("'a' <= 'a' && 'a' >= 'a' && !('a' < 'a')", true),
            ("null == null", true),
            ("'a' + 1 == 'a1'", true), ("1 + 'a' + 1.5 == '1a1.5'", true), ("true ? false : true", false),
            ("2 - 1 - 1 == 0 && 8 / 2 / 2 == 2", true), ("1.5e3 == 1500", true), ("-1 + -1 == -2", true),
            ("false || false || true", true), ("true && true && false", false), ("true || false && false", true),
            ("false ? true : false ? false : true", true), ("!!true", true), ("1 / 0 > 5", false),
            ("1 / 0 <= 5", false),
            ("1 % 0 == 1 % 0", false), ("now == 1000", true), ("now + 1 > 1000", true), ("\"a\" == 'a'", true),
            ("'\\u00e4' == 'ä' && '\\x41\\n' == 'A\\u000a' && '\\'' == \"'\"", true),
            ("'\\ud83c\\udfac'.length == 2", true),
            ("data.exists() && newData.exists()", true), ("data.val() == 1", false), ("data.val() != null", true),
            ("data.child('n').val() == 1 && newData.child('n').val() == 2", true), ("data.val().none == null", nil),
            ("newData.child('n').val() > data.child('n').val()", true), ("newData.child('none').val() > 0", false),
            ("newData.child('none').val() == null && !newData.child('none/deep').exists()", true),
            ("newData.child('/s/').val() == 'hello' && newData.child('').child('s').exists()", true),
            ("newData.child('n').val() + 1 == 3 && newData.child('n').val() + 'x' == '2x'", true),
            ("newData.child('b').val() + 'x' == 'truex'", false),
            ("newData.child('none').val() + 'x' == 'nullx'", false),
            ("newData.child('b').val() != false && newData.child('b').val() == true", true),
            ("newData.child('n').val() || true", nil), ("query.orderByKey == null && query.limitToLast == null", true),
            ("$id > 1 || true", false), ("true || $id > 1", true), ("newData.child('s').val() > 1", false),
            ("newData.child('s').val() == data.child('s').val()", false), ("getPriority() == null", nil),
            ("newData.getPriority() == null", true), ("data.parent().parent().child('k').val() == 3", true),
            ("root.child('k').val() == 3", true), ("root.child('r/x/n').val() == 1", true),
            ("root.child('r').child($id).child('n').val() == 1", true),
            ("root.child('r/' + $id + '/n').val() == 1", true),
            ("root.child('r').hasChild($id) && root.hasChild('r/x/n') && !root.hasChild('r/y')", true),
            ("newData.parent().parent().parent() == null", nil), ("newData.parent().parent().parent().exists()", false),
            ("root.parent().exists() || true", false), ("true || root.parent().exists()", true),
            ("root.child('a.b' + '').exists() || true", true), ("root.child('a.b/$c').val() != true", true),
            ("root.hasChild('x@y.z') || root.hasChildren(['x@y.z'])", false), ("1 / 0 + '' == 'NaN'", true),
            ("root['exists']() && newData[\"child\"]('s')['val']()['contains']('ell')", true),
            ("(data.exists() ? 'a' : null) == 'a'", true),

            ("$id == 'x' && $id.length == 1 && $id + 'y' == 'xy'", true),
        ] as [(String, Bool?)]) func `an expression decides`(_ expression: String, _ expected: Bool?) throws
    {
        guard let expected else {
            #expect(throws: RulesError.self) { try decides(expression, old: Self.old, new: Self.new) }
            return
        }
        #expect(try decides(expression, old: Self.old, new: Self.new) == expected)
    }

    @Test(
        arguments: [
            ("newData.hasChildren([])", true), ("newData.hasChildren()", true),
            ("newData.child('n').hasChildren()", false),
            ("newData.hasChildren(['n', 's'])", true), ("newData.hasChildren(['n', 'q'])", false),
            ("newData.parent().hasChildren([$id])", true), ("newData.hasChildren(['b', 's' + ''])", true),
            ("newData.child('n').isNumber() && newData.child('s').isString() && newData.child('b').isBoolean()", true),
            ("newData.child('n').isString() || newData.isString() || newData.child('none').isNumber()", false),
            ("newData.child('s').val().length == 5", true), ("newData.child('u').val().length == 5", true),
            ("newData.child('n').val().length == 1", false), ("newData.child('s').val().contains('ell')", true),
            ("newData.child('s').val().contains('') && !newData.child('s').val().contains('lle')", true),
            ("newData.child('s').val().contains(1)", nil), ("'aaab'.contains('aab')", true),
            ("'äö'.contains('ö')", true),
            ("newData.child('s').val().beginsWith('he') && newData.child('s').val().endsWith('lo')", true),
            ("newData.child('s').val().beginsWith('e') || newData.child('s').val().endsWith('l')", false),
            ("newData.child('s').val().toUpperCase() == 'HELLO' && 'ÄB'.toLowerCase() == 'äb'", true),
            ("newData.child('s').val().replace('l', 'L') == 'heLLo'", true), ("'aaa'.replace('aa', 'b') == 'ba'", true),
            ("'abc'.replace('', 'x') == 'abc'", true), ("'a.b.c'.replace('.', '') == 'abc'", true),
            ("newData.child('s').val().replace(newData.child('n').val(), 'x') == 'hello'", false),
            ("newData.child('s').val().matches(/^h.*O$/i)", true), ("newData.child('s').val().matches(/^H/)", false),
            ("newData.child('n').val().matches(/2/)", false), ("newData.child('none').val().matches(/./)", false),
            ("newData.child('s').val()['length'] == 5", true), ("(true ? newData : data).child('n').val() == 2", true),
        ] as [(String, Bool?)]) func `a method answers`(_ expression: String, _ expected: Bool?) throws
    {
        guard let expected else {
            #expect(throws: RulesError.self) { try decides(expression, old: Self.old, new: Self.new) }
            return
        }
        #expect(try decides(expression, old: Self.old, new: Self.new) == expected)
    }

    @Test(arguments: [
        ("( // a new film\n true || auth != null)", true), ("/* a */ true /* b */", true), ("true // && false", true),
        ("true //\n && false", false), ("true //\r && false", false), ("/**/true/***/&&/* // */true", true),
        ("8 / /* by */ 2 / 2 == 2 // true", true), ("8/2/2 == 2", true), ("'/*' + '//' == '/*//'", true),
        ("newData /* it */ . /* has */ child /* a */ ( /* name */ 's' ) . val() == 'hello'", true),
        ("newData.child('s').val().matches(/* a word */ /^[a-z/*]+$/ /* in small letters */)", true),
        ("newData.child('s').val().matches( // a word\n/^h.*/i // or more\n)", true),
        ("'a//b'.matches(/a\\/\\/b/) && 'a/*b'.matches(/a\\/[*]b/)", true), ("'b'.matches(/a*/) // */", true),
        ("newData.hasChildren(['n', 's',])", true), ("newData.hasChildren(['n', 'q' /* none */ , ])", false),
    ]) func `comments and a comma at the end of an array change nothing`(
        _ expression: String, _ expected: Bool
    ) throws {
        #expect(try decides(expression, old: Self.old, new: Self.new) == expected)
    }

    @Test(arguments: [
        ("auth != null && auth.uid == 'me' && auth.token.admin == true", true), ("auth['uid'] == 'me'", true),
        ("auth.token.email.endsWith('@b.c')", true), ("auth.token.email.endsWith('@x')", false),
        ("auth.token.none == null && auth.token.none.deeper == null", true), ("auth.provider == 'custom'", true),
        ("auth.token[$id] == 'wild'", true), ("auth.token['firebase'].identities.phone == 7", true),
        ("auth.token.firebase.identities['google.com'][0] == '104'", true),
        ("auth.token.firebase.identities['google.com'][1] == null", true),
        ("auth.uid.length == 2 && auth.token.email.matches(/^a@/)", true), ("auth.uid > 5", false),
        ("auth.uid['contains']('m')", true),
    ]) func `auth is what the token says`(_ expression: String, _ expected: Bool) throws {
        let auth: JSONValue = [
            "uid": "me", "provider": "custom",
            "token": [
                "email": "a@b.c", "admin": true, "x": "wild",
                "firebase": ["identities": ["phone": 7, "google.com": ["104"]]],
            ],
        ]
        #expect(try decides(expression, old: Self.old, new: Self.new, auth: auth) == expected)
    }

    @Test(arguments: [
        ("root.child('l/\u{301}x').exists()", true), ("root.child('l/' + auth.uid).exists()", true),
        ("root.hasChild('l/' + auth.uid + '/')", true), ("root.child('l').child(auth.uid).val() == 1", true),
    ]) func `a slash ends a key whatever stands behind it`(_ expression: String, _ expected: Bool) throws {
        let data = "{\"l\":{\"\u{301}x\":1}}"
        #expect(try decides(expression, old: data, new: data, auth: ["uid": "\u{301}x"]) == expected)
    }

    @Test(arguments: [
        ("auth == null", true), ("auth != null", false), ("auth.uid != null", false), ("auth.uid == $id", false),
        ("auth.uid !== 'somebody'", true), ("auth.uid == null && auth.token.none == null", true),
        ("auth.contains('a') || true", false),
        ("auth.token.email.contains('a')", false), ("auth.token.admin == true", false),
    ]) func `nobody has no uid`(_ expression: String, _ expected: Bool) throws {
        #expect(try decides(expression, old: Self.old, new: Self.new) == expected)
    }

    @Test(arguments: [
        (
            "",
            "query.orderByKey == null && query.orderByValue == null && query.orderByChild == null && query.limitToFirst == null"
        ),
        (
            "orderBy=\"$key\"&limitToFirst=10",
            "query.orderByKey && query.limitToFirst <= 10 && query.limitToLast == null"
        ),
        ("orderBy=\"owner\"&equalTo=\"me\"", "query.orderByChild == 'owner' && query.equalTo == auth.uid"),
        ("orderBy=\"a/b\"&startAt=1&endAt=5", "query.orderByChild == 'a/b' && query.startAt >= 1 && query.endAt == 5"),
        (
            "orderBy=\"$value\"&limitToLast=3&endAt=true",
            "query.orderByValue && query.limitToLast < 4 && query.endAt == true"
        ),
        ("orderBy=\"$priority\"&limitToLast=3", "query.orderByPriority === true && query.startAt === null"),
    ]) func `a query is seen by the rule for reading`(_ text: String, _ rule: String) throws {
        let rules = try Ruleset(Array(#"{"rules":{"l":{".read":"\#(rule)"}}}"#.utf8))
        let parameters = text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            return (name: parts[0], value: parts[1])
        }
        let check = RuleCheck(rules: rules, auth: ["uid": "me"], now: 0, before: Root(""))
        let path = try WirePath(parsing: "l")
        #expect(check.allowsReading(path, query: try Query(parameters: parameters)))
        #expect(!check.allowsReading(path, query: Query(.child(WirePath([])))))
        #expect(!check.allowsReading(.root, query: nil))
    }

    @Test(arguments: [
        ("r", "a", true), ("r/a", "a", true), ("r/a/b/c", "a", true), ("", "a", false), ("q/a", "a", false),
        ("r/lit", "lit", true), ("r/lit/deep", "lit", true), ("n/1/x/2", "12", true), ("n/1/x", "1", false),
    ]) func `a grant holds for all below, and names go down with it`(
        _ path: String, _ uid: String, _ expected: Bool
    ) throws {
        let text = """
            {"rules":{"r":{".read":"auth.uid == 'a'","lit":{".read":"auth.uid == 'lit'"},"$any":{".read":"false"}},
            "n":{"$i":{"x":{"$j":{".read":"auth.uid == $i + $j"}}}}}}
            """
        let check = RuleCheck(
            rules: try Ruleset(Array(text.utf8)), auth: ["uid": .string(uid)], now: 0, before: Root(""))
        #expect(check.allowsReading(try WirePath(parsing: path), query: nil) == expected)
    }

    @Test func `a path from the data may be as long as it likes without doing harm`() throws {
        let long = String(repeating: "a/", count: 500_000)
        #expect(
            try !decides("newData.child(newData.val()).exists() || true", old: "1", new: #"{"r":{"x":"\#(long)"}}"#))
        let fits = String(repeating: "a/", count: 31) + "a"
        #expect(try decides("!newData.child(newData.val()).exists()", old: "1", new: #"{"r":{"x":"\#(fits)"}}"#))
    }

    @Test func `comments and escapes are understood`() throws {
        let text = """
            // what everybody may do
            { "rules": { /* nothing
              but */ ".read": "data.val() == \\"x\\"", ".indexOn": ["a/b", ".value"], "\\u00e4\\ud83c\\udfac": {},
              "a": {"$k": {".indexOn": "t"}, "lit": {}} } /**/ }
            """
        let rules = try Ruleset(Array(text.utf8))
        #expect(rules.isIndexed(.child(try WirePath(parsing: "a/b")), at: .root))
        #expect(rules.isIndexed(.value, at: .root))
        #expect(!rules.isIndexed(.child(try WirePath(parsing: "c")), at: .root))
        #expect(rules.root.children[WireKey(unchecked: "ä🎬")] != nil)
        #expect(rules.isIndexed(.child(try WirePath(parsing: "t")), at: try WirePath(parsing: "a/7")))
        #expect(!rules.isIndexed(.child(try WirePath(parsing: "t")), at: try WirePath(parsing: "a/lit")))
    }
}
