import JSONText
import Testing

struct JSONScannerTests {
    private func value(in text: some Sequence<UInt8>) throws(JSONFault) -> (place: Range<Int>, leaves: Int) {
        let bytes = Array(text)
        let found: Result<(place: Range<Int>, leaves: Int), JSONFault> = bytes.withUnsafeBytes { buffer in
            do throws(JSONFault) { return .success(try JSONScanner.value(in: buffer)) } catch { return .failure(error) }
        }
        return try found.get()
    }

    @Test(arguments: [
        ("1", 0..<1, 1), (" [ ] ", 1..<4, 0), ("{}", 0..<2, 0), ("null", 0..<4, 0),
        (#"{"a":[1,true,null,"x"]}"#, 0..<23, 3),
        ("\u{FEFF}\"ä\"\n", 3..<7, 1), (#""\"\\\/\b\f\n\r\t\u00e4\ud83c""#, 0..<30, 1), ("-0.5e+10", 0..<8, 1),
        ("0", 0..<1, 1),
        ("{ \"a\" : { \"b\" : -1 } , \"c\" : [ 2 , 3 ] }", 0..<40, 3),
    ]) func `what is JSON is found`(_ text: String, _ place: Range<Int>, _ leaves: Int) throws {
        let found = try value(in: text.utf8)
        #expect(found.place == place && found.leaves == leaves)
    }

    @Test(arguments: [
        ("", 1, 1, "too early"), ("  \n ", 2, 2, "too early"), ("{", 1, 2, "too early"),
        (#"{"a":1"#, 1, 7, "too early"),
        (#"{"a":1}}"#, 1, 8, "nothing may follow"), ("[1,]", 1, 4, "a value"), (#"{"a":1,}"#, 1, 8, "a key"),
        ("[1 2]", 1, 4, "a comma"),
        (#"{"a" 1}"#, 1, 6, "a colon"), ("{a:1}", 1, 2, "a key"), ("01", 1, 1, "not a number"),
        ("1.", 1, 1, "not a number"),
        ("-", 1, 1, "not a number"), ("1e", 1, 1, "not a number"), ("tru", 1, 1, "a value"), ("NaN", 1, 1, "a value"),
        ("{\"ä\":1,\n \"b\":\"x}", 2, 6, "does not end"), (#""\x""#, 1, 2, "escape"), (#""\u12g4""#, 1, 2, "four hex"),
        ("\"a\tb\"", 1, 3, "control"), ("// x\n1", 1, 1, "a value"),
        (String(repeating: "[", count: 100_000), 1, 65, "too deep"),
    ]) func `what is no JSON is refused with its place`(_ text: String, _ line: Int, _ column: Int, _ message: String) {
        let error = #expect(throws: JSONFault.self) { try value(in: text.utf8) }
        #expect(error?.line == line && error?.column == column, "\(String(describing: error))")
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test func `what is not UTF-8 is refused`() {
        #expect(throws: JSONFault.self) { try value(in: [0x22, 0xC3, 0x28, 0x22]) }
    }

    @Test func `members are named by key or index`() throws {
        let text = Array(#" {"a":[10, {"x":1}],"b\"c":null} "#.utf8)
        try text.withUnsafeBytes { bytes in
            let place = try JSONScanner.value(in: bytes).place
            let members = try #require(try JSONScanner.members(at: place, in: bytes))
            #expect(members.map { String(decoding: $0.key, as: UTF8.self) } == ["a", #"b\"c"#])
            let inner = try #require(try JSONScanner.members(at: members[0].value, in: bytes))
            #expect(inner.map { String(decoding: $0.key, as: UTF8.self) } == ["0", "1"])
            #expect(inner.map { String(decoding: bytes[$0.value], as: UTF8.self) } == ["10", #"{"x":1}"#])
            #expect(try JSONScanner.members(at: inner[0].value, in: bytes) == nil)
        }
    }
}
