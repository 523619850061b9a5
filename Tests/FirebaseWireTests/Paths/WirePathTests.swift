import Testing

@testable import FirebaseWire

struct WirePathTests {
    @Test(arguments: [("", "/"), ("/", "/"), ("a/b", "/a/b"), ("//a//b/", "/a/b")])
    func `slashes separate keys`(_ text: String, _ path: String) throws {
        #expect(try WirePath(parsing: text).description == path)
    }

    @Test(arguments: ["a.b", "a/$b", "#", "[", "a]", "a\nb", "a\u{7f}", String(repeating: "é", count: 385)])
    func `what can't be a key is refused`(_ text: String) {
        #expect(throws: WirePathError.invalidKey) { try WirePath(parsing: text) }
    }

    @Test func `two spellings of one letter are two keys, in byte order`() {
        let composed = WireKey(unchecked: "\u{e9}")
        let decomposed = WireKey(unchecked: "e\u{301}")
        #expect(composed != decomposed && decomposed < composed)
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test func `keys sort as numbers first`() {
        let keys = ["b", "10", "9", "-3", "a", "007", "7", "2147483648", "1x"].map { WireKey(unchecked: $0) }
        let sorted = keys.sorted(by: WireKey.precedesInKeyOrder).map(\.text)
        #expect(sorted == ["-3", "7", "007", "9", "10", "1x", "2147483648", "a", "b"])
    }

    @Test(arguments: [("0", 0), ("17", 17), ("01", nil), ("-1", nil), ("", nil), ("1x", nil), ("12345678901", nil)])
    func `an array index has one spelling`(_ text: String, _ index: Int?) {
        #expect(WireKey(unchecked: text).arrayIndex == index)
    }

    @Test func `a path knows what is below it`() throws {
        let base = try WirePath(parsing: "a/b")
        let below = try WirePath(parsing: "a/b/c")
        #expect(base.contains(below) && base.contains(base) && !below.contains(base))
        #expect(base.relative(below)?.text == "c" && below.relative(base) == nil)
    }
}
