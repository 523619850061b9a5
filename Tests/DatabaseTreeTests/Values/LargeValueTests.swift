import FirebaseWire
import SyncModel
import TestSupport
import Testing

@testable import DatabaseTree

/// What is read in pieces is what is read as a whole.
struct LargeValueTests {
    private static func value(_ random: inout SeededRandom, _ depth: Int) -> String {
        let leaves = ["1", "null", "true", #""\u00e9,{""#, "{}", "[]", "1.5e3", #"{".sv":"timestamp"}"#]
        switch Int.random(in: 0..<(depth > 3 ? 6 : 10), using: &random) {
        case 0..<5: return leaves.randomElement(using: &random) ?? "1"
        case 5:
            return [#"{".sv":{"increment":2}}"#, #"{".value":3,".priority":1}"#].randomElement(using: &random) ?? "2"
        case 6:
            let elements = (0..<Int.random(in: 0...9, using: &random)).map { _ in value(&random, depth + 1) }
            return "[ \(elements.joined(separator: " ,\n"))]"
        default:
            var members = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                #""k\#(Int.random(in: 0...12, using: &random))" : \#(value(&random, depth + 1)) "#
            }
            if Int.random(in: 0...9, using: &random) == 0 { members.append(#"".priority":"high""#) }
            return "{\(members.shuffled(using: &random).joined(separator: ","))}"
        }
    }

    /// What is stored, in one text; or why nothing is.
    private func outcome(_ body: () throws(Refusal) -> (PendingValue, hasPriorities: Bool)) -> String {
        do throws(Refusal) {
            let (value, hasPriorities) = try body()
            let node = value.resolved(now: 17) { $0.keys.count == 2 ? 40 : nil }
            return "\(String(decoding: node?.text ?? [], as: UTF8.self)) \(hasPriorities)"
        } catch {
            return "\(error)"
        }
    }

    private func whole(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        outcome { () throws(Refusal) in
            let body = try PutBody(bytes, depth: 1)
            return (PendingValue(body.value, hasServerValues: body.hasServerValues), body.hasPriorities)
        }
    }

    private func pieced(_ bytes: UnsafeBufferPointer<UInt8>, _ run: Int) -> String {
        outcome { () throws(Refusal) in
            var reader = LargeValueReader(bytes, large: 2 * run, run: run)
            return (try reader.value(depth: 1), reader.hasPriorities)
        }
    }

    @Test(arguments: 1...60) func `a value`(_ seed: Int) {
        var random = SeededRandom(UInt64(seed))
        for run in [4, 20, 200] {
            let text = Array(LargeValueTests.value(&random, 0).utf8)
            text.withUnsafeBufferPointer {
                #expect(pieced($0, run) == whole($0), "\(String(decoding: text, as: UTF8.self))")
            }
        }
    }

    @Test(arguments: [
        #"{"a":1,"b#":2,"c":{"d":[1,2,3]}}"#, #"{"a":{"b":1,\n"$":2},"c":3}"#, #"{"a":[1,{"x.y":5}],"b":6}"#,
        #"{"a":{".value":1,"b":2},"c":[4,5,6]}"#, #"{"a":1,"b":[2,3,4],"a":null}"#, #"{"a":12345678,".priority":true}"#,
        #"{".priority":"only","a":null,"b":null}"#, #"{".value":"a long text of its own",".priority":5}"#,
        #"{"a":{".sv":"unknown"},"b":[1,2,3,4]}"#,
    ]) func `what is odd is odd in the same words`(_ text: String) {
        Array(text.replacing("\\n", with: "\n").utf8).withUnsafeBufferPointer {
            #expect(pieced($0, 4) == whole($0))
        }
    }

    @Test(arguments: [
        (#"{"a":[1,{".sv":{"increment":2}}],"b":3}"#, true), (#"{"a":[1,{".sv":"timestamp"}],"b":3}"#, false),
    ])
    func `what adds to a number is told`(_ text: String, _ adds: Bool) throws {
        try Array(text.utf8).withUnsafeBufferPointer { bytes in
            var reader = LargeValueReader(bytes, large: 8, run: 4)
            _ = try reader.value(depth: 0)
            #expect(reader.hasIncrement == adds)
        }
    }

    @Test(arguments: ["{\"a\":[1,2,3,4", #"{"a":[1,2,3,4}}"#, "[1,2,3,4,5,6,7,8,]", #"{"a":1,"b":nul,"c":[1,2]}"#])
    func `what is no JSON is refused`(_ text: String) {
        Array(text.utf8).withUnsafeBufferPointer { #expect(pieced($0, 4) == "\(Refusal.invalidJSON)") }
    }

    @Test func `a small value in a large text is packed`() throws {
        let text = "{\(String(repeating: " ", count: 400))\"b\":1,\"a\":[null,2]}"
        try Array(text.utf8).withUnsafeBufferPointer { bytes in
            var reader = LargeValueReader(bytes, large: 64, run: 16)
            guard case .node(.packed(_, let stored)?) = try reader.value(depth: 0) else {
                Issue.record("it is no packed node")
                return
            }
            #expect(String(decoding: stored, as: UTF8.self) == #"{"a":[null,2],"b":1}"#)
        }
    }

    @Test(arguments: 1...20) func `a patch`(_ seed: Int) throws {
        var random = SeededRandom(UInt64(seed))
        let members = (0..<3000).map { number in
            let value = LargeValueTests.value(&random, 2)
            return
                #""k\#(number)\#(number.isMultiple(of: 7) ? "/x" : "")":\#(value)\#(String(repeating: " ", count: 50))"#
        }
        let large = #""large/one":{"list":[\#((0..<40_000).map(String.init).joined(separator: ","))]}"#
        let text = Array("{\((members + [large]).shuffled(using: &random).joined(separator: ","))}".utf8)
        let base = try WirePath(parsing: "l")
        try text.withUnsafeBufferPointer { bytes in
            let whole = try #require(try PatchBody(bytes, base: base))
            let pieced = try #require(try LargePatch(bytes, base: base))
            #expect(pieced.entries.map(\.path) == whole.entries.map(\.path))
            #expect(pieced.hasPriorities == whole.hasPriorities)
            #expect(pieced.hasIncrement)
            for (entry, other) in zip(pieced.entries, whole.entries) {
                let pending = PendingValue(other.value, hasServerValues: whole.hasServerValues)
                let (node, expected) = (
                    entry.value.resolved(now: 5) { _ in 1 }, pending.resolved(now: 5) { _ in 1 }
                )
                #expect(node?.text == expected?.text, "\(entry.path)")
            }
        }
    }

    @Test(arguments: [#"{"a":1,"b":}"#, #"{"a":1"#, #"{"a":1,"a/b":2}"#, #"{"a#":1}"#, #"{"":1}"#])
    func `a wrong patch is refused as the whole is`(_ text: String) throws {
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            let whole = #expect(throws: Refusal.self) { try PatchBody(bytes, base: .root) }
            let pieced = #expect(throws: Refusal.self) { try LargePatch(bytes, base: .root) }
            #expect(pieced == whole)
        }
        #expect(try Array("null".utf8).withUnsafeBufferPointer { try LargePatch($0, base: .root) } == nil)
    }
}
