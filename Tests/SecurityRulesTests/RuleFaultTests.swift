import Testing

@testable import SecurityRules

/// What is wrong with rules is said before they are used, with its place.
struct RuleFaultTests {
    private func fault(_ text: some Sequence<UInt8>) -> RulesError? {
        do {
            _ = try Ruleset(Array(text))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("", 1, 1, "empty"), ("  \n ", 2, 2, "empty"), ("null", 1, 1, "is expected"), ("[]", 1, 1, "the one key"),
        ("{}", 1, 1, "the one key"), (#"{"other":{}}"#, 1, 3, "\"other\" may not"),
        ("{\"rules\":{},\n \"more\":{}}", 2, 3, "\"more\" may not stand here, only \"rules\""),
        (#"{"rules":[]}"#, 1, 3, "must be an object"),
        (#"{"rules":{}} x"#, 1, 14, "nothing may follow"), ("\u{FEFF}{\"rules\":{}}", 1, 1, "byte order mark"),
        (#"{"rules":{".read":true}"#, 1, 24, "expected"), (#"{"rules":{".read":true,,}}"#, 1, 24, "a key"),
        (#"{"rules":{.read:true}}"#, 1, 11, "a key in double quotes"), (#"{"rules":{".read" true}}"#, 1, 19, "a colon"),
        (#"{"rules":{".read":1}}"#, 1, 19, "is expected"), (#"{"rules":{".read":null}}"#, 1, 19, "is expected"),
        (#"{"rules":{".read":{}}}"#, 1, 12, "must be a string"), (#"{"rules":{".read":["true"]}}"#, 1, 12, "a string"),
        (#"{"rules":{".read":true,".read":false}}"#, 1, 25, "twice"), (#"{"rules":{"a":true}}"#, 1, 12, "an object"),
        (#"{"rules":{".reed":true}}"#, 1, 12, "no rule .reed"), (#"{"rules":{".indexon":"a"}}"#, 1, 12, "no rule"),
        (#"{"rules":{"a.b":{}}}"#, 1, 12, "can't be a key"), (#"{"rules":{"a/b":{}}}"#, 1, 12, "can't be a key"),
        (#"{"rules":{"$a":{},"$b":{}}}"#, 1, 20, "another wildcard"), (#"{"rules":{"$":{}}}"#, 1, 12, "be a name"),
        (#"{"rules":{"$a":{"$a":{}}}}"#, 1, 18, "used above"), (#"{"rules":{".indexOn":1}}"#, 1, 22, "expected"),
        (#"{"rules":{".indexOn":true}}"#, 1, 12, "array of strings"),
        (#"{"rules":{".indexOn":["a",true]}}"#, 1, 12, "array of strings"),
        (#"{"rules":{".indexOn":["a","b.c"]}}"#, 1, 28, "no path of keys"),
        (#"{"rules":{"a\x":{}}}"#, 1, 14, "escape"), (#"{"rules":{"\ud800":{}}}"#, 1, 17, "half a character"),
        ("{\"rules\":{/* x }}", 1, 11, "a key"), ("{\"rules\":{\".read\":\"true}}", 1, 26, "a string does not end"),
    ]) func `a fault in the file is refused with its place`(
        _ text: String, _ line: Int, _ column: Int, _ message: String
    ) {
        let error = fault(text.utf8)
        #expect(error?.line == line && error?.column == column, "\(String(describing: error))")
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        ("", 1, "ends too early"), ("1", 1, "boolean"), ("'true'", 1, "boolean"), ("newData", 1, "boolean"),
        ("auth = null", 6, "not expected"), ("true true", 6, "not expected"), ("true &&", 8, "ends too early"),
        ("true & true", 6, "not expected"), ("(true", 6, ") is expected"), ("true)", 5, "not expected"),
        ("true ? false", 13, "a colon"), ("1 ? true : false", 1, "boolean"), ("!1", 2, "boolean"),
        ("-'a' == 1", 2, "number"),
        ("1 && true", 1, "boolean"), ("true || 'a'", 9, "boolean"), ("1 + true == 2", 5, "number or string"),
        ("null + 'a' == 'a'", 1, "number or string"), ("1 - 'a' == 0", 5, "number"),
        ("auth.uid", 1, "may be anything"), ("data.val()", 1, "may be anything"), ("!auth.uid", 2, "may be anything"),
        ("auth.uid && true", 1, "may be anything"), ("true || data.val()", 9, "may be anything"),
        ("auth.uid ? true : false", 1, "may be anything"), ("true ? true : auth.uid", 1, "may be anything"),
        ("true > false", 1, "number"), ("data == null", 1, "snapshot"),
        ("newData == data", 1, "snapshot"), ("data.val() == newData", 15, "snapshot"), ("'abc", 1, "does not end"),
        ("data.child('a)", 12, "does not end"), ("1.2.3 == 1", 5, "no property"), ("1a == 1", 1, "not a number"),
        ("unknown", 1, "unknown is not known"), ("$id == 'x'", 1, "$id is not known"),
        ("newData.exits()", 9, "no method exits"), ("newData.exists", 9, "no property exists"),
        ("newData.foo", 9, "no property"),
        ("data.val().foo == 1", 12, "no property foo"), ("now.length == 1", 5, "no property"),
        ("root.child('a').val().exists()", 23, "no method"),
        ("auth.exists()", 6, "no method"), ("now.matches(/a/)", 5, "no method"), ("data.contains('a')", 6, "no method"),
        ("data.child()", 6, "number of arguments"), ("data.exists(1)", 6, "number of arguments"),
        ("data.hasChild('a', 'b')", 6, "number of arguments"), ("'a'.replace('a') == ''", 5, "number of arguments"),
        ("data.child(1).exists()", 12, "string"),
        ("data['exits']()", 6, "no method exits"), ("data['exi' + 'sts']()", 6, "in quotes"),
        ("now['matches'](/a/)", 5, "no method"),
        ("true ? 7 : true", 12, "of one type"), ("(2**2) == 4", 4, "a value is expected"),
        ("true; true", 5, "not expected"),
        ("data.hasChildren('a')", 18, "array"), ("data.hasChildren(1)", 18, "array"),
        ("data.hasChildren([1])", 19, "string"), ("['a'] == 'a'", 1, "array may only"),
        ("/a/ == 'a'", 1, "regular expression may only"),
        ("'a'.matches('a')", 13, "between slashes"), ("'a'.matches(/a)", 13, "does not end"),
        ("'a'.matches(/a/g)", 13, "flag"),
        ("'a'.matches(/(a/)", 13, "a ( has no )"), ("'a'.matches(/[a/)", 13, "does not end"),
        ("'a'.matches(/+/)", 13, "nothing to repeat"), ("'a'.matches(/*/)", 13, "a comment does not end"),
        ("'a'.matches(/^(foo|)$/)", 13, "nothing stands beside"),
        ("'a'.matches(/a|/)", 13, "nothing stands beside"), ("'a'.matches(/()/)", 13, "nothing stands beside"),
        ("data['a'] == 1", 6, "no property"), ("'a'[1] == 1", 5, "string"), ("auth[true] == 1", 6, "string"),
        ("'\\u12' == ''", 2, "escape"),
        ("(((", 4, "too early"),
        ("newData.val() === undefined", 19, "undefined is not known"), ("data.exists() and true", 15, "not expected"),
        ("auth.uid === 'a' || 'b'", 21, "boolean"), ("data.", 6, "a name is expected"),
        ("data.child('a'", 15, ") is expected"),
        ("true /* && false", 6, "a comment does not end"), ("/*/ true", 1, "a comment does not end"),
        ("1 /* == 1", 3, "a comment does not end"), ("data./* x", 6, "a comment does not end"),
        ("data.hasChildren(['a'/*])", 22, "a comment does not end"), ("// true", 8, "ends too early"),
        ("true / true", 1, "number"), ("/* 'a */ 1", 10, "boolean"),
        ("data.hasChildren(['a',,])", 23, "a value is expected"), ("data.hasChildren([,])", 19, "a value is expected"),
        ("data.hasChild('a',)", 19, "a value is expected"),
    ]) func `a fault in an expression is refused with its place`(_ expression: String, _ column: Int, _ message: String)
    {
        let error = fault("{\n\"rules\":{\"ä\":{\".write\":\"\(RulesTests.quoted(expression))\"}}}".utf8)
        // Escapes count as what stands in the file.
        let escaped = RulesTests.quoted(String(expression.prefix(column - 1))).count
        #expect(error?.line == 2 && error?.column == 25 + escaped, "\(String(describing: error))")
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        (#"{"rules":{".read":"newData.exists()"}}"#, "newData is not known"),
        (#"{"rules":{".read":"query.limit < 5"}}"#, "no property limit"),
        (#"{"rules":{"$a":{".read":"$b == 1"}}}"#, "$b is not known"),
        (#"{"rules":{"a":{"$x":{}},"b":{".read":"$x == 'a'"}}}"#, "$x is not known"),
    ]) func `a variable is known only where it means something`(_ text: String, _ message: String) {
        #expect(fault(text.utf8)?.message.contains(message) == true)
    }

    @Test func `what is not UTF-8 is refused with its place`() {
        let error = fault(Array("{\n\"rules\":{\"ä".utf8) + [0xFF] + Array("\":{}}}".utf8))
        #expect(error?.line == 2 && error?.column == 12, "\(String(describing: error))")
        #expect(error?.message == "this is not UTF-8")
    }

    @Test(arguments: ["(", "!", "-", "[", "data.child(", "true ? ", "1 + (", "'a'.matches(/(((((", "/*", "/**/", "(/*"])
    func `an expression may be as deep as it likes without doing harm`(_ part: String) {
        let text = String(repeating: part, count: 20_000)
        #expect(fault("{\"rules\":{\".write\":\"\(text)\"}}".utf8) != nil)
    }

    @Test(arguments: ["{\"a\":", "[", "{\"$a\":"]) func `a file may be as deep as it likes without doing harm`(
        _ part: String
    ) {
        #expect(fault(String(repeating: part, count: 200_000).utf8) != nil)
    }

    @Test func `long expressions and large files are taken`() throws {
        let many = Array(repeating: "$id == 'a'", count: 4000).joined(separator: " || ")
        #expect(fault(#"{"rules":{"$id":{".write":"\#(many) || true"}}}"#.utf8) == nil)
        #expect(
            fault(#"{"rules":{".write":"\#(Array(repeating: "1", count: 4000).joined(separator: "+")) > 1"}}"#.utf8)?
                .message == "this expression is too long")
        let places = (1...5000).map { "\"k\($0)\":{\".read\":\"auth != null\"}" }.joined(separator: ",")
        #expect(try Ruleset(Array("{\"rules\":{\(places)}}".utf8)).root.children.count == 5000)
    }
}
