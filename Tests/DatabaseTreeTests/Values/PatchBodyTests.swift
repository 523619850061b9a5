import FirebaseWire
import SyncModel
import TestSupport
import Testing

@testable import DatabaseTree

struct PatchBodyTests {
    private func patch(_ text: String, base: WirePath = .root) throws -> PatchBody? {
        try Array(text.utf8).withUnsafeBufferPointer { try PatchBody($0, base: base) }
    }

    @Test func `entries come in the order of their paths, priorities last`() throws {
        let patch = try #require(try patch(#"{"b":1,"a/x":null,"a/.priority":5,"a/b/c":true,".priority":"p"}"#))
        #expect(patch.entries.map(\.path.text) == ["a/b/c", "a/x", "b", ".priority", "a/.priority"])
        #expect(patch.entries[1].value == .null)
        #expect(patch.hasPriorities && !patch.hasServerValues)
    }

    @Test func `paths of any keys come in the order of their bytes, or overlap`() throws {
        var random = SeededRandom(11)
        func key() -> WireKey {
            let letters = (0..<Int.random(in: 1...11, using: &random)).map { _ in
                String(Unicode.Scalar(UInt8(Bool.random(using: &random) ? 0x61 : 0x62)))
            }
            let beginning = Bool.random(using: &random) ? "aaaaaaa" : ""
            return WireKey(unchecked: beginning + letters.joined())
        }
        for _ in 0..<300 {
            let paths = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                WirePath((0..<Int.random(in: 1...3, using: &random)).map { _ in key() })
            }
            let overlaps = paths.indices.contains { index in
                paths.indices.contains { $0 != index && paths[index].contains(paths[$0]) }
            }
            let ordered = Result { () throws(Refusal) in try PatchBody.ordered(paths) { $0 } }
            if overlaps {
                #expect(throws: Refusal.self) { try ordered.get() }
            } else {
                #expect(try ordered.get() == paths.sorted())
            }
        }
    }

    @Test func `null is no patch`() throws {
        #expect(try patch(" null ") == nil)
        #expect(try patch("{}")?.entries.isEmpty == true)
    }

    @Test(
        arguments: [
            #"{"a":1,"a/b":2}"#, #"{"a/b":1,"/a/b/":2}"#, #"{"a":1,"a!":3,"a/b/c":2}"#, #"{"":1}"#, #"{"a.b":1}"#,
            #"{"a":{"b/c":1}}"#, #"{"a":{"$":1}}"#, #"{"a":1,"a/.priority":2}"#, #"{".priority":true}"#,
            #"{".value":1}"#, #"{".sv":"timestamp"}"#, #"{"a/.priority/b":1}"#, "[1]", "1", #""text""#, "", "{",
        ]
    ) func `what can't be one update is refused`(_ body: String) {
        #expect(throws: Refusal.self) { try patch(body) }
    }

    @Test func `depth counts from the root of the database`() throws {
        let base = WirePath((0..<30).map { WireKey(unchecked: "k\($0)") })
        _ = try patch(#"{"a/b":1,"a/c":{".priority":1,".value":2}}"#, base: base)
        #expect(throws: Refusal.tooDeep) { try patch(#"{"a/b/c":1}"#, base: base) }
        #expect(throws: Refusal.tooDeep) { try patch(#"{"a/b":{"c":1}}"#, base: base) }
    }
}
