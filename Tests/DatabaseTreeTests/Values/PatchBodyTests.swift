import FirebaseWire
import SyncModel
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
