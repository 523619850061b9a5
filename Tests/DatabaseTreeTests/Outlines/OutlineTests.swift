import FirebaseWire
import SyncModel
import Testing

@testable import DatabaseTree

struct OutlineTests {
    /// What is noted of a large object or array beside its text, in times of the text.
    private func cost(_ text: String) throws -> Double {
        let outline = try Outline(put: Array(text.utf8), at: .root)
        guard case .value(.large(let index), _) = outline.content else { return 0 }
        return Double(index.noted) / Double(text.utf8.count)
    }

    @Test(arguments: [
        ("1,", 0.1), ("true,", 0.1), (#""","#, 0.1), ("[1],", 0.1), ("{},1,", 0.1), ("[[[1]],2],", 0.1),
    ]) func `an array costs little more than its text`(_ elements: String, _ limit: Double) throws {
        let text = "[\(String(repeating: elements, count: 100_000))1]"
        #expect(try cost(text) < limit)
    }

    @Test func `a short member costs less than its text`() throws {
        let members = (0..<100_000).map { #""\#(String($0, radix: 36))":1"# }
        #expect(try cost("{\(members.joined(separator: ","))}") < 0.6)
        #expect(try cost("{\(members.shuffled().joined(separator: ","))}") < 0.6)
    }

    @Test func `what stores nothing costs nothing`() throws {
        let members = (0..<10_000).map { #""k\#($0)":{"a":{}}"# }
        #expect(try cost("{\(members.joined(separator: ","))}") == 0)
    }

    @Test func `of nested arrays each is noted once`() throws {
        let inner = "[\(String(repeating: "1,", count: 10_000))1]"
        #expect(try cost("[\(Array(repeating: inner, count: 20).joined(separator: ","))]") < 0.1)
    }

    @Test(arguments: [
        (#"{".sv":[\#(String(repeating: "1,", count: 10_000))1]}"#, Refusal.unknownServerValue),
        (#"{".priority":[\#(String(repeating: "1,", count: 10_000))1]}"#, .invalidPriority),
        (#"{".value":[\#(String(repeating: "1,", count: 10_000))1]}"#, .valueIsNoPrimitive),
        (#"{".value":[\#(String(repeating: "1,", count: 10_000))}"#, .invalidJSON),
        (#"{".value":1,\#((0..<5000).map { #""k\#($0)":1"# }.joined(separator: ","))}"#, .valueBesideChildren),
        ("\"\(String(repeating: "é", count: 5 << 20))x\"", .stringTooLong),
        ("\"\(String(repeating: "x", count: 9000))", .invalidJSON),
        (String(repeating: "1", count: 9000), .invalidJSON),
        ("[\(String(repeating: "[", count: 40_000))", .invalidJSON),
        (
            String(repeating: "[", count: 33) + String(repeating: "1,", count: 9000) + "1"
                + String(repeating: "]", count: 33), .tooDeep
        ),
        ("", .noData),
    ]) func `a large piece that can't be stored is refused`(_ text: String, _ refusal: Refusal) {
        let thrown = #expect(throws: Refusal.self) { try Outline(put: Array(text.utf8), at: .root) }
        #expect(thrown == refusal)
    }

    @Test(arguments: ["", "x", "\\u00e9", "\\ud83c\\udfac", "\\n", "é", "🎬", "\\\\"])
    func `a large string is read in pieces`(
        _ letter: String
    ) throws {
        for shift in 0..<12 {
            let text =
                "\"\(String(repeating: "a", count: OutlineReader.run - shift))\(String(repeating: letter, count: 3000))\""
            let outline = try Outline(put: Array(text.utf8), at: .root)
            let whole = try Array(text.utf8).withUnsafeBufferPointer { try PutBody($0, depth: 0) }
            #expect(.leaf(Outlook(of: outline, on: Root(""), now: 0).leaf ?? .null) == whole.value)
        }
    }

    @Test(arguments: [
        "[1,2]", "7", "\"\(String(repeating: "x", count: 9000))\"", "[\(String(repeating: "1,", count: 9000))1]",
    ])
    func `a patch is an object`(_ text: String) {
        let thrown = #expect(throws: Refusal.self) { try Outline(patch: Array(text.utf8), at: .root) }
        #expect(thrown == .notAnObject)
    }

    @Test func `a patch of null is none`() throws {
        #expect(try Outline(patch: Array(" null ".utf8), at: .root) == nil)
    }
}

extension OutlineIndex {
    /// In bytes.
    fileprivate var noted: Int {
        (places.capacity + numbers.capacity) * 4 + large.indexes.values.reduce(0) { $0 + $1.noted }
    }
}
