import SyncModel
import Testing

@testable import SyncCore

/// A batch that was refused is sent again in halves.
struct SentBatchTests {
    private static let movies: CollectionID = "movies"

    /// A record of a batch, with as many elements as a write or a delete makes.
    private func append(_ number: UInt64, elements count: Int, to batch: inout SentBatch) {
        let id = RecordID(high: 0, low: number)
        let keyspaces: [Keyspace] = [.tombstones(Self.movies), .records(Self.movies)]
        let elements = keyspaces.suffix(count).map {
            BatchElement(keyspace: $0, key: id.description, write: nil)
        }
        var sent = Sent(id: id, stamp: .zero, isFirstAttempt: false)
        sent.elementCount = count
        batch.append(sent, elements)
    }

    @Test func `each half has the elements of its own records`() {
        var batch = SentBatch()
        for (number, count) in [1, 2, 1, 0, 2].enumerated() { append(UInt64(number), elements: count, to: &batch) }
        let halves = batch.halves
        #expect(halves.map { $0.records.map(\.id.low) } == [[0, 1], [2, 3, 4]])
        let keys = halves.map { half in half.elements.map { RecordID($0.key)?.low } }
        #expect(keys == [[0, 1, 1], [2, 4, 4]])
        #expect(halves.map(\.size).reduce(0, +) == batch.size)
    }
}
