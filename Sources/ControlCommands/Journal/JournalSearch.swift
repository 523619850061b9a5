internal import JSONText
internal import JournalTail
internal import PluginKit
internal import SyncModel

/// Finds the lines of a journal that are about one record, or are one edit.
struct JournalSearch: Sendable {
    struct Line: Sendable {
        /// Where it begins, in bytes.
        var offset: UInt64
        var operation: Operation
    }

    /// The most lines that are kept: the last ones.
    static let most = 20

    private(set) var lines: [Line] = []
    /// How many there were.
    private(set) var found = 0
    private let word: String
    private var framing = JournalFraming()

    /// - Parameter word: an `opID`, or the beginning of a record's id, in any case.
    init(for word: String) { self.word = word.uppercased() }

    /// Takes the next bytes of the file.
    mutating func read(_ chunk: [UInt8]) {
        framing.add(chunk)
        while let element = framing.next() {
            guard case .line(let line) = element, let operation = try? Operation(line: line.bytes, keys: .uuids) else {
                continue
            }
            guard operation.key.id.description.hasPrefix(word) || operation.opID?.uppercased() == word else { continue }
            found += 1
            if lines.count == JournalSearch.most { lines.removeFirst() }
            lines.append(Line(offset: line.offset, operation: operation))
        }
    }
}
