import JSONText
import SyncModel
import Testing

struct JSONReaderTests {
    @Test(
        arguments: [
            ("null", nil), ("true", true), (" false ", false), ("0", 0), ("-0", 0), ("5", 5), ("5.0", 5.0),
            ("1e2", 100.0),
            ("-9223372036854775808", .integer(.min)), ("9223372036854775807", .integer(.max)),
            ("18446744073709551615", .number(18_446_744_073_709_551_616)), ("100000000000000000000", .number(1e20)),
            ("-9223372036854775809", .number(-9_223_372_036_854_775_808)),
            ("[1,{\"a\":100000000000000000000}]", [1, ["a": .number(1e20)]]),
            ("\"\"", ""), ("[]", []), ("{}", [:]),
            ("\"\\u00e9\\n\\/\\\\\\\"\"", "é\n/\\\""), ("\"\\ud83c\\udfac\"", "🎬"), ("\"🎬\"", "🎬"),
            ("\"a\\u0000b\"", "a\u{0}b"),
            ("[1,[2,{\"a\":[]}]]", [1, [2, ["a": []]]]), ("{\"a\":1,\"a\":2}", ["a": 2]), ("{\"\":1}", ["": 1]),
            ("\t{\r\n\"a\" : 1 }\n", ["a": 1]),
        ] as [(String, JSONValue)])
    func `texts are read as what they say`(text: String, value: JSONValue) throws {
        #expect(try JSONReader.value(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "True", "'a'", "[1,]", "{\"a\":1,}", "{a:1}", "[1 2]", "1 2", "{} {}", "01", "1.", ".5", "+1",
        "NaN", "Infinity", "\"a", "\"\n\"", "\"\\x\"", "\"\\u12\"", "\"\\ud83c\"", "\"\\udfac\"", "\"\\ud83cx\"",
        "// a\n1",
        "/**/1", "[", "]", "{\"a\"}", "{\"a\":}", "018446744073709551616", "1e999",
        "\u{FEFF}1 x",
    ])
    func `what is not JSON is an error in words`(text: String) {
        #expect { try JSONReader.value(Array(text.utf8)) } throws: {
            let message = ($0 as? JSONSyntaxError)?.message ?? ""
            return !message.isEmpty && !message.contains { $0.isNewline }
        }
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x80], [0x31, 0x00],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are an error`(bytes: [UInt8]) {
        #expect(throws: JSONSyntaxError.self) { try JSONReader.value(bytes) }
    }

    private func nested(_ depth: Int) -> [UInt8] {
        Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }

    @Test func `depth has a limit, at any size, and no stack is needed beyond it`() throws {
        _ = try JSONReader.value(nested(60))
        for depth in [70, 1000, 100_000, 1_000_000] {
            #expect(throws: JSONSyntaxError.self, "depth \(depth)") { try JSONReader.value(nested(depth)) }
        }
        _ = try JSONReader.value(nested(60))
        #expect(throws: JSONSyntaxError.self) { try JSONReader.value(nested(70)) }
    }

    @Test func `a large text does not keep its memory from being read after it`() throws {
        let large = "\"" + String(repeating: "x", count: 3 << 20) + "\""
        #expect(try JSONReader.value(Array(large.utf8)).text?.utf8.count == 3 << 20)
        #expect(try JSONReader.value(Array("[1]".utf8)) == [1])
    }

    @Test(arguments: ["[]", "1", "null", "\"{}\""])
    func `members are those of an object`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONReader.members(Array(text.utf8)) }
    }

    @Test func `slices and lazy sequences are read like arrays`() throws {
        let bytes = Array("xx{\"a\":1}yy".utf8)
        #expect(try JSONReader.members(bytes[2..<9]) == ["a": 1])
        #expect(try JSONReader.members(bytes.lazy.dropFirst(2).dropLast(2)) == ["a": 1])
    }

    @Test func `cutting a text anywhere is an error, never a crash`() {
        let text = Array("{\"a\":[1,2.5,\"é\\u00e9\",null,true],\"b\":{\"c\":\"🎬\"}}".utf8)
        for end in 0..<text.count {
            #expect(throws: JSONSyntaxError.self) { try JSONReader.value(text[..<end]) }
        }
    }
}
