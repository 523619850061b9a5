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
    /// The same in upper case.
    private let id: String
    private let keys: KeyTemplates
    private var framing = JournalFraming()

    /// - Parameters:
    ///   - word: an `opID`, or the beginning of a record's id, in any case; or a key that is made of fields.
    ///   - keys: what the keys of each collection are made of.
    init(for word: String, _ keys: KeyTemplates) {
        self.word = word
        id = word.uppercased()
        self.keys = keys
    }

    /// Takes the next bytes of the file.
    mutating func read(_ chunk: [UInt8]) {
        framing.add(chunk)
        while let element = framing.next() {
            guard case .line(let line) = element, let operation = try? Operation(line: line.bytes, keys: keys),
                isMeant(operation)
            else { continue }
            found += 1
            if lines.count == JournalSearch.most { lines.removeFirst() }
            lines.append(Line(offset: line.offset, operation: operation))
        }
    }

    private func isMeant(_ operation: Operation) -> Bool {
        let key = operation.key
        if key.id.description.hasPrefix(id) || operation.opID?.uppercased() == id { return true }
        return keys[key.collection]?.isKeyed == true && key.id == .named(word, in: key.collection)
    }
}
