import FirebaseWire
import TestSupport
import Testing

@testable import DatabaseTree

struct MemberCutTests {
    private func pieces(_ text: String, _ size: Int) -> [String]? {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBufferPointer { buffer -> [String]? in
            let range = LargeValueReader.trimmed(buffer)
            guard var cut = MemberCut(buffer, in: range, size: size) else { return nil }
            var pieces: [String] = []
            while let piece = cut.next() {
                func text(_ range: Range<Int>) -> String { String(decoding: buffer[range], as: UTF8.self) }
                switch piece {
                case .run(let range): pieces.append(text(range))
                case .large(let key, let value): pieces.append("\(key.map(text) ?? "") → \(text(value))")
                }
            }
            return cut.isFinished ? pieces : nil
        }
    }

    @Test(
        arguments: [
            (#"{"a":1,"b":2}"#, 5, [#""a":1"#, #""b":2"#]), (#"{"a":1,"b":2}"#, 100, [#""a":1,"b":2"#]),
            (#" { "a" : {"x":[1,"}"]} , "b\"":"," } "#, 8, [#""a" → {"x":[1,"}"]}"#, #""b\"" → ",""#]),
            (#"{"a":1,"b":[1,2,3,4],"c":3}"#, 8, [#""a":1"#, #""b" → [1,2,3,4]"#, #""c":3"#]),
            ("[1, 2 ,[3]]", 3, ["1, 2 ", "[3]"]), ("[[1,2],3]", 3, [" → [1,2]", "3"]), ("[]", 1, []), ("{ }", 1, []),
            ("", 1, nil), ("1", 1, nil), (#"{"a":1"#, 9, nil), (#"{"a":1,}"#, 9, nil), (#"{"a":1}x"#, 9, nil),
            (#"{"a"}"#, 9, nil), (#"{"a":}"#, 9, nil), (#"{"a\"#, 9, nil), (#"{"a":"#, 9, nil), (#"{a:1}"#, 9, nil),
            (#"{"a":1 "b":2}"#, 99, [#""a":1 "b":2"#]), ("[1,]", 9, nil), ("[1", 9, nil), ("{\"a\":1]", 9, nil),
        ] as [(String, Int, [String]?)]) func `text is cut between its members`(
            _ text: String, _ size: Int, _ expected: [String]?
        )
    {
        #expect(pieces(text, size) == expected)
    }
}
