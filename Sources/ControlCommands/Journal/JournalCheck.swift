internal import JSONText
internal import JournalTail
internal import PluginKit
internal import SyncModel

/// Reads a journal, chunk by chunk, as the daemon does, as far as that can be done without its state; keeps what is
/// wrong with its lines.
struct JournalCheck: Sendable {
    struct BadLine: Codable, Hashable, Sendable {
        /// Counted from 1.
        var line: Int
        /// Where the line begins, in bytes.
        var offset: UInt64
        /// With its line end.
        var length: Int
        var code: String
        var message: String
    }

    /// How many lines there are, blank ones included.
    private(set) var lines = 0
    private(set) var bad: [BadLine] = []
    /// Lines that are good, but have keys that mean nothing.
    private(set) var odd: [BadLine] = []
    private var framing = JournalFraming()
    /// What the good lines say, where that is wanted.
    private(set) var tally: JournalTally?
    private let keys: KeyTemplates

    /// - Parameters:
    ///   - keys: what the keys of each collection are made of.
    ///   - tally: counts what the good lines say.
    init(_ keys: KeyTemplates, tally: JournalTally? = nil) {
        self.keys = keys
        self.tally = tally
    }

    /// Takes the next bytes of the file.
    mutating func read(_ chunk: [UInt8]) {
        let start = framing.fed
        var counted = 0
        framing.add(chunk)
        while let element = framing.next() {
            // A line that ends in this chunk: its number is how many have ended so far.
            let end = Int(framing.consumed - start)
            lines += JournalCheck.newlines(chunk[counted..<end])
            counted = end
            keep(element)
        }
        lines += JournalCheck.newlines(chunk[counted...])
    }

    /// Whether the file ends in the middle of a line: the daemon waits for its end.
    var isUnfinished: Bool { framing.fed > framing.consumed }

    private mutating func keep(_ element: JournalElement) {
        switch element {
        case .line(let line):
            do throws(Defect) {
                let operation = try Operation(line: line.bytes, keys: keys)
                if !operation.ignoredKeys.isEmpty { odd.append(oddity(operation, line.offset, line.length)) }
                tally?.add(operation)
            } catch {
                keep(error, line.offset, line.length)
            }
        case .rejected(let defect, let offset, let length, _):
            keep(defect, offset, length)
        }
    }

    private func oddity(_ operation: Operation, _ offset: UInt64, _ length: Int) -> BadLine {
        let words = operation.ignoredKeys.map { key in
            if key == "fields" { return "a delete has no fields" }
            return "no line has a key \"\(key)\"" + NearestName.hint(for: key, among: Operation.lineKeys)
        }
        return BadLine(
            line: lines, offset: offset, length: length, code: "ignoredKey", message: words.joined(separator: "; "))
    }

    private mutating func keep(_ defect: Defect, _ offset: UInt64, _ length: Int) {
        bad.append(
            BadLine(line: lines, offset: offset, length: length, code: defect.code.word, message: defect.message)
        )
    }

    private static func newlines(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 == UInt8(ascii: "\n") } }
}
