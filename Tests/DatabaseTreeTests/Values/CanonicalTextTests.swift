import FirebaseWire
import JSONText
import SyncModel
import Testing

@testable import DatabaseTree

struct CanonicalTextTests {
    static let values: [JSONValue] = [
        ["a": 1, "b": ["c": "x,y:{}[]\"\\", "d": true]], [1, nil, "x", ["k": 2]], "text", 7,
        ["a\"b\\c": [1, 2, 3], "é": [:]],
        ["1": "x", "2": "y"], ["7": "x"], ["0": ["1": 5]], ["01": 1], ["x": [nil, nil, nil, 4]],
        ["a": ["b": ["c": ["d": 1.5]]]],
    ]

    @Test(arguments: values) func `members and joining undo each other`(_ value: JSONValue) throws {
        let text = try #require(value.pruned.map { JSONWriter.text($0) })
        let members = CanonicalText.members(text[...])
        let sorted = members.sorted { $0.key < $1.key }
        #expect(CanonicalText.isLeaf(text[...]) ? members.isEmpty : CanonicalText.joined(sorted) == text)
        for member in members {
            #expect(CanonicalText.value(at: [member.key], in: text[...]) == member.text)
            #expect((try? JSONReader.value(member.text)) != nil)
        }
    }

    @Test func `a value deep in the text is found`() throws {
        let text = try #require(CanonicalTextTests.values[0].pruned.map { JSONWriter.text($0) })
        let found = CanonicalText.value(at: try WirePath(parsing: "b/c").keys[...], in: text[...])
        #expect(try JSONReader.value(try #require(found)) == #"x,y:{}[]"\"#)
        #expect(CanonicalText.value(at: try WirePath(parsing: "b/none").keys[...], in: text[...]) == nil)
        #expect(CanonicalText.value(at: try WirePath(parsing: "a/b").keys[...], in: text[...]) == nil)
    }

    @Test func `a text has little room for more`() throws {
        for length in 100..<400 {
            let title = JSONValue.string(String(repeating: "x", count: length))
            let value = WriteValue.object([.init(WireKey(unchecked: "title"), .leaf(title))])
            let text = try #require(value.canonicalText)
            #expect(text.capacity <= text.count + text.count / 4)
        }
    }

    @Test(arguments: ["{", "[", "{\"a", "{\"a\":", "{\"a\":[1,", "\"", "", "}{", "[,]", "{:}"])
    func `broken text never traps`(_ text: String) {
        let bytes = Array(text.utf8)
        _ = CanonicalText.members(bytes[...])
        _ = CanonicalText.value(at: [WireKey(unchecked: "a"), WireKey(unchecked: "b")], in: bytes[...])
    }
}
