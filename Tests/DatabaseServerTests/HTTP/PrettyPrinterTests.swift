import Testing

@testable import DatabaseServer

struct PrettyPrinterTests {
    static let layouts: [(String, String)] = [
        ("1", "1"), ("{}", "{}"), ("[]", "[]"), (#""a\"{,:""#, #""a\"{,:""#),
        (#"{"a":1}"#, "{\n  \"a\" : 1\n}"),
        (
            #"{"a":[1,null,{"b":{}}],"c":"x\\"}"#,
            "{\n  \"a\" : [\n    1,\n    null,\n    {\n      \"b\" : {}\n    }\n  ],\n  \"c\" : \"x\\\\\"\n}"
        ),
    ]

    @Test(arguments: layouts, 1...7) func `text is laid out however it is cut`(
        _ example: (String, String), _ size: Int
    ) {
        var layout = PrettyPrinter()
        var out: [UInt8] = []
        let text = Array(example.0.utf8)
        for start in stride(from: 0, to: text.count, by: size) {
            out += layout.text(Array(text[start..<min(start + size, text.count)]))
        }
        #expect(String(decoding: out, as: UTF8.self) == example.1)
    }
}
