import JSONText
import SyncModel
import Testing

struct CanonicalMembersTests {
    /// What `text` is with a member of each of these names among its own.
    private func merged(_ text: [UInt8], _ names: [String]) -> [UInt8] {
        var members = CanonicalMembers(text)
        var out: [UInt8] = [UInt8(ascii: "{")]
        for name in names {
            members.append(before: name, to: &out)
            JSONWriter.append(name, to: &out)
            out += Array(":0,".utf8)
        }
        members.appendRest(to: &out)
        return out.dropLast() + [UInt8(ascii: "}")]
    }

    private static let objects: [[String: JSONValue]] = [
        [:], ["a": 1], ["Z": "A", "a": ["_": 1, "z": [1, ["}": "{"]]], "z": "\"},{\\"],
        ["\\": "slash", "é": "ü🎬", "~": nil], ["": [], "_s": [:], "_z": true, "__": -1.5e-7],
    ]

    @Test(
        arguments: objects,
        [["_t"], ["_t", "_v", "identifier"], ["A", "m", "zz", "ÿ"], ["\u{1}", "~~"]])
    func `members stand in the order of their keys`(object: [String: JSONValue], names: [String]) {
        let all = object.merging(names.map { ($0, 0) }) { $1 }
        #expect(merged(JSONWriter.text(object), names) == JSONWriter.text(all))
    }

    @Test func `none is lost, however it is spelled`() throws {
        let object: [String: JSONValue] = ["\"": 1, "\n": ["\"": "\\"], "a": "\"}", "\\\"": []]
        let text = merged(JSONWriter.text(object), ["!", "b"])
        #expect(try JSONReader.members(text) == object.merging(["!": 0, "b": 0]) { $1 })
    }

    @Test func `a text that is cut anywhere is no crash`() {
        let text = JSONWriter.text(["a": ["b": "c\\\"", "d": [1, 2]], "z": "y"])
        for length in 2...text.count { _ = merged(Array(text.prefix(length)), ["_t", "b", "zz"]) }
    }
}
