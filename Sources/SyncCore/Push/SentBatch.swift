internal import SyncModel

/// What was sent of a record.
struct Sent: Sendable {
    var id: RecordID
    /// Where the state has the record, in a batch.
    var row: Int64?
    /// The version; nil for a delete.
    var content: StampedContent?
    var stamp: Stamp
    /// The tombstone that went with it.
    var tombstone: KnownTombstone?
    /// Whether it went out without a condition.
    var isFirstAttempt: Bool
    /// How many elements of a batch it makes.
    var elementCount = 1
    /// Whether it changes what stands among the records, and not the tombstone alone.
    var isShown = true

    /// About how many bytes it takes in a request.
    var size: Int { (content?.content.text.count ?? 0) + 256 * max(1, elementCount) }
}

/// The records of one batch, and the elements that go out for them, in the same order.
struct SentBatch: Sendable {
    private(set) var records: [Sent] = []
    private(set) var elements: [BatchElement] = []
    /// About how many bytes it takes in a request.
    private(set) var size = 0

    static let most = 1000
    private static let mostBytes = 128 << 10

    var isEmpty: Bool { records.isEmpty }
    /// Whether nothing more should go with it. The last record may make it larger than that by its own size: whoever keeps it
    /// back would have to send it alone.
    var isFull: Bool { records.count >= SentBatch.most || size >= SentBatch.mostBytes }

    /// - Parameter elements: as many as `sent` makes.
    mutating func append(_ sent: Sent, _ elements: some Sequence<BatchElement>) {
        records.append(sent)
        self.elements.append(contentsOf: elements)
        size += sent.size
    }

    /// The record at a place by itself.
    func only(_ place: Int) -> SentBatch {
        let start = records[..<place].reduce(0) { $0 + $1.elementCount }
        var only = SentBatch()
        only.append(records[place], elements[start..<start + records[place].elementCount])
        return only
    }

    /// The records that `isKept` is true of.
    func filtered(_ isKept: (RecordID) throws -> Bool) rethrows -> SentBatch {
        var kept = SentBatch()
        var start = 0
        for sent in records {
            if try isKept(sent.id) { kept.append(sent, elements[start..<start + sent.elementCount]) }
            start += sent.elementCount
        }
        return kept
    }

    /// The first and the second half of the records.
    var halves: [SentBatch] {
        var halves = [SentBatch(), SentBatch()]
        var start = 0
        for (index, sent) in records.enumerated() {
            halves[index < records.count / 2 ? 0 : 1].append(sent, elements[start..<start + sent.elementCount])
            start += sent.elementCount
        }
        return halves
    }
}
