import Testing

@testable import DatabaseTree

struct PutBodyTests {
    private static func body(_ text: String, depth: Int = 0) throws -> PutBody {
        try Array(text.utf8).withUnsafeBufferPointer { try PutBody($0, depth: depth) }
    }

    static let stored: [(String, String?)] = [
        (#"{"b":1,"a":2,"b":3}"#, #"{"a":2,"b":3}"#),
        (#"{"b":1,"b":null}"#, nil),
        ("{\"e\u{301}\":1,\"\u{e9}\":2}", "{\"e\u{301}\":1,\"\u{e9}\":2}"),
        (#"{"a":null,"b":{},"c":[],"d":{"e":[null]}}"#, nil),
        ("1.0", "1"), ("1.50", "1.5"), ("-0.0", "0"), ("1e2", "100"),
        ("18446744073709551615", "1.8446744073709552e+19"),
        ("123456789012345678901234567890", "1.2345678901234568e+29"),
        (
            #"["-123456789012345678901234567890",-123456789012345678901234567890]"#,
            #"["-123456789012345678901234567890",-1.2345678901234568e+29]"#
        ),
        ("9223372036854775807", "9223372036854775807"),
        ("[1,null,3]", "[1,null,3]"), ("[null,null,null,4]", #"{"3":4}"#), (#"{"0":"a","1":"b"}"#, #"["a","b"]"#),
        (#"{".priority":1,".value":"Tom"}"#, #"{".priority":1,".value":"Tom"}"#),
        (#"{".value":"Tom"}"#, #""Tom""#), (#"{".value":"Tom",".priority":null}"#, #""Tom""#),
        (#"{".priority":1}"#, nil), (#"{".priority":1,".value":null}"#, nil), (#"{".priority":1,"a":null}"#, nil),
        (#"{"-a":1,"a":2,".priority":"p"}"#, #"{"-a":1,".priority":"p","a":2}"#),
        (#"{"0":1,".priority":2.0}"#, #"{".priority":2,"0":1}"#),
        (#"{".value":null,"a":1}"#, #"{"a":1}"#),
    ]

    @Test(arguments: stored) func `a body has one stored form`(_ text: String, _ stored: String?) throws {
        let body = try PutBodyTests.body(text)
        #expect(body.value.canonicalText.map { String(decoding: $0, as: UTF8.self) } == stored)
        if let stored { #expect(CanonicalText.hasPriorities(Array(stored.utf8)[...]) == stored.contains(".priority")) }
    }

    static let refusals: [(String, String)] = [
        ("", "No data supplied"), ("{", "couldn't parse JSON object, array, or value."),
        ("1e400", "couldn't parse JSON"),
        (#""\ud800""#, "couldn't parse JSON"), (#"{"a.b":1}"#, "couldn't parse key beginning at 1:2."),
        ("{\"a\":{\n \"b\" : \"x\\\":\",  \"c$\":1}}", "couldn't parse key beginning at 2:17."),
        (#"{"":1}"#, "beginning at 1:2."), (#"{"x":{".sv":"nonsense"}}"#, ".sv"),
        (#"{".priority":true,"a":1}"#, ".priority is"), (#"{".priority":[],"a":1}"#, ".priority is"),
        (#"{".value":1,"a":1}"#, "beside children"), (#"{".value":{"a":1}}"#, ".value is"),
        (#"{".sv":"timestamp","a":1}"#, "beside children"), (#"{".other":1}"#, "couldn't parse key"),
        (String(repeating: "[", count: 100_000), "couldn't parse JSON"),
        (String(repeating: #"{"a":"#, count: 33) + "1" + String(repeating: "}", count: 33), "deeper than 32"),
    ]

    @Test(arguments: refusals) func `what can't be stored is refused`(_ text: String, _ reason: String) {
        #expect {
            try PutBodyTests.body(text)
        } throws: { error in
            (error as? Refusal).map { $0.status == 400 && $0.message.contains(reason) } ?? false
        }
    }

    @Test func `32 levels are allowed`() throws {
        let text = String(repeating: #"{"a":"#, count: 32) + "1" + String(repeating: "}", count: 32)
        #expect(try PutBodyTests.body(text).value != .null)
        #expect(throws: Refusal.tooDeep) { try PutBodyTests.body(text, depth: 1) }
    }

    static let forms: [(String, String, String, String)] = [
        (#"{"a":1}"#, #"{"a":1}"#, #"{"a":1}"#, #"{"a":true}"#),
        (#"{".priority":1,".value":"x"}"#, #""x""#, #"{".priority":1,".value":"x"}"#, #""x""#),
        (
            #"{".priority":1,"0":"a","1":{".priority":2,".value":"b"}}"#, #"["a","b"]"#,
            #"{".priority":1,"0":"a","1":{".priority":2,".value":"b"}}"#, #"{"0":true,"1":true}"#
        ),
        (#"["a","b"]"#, #"["a","b"]"#, #"{"0":"a","1":"b"}"#, #"{"0":true,"1":true}"#),
        (#"{"t":"\".priority\":"}"#, #"{"t":"\".priority\":"}"#, #"{"t":"\".priority\":"}"#, #"{"t":true}"#),
    ]

    @Test(arguments: forms) func `stored text has a plain, an exported and a shallow form`(
        _ stored: String, _ plain: String, _ exported: String, _ shallow: String
    ) {
        let text = Array(stored.utf8)[...]
        var (whole, keys): ([UInt8], [UInt8]) = ([], [])
        CanonicalText.appendExported(text, to: &whole)
        CanonicalText.appendShallow(text, to: &keys)
        #expect(String(decoding: CanonicalText.plain(text), as: UTF8.self) == plain)
        #expect(String(decoding: whole, as: UTF8.self) == exported)
        #expect(String(decoding: keys, as: UTF8.self) == shallow)
    }
}
