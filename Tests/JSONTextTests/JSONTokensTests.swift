import JSONText
import SyncModel
import Testing

struct JSONTokensTests {
    private func value(_ text: String) throws -> JSONValue {
        try Array(text.utf8).withUnsafeBufferPointer { try JSONReader.read($0) { $0.value() } }
    }

    @Test(
        arguments: [
            ("123456789012345678901234567890", .number(1.2345678901234568e+29)),
            (" -18446744073709551616\n", .number(-1.8446744073709552e+19)),
            (
                "[1234567890123456789,-9223372036854775808,18446744073709551616,-9223372036854775809]",
                [
                    1_234_567_890_123_456_789, .integer(.min), .number(1.8446744073709552e+19),
                    .number(-9.223372036854776e+18),
                ]
            ),
            ("[1,18446744073709551616,2.5]", [1, .number(1.8446744073709552e+19), 2.5]),
            (
                "{\"18446744073709551616\":\"\\\"18446744073709551616\"}",
                ["18446744073709551616": "\"18446744073709551616"]
            ),
            ("[9223372036854775807]", [.integer(.max)]), ("[\"18446744073709551616\",1]", ["18446744073709551616", 1]),
        ] as [(String, JSONValue)])
    func `a whole number beyond 64 bits is a double`(text: String, expected: JSONValue) throws {
        #expect(try value(text) == expected)
    }

    @Test(arguments: ["[18446744073709551616", "[18446744073709551616,\"\\ud83c\"]", "018446744073709551616", "1 2"])
    func `what is not JSON is an error`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try value(text) }
    }
}
