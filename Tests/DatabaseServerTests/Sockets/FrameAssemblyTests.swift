import HTTPListening
import NIOCore
import TestSupport
import Testing

@testable import DatabaseServer

struct FrameAssemblyTests {
    /// What the frames come to: messages, and why it ends.
    private func taken(_ frames: [String]) -> [String] {
        var assembly = FrameAssembly(limit: 100)
        var found: [String] = []
        for frame in frames {
            switch assembly.take(ByteBuffer(string: frame)) {
            case .none: continue
            case .message(let text): found.append(String(buffer: text))
            case .broken(let reason): found.append("\(reason.code)")
            }
        }
        return found + (assembly.isBegun ? ["begun"] : [])
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var frames: [String]
        var found: [String]
    }

    static let cases = [
        Case(testDescription: "a message by itself", frames: ["{}", "{\"a\":1}"], found: ["{}", "{\"a\":1}"]),
        Case(testDescription: "signs of life", frames: ["0", "0", "{}", "0"], found: ["{}"]),
        Case(testDescription: "two pieces", frames: ["2", "{\"a\"", ":1}", "{}"], found: ["{\"a\":1}", "{}"]),
        Case(testDescription: "one piece that is told of", frames: ["1", "{}"], found: ["{}"]),
        Case(testDescription: "a piece that looks like a number", frames: ["3", "[", "0", "]"], found: ["[0]"]),
        Case(testDescription: "pieces that are missing", frames: ["3", "a", "b"], found: ["begun"]),
        Case(testDescription: "many small pieces", frames: ["1024"], found: ["begun"]),
        Case(testDescription: "more pieces than can be", frames: ["1025"], found: ["1009"]),
        Case(testDescription: "the most digits", frames: ["999999"], found: ["1009"]),
        Case(testDescription: "a longer number is a message", frames: ["1000000"], found: ["1000000"]),
        Case(
            testDescription: "no number", frames: ["-1", "1.", " 1", "", "1e3"], found: ["-1", "1.", " 1", "", "1e3"]),
        Case(
            testDescription: "a message that is too long", frames: [String(repeating: "x", count: 101)],
            found: ["1009"]),
        Case(
            testDescription: "pieces that are too long together",
            frames: ["2", String(repeating: "x", count: 60), String(repeating: "x", count: 41)],
            found: ["1009", "begun"]),
    ]

    @Test(arguments: cases) func `frames become messages`(_ test: Case) {
        #expect(taken(test.frames) == test.found)
    }

    @Test(arguments: [0, 1, 100, 16_384, 16_385, 40_000]) func `a message is cut between characters`(_ count: Int) {
        for character in ["x", "é", "€", "😀"] {
            let text = String(repeating: "x", count: count % 5) + String(repeating: character, count: count)
            var out = ByteBuffer()
            SocketPieces.append(Array(text.utf8), to: &out)
            var frames: [String] = []
            while let frame = SocketFrameText.next(&out) { frames.append(frame) }
            if text.utf8.count > SocketPieces.size {
                #expect(Int(frames.removeFirst()) == frames.count)
                #expect(frames.count > 1)
            }
            #expect(frames.allSatisfy { $0.utf8.count <= SocketPieces.size })
            #expect(frames.joined() == text)
        }
    }

    @Test func `a text that comes in parts is cut as a whole one is`() {
        var random = SeededRandom(7)
        let bytes = Array(String(repeating: "a€😀", count: 9000).utf8)
        for _ in 0..<20 {
            var (pieces, found) = (SocketPieces(), [[UInt8]]())
            let sizes = (0..<5).map { _ in Int.random(in: 1...50_000, using: &random) }
            for part in Pieces(bytes, sizes: sizes) { pieces.take(part) { found.append(Array($0)) } }
            if let last = pieces.finish() { found.append(Array(last)) }
            #expect(found.flatMap(\.self) == bytes)
            #expect(found.allSatisfy { $0.count <= SocketPieces.size && String(validating: $0, as: UTF8.self) != nil })
        }
    }
}

/// Reads frames that a server has made.
enum SocketFrameText {
    static func next(_ bytes: inout ByteBuffer) -> String? {
        guard bytes.readInteger(as: UInt8.self) == 0x81, let length = bytes.readInteger(as: UInt8.self) else {
            return nil
        }
        let count = length < 126 ? Int(length) : Int(bytes.readInteger(as: UInt16.self) ?? 0)
        return bytes.readString(length: count)
    }
}
