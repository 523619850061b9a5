import FirebaseWire
import TestSupport
import Testing

@testable import DatabaseTree

struct MemberCutTests {
    private func runs(_ text: String, _ size: Int) -> [String]? {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBufferPointer { buffer -> [String]? in
            guard var cut = MemberCut(buffer) else { return nil }
            var runs: [String] = []
            while let range = cut.next(size) { runs.append(String(decoding: buffer[range], as: UTF8.self)) }
            return cut.isFinished ? runs : nil
        }
    }

    @Test(
        arguments: [
            (#"{"a":1,"b":2}"#, 1, [#""a":1"#, #""b":2"#]), (#" { "a" : {"x":[1,"}"]} , "b\"":"," } "#, 1, nil),
            (#"{"a":1,"b":2}"#, 100, [#""a":1,"b":2"#]), ("{}", 1, nil), ("[]", 1, nil), ("", 1, nil),
            (#"{"a":1"#, 1, nil),
            (#"{"a":1,}"#, 1, nil), (#"{"a":1}x"#, 1, nil), (#"{"a"}"#, 1, nil), (#"{"a":}"#, 1, nil),
            (#"{"a\"#, 1, nil),
            (#"{"a":1 "b":2}"#, 1, [#""a":1 "b":2"#]), (#"{"a":"#, 1, nil), (#"{a:1}"#, 1, nil),
        ] as [(String, Int, [String]?)]) func `an object is cut between its members`(
            _ text: String, _ size: Int, _ expected: [String]?
        )
    {
        guard text.hasPrefix(" ") else { return #expect(runs(text, size) == expected) }
        #expect(runs(text, size)?.count == 2)
    }

    @Test(arguments: 1...20) func `what is read in runs is what is read as a whole`(_ seed: Int) throws {
        var random = SeededRandom(UInt64(seed))
        let members = (0..<3000).map { number in
            let value =
                ["1", "null", #"{"b":[1,{"c":"}\""}]}"#, #"{".sv":"timestamp"}"#, #""\u00e9,{""#]
                .randomElement(using: &random) ?? "1"
            return
                #""k\#(number)\#(number.isMultiple(of: 7) ? "/x" : "")":\#(value)\#(String(repeating: " ", count: 50))"#
        }
        let text = Array("{\(members.shuffled(using: &random).joined(separator: ","))}".utf8)
        let base = try WirePath(parsing: "l")
        try text.withUnsafeBufferPointer { bytes in
            let whole = try #require(try PatchBody(bytes, base: base))
            var entries: [PatchBody.Entry] = []
            #expect(PatchBody.forEachRun(bytes, base: base) { entries += $0.entries })
            #expect(try PatchBody.ordered(entries, \.path) == whole.entries)
        }
    }
}
