internal import Synchronization

/// Which rows a table may have, so that most of those that are not there are known without a look into it: for a new
/// record that look takes longer than all that is worked out about it.
///
/// Until ``complete()`` any row may be there. What is added by a transaction that is taken back stays: the table is looked
/// into then.
final class PresenceFilter: Sendable {
    private struct State: Sendable {
        var rows = BloomFilter()
        var isComplete = false
    }

    private let state = Mutex(State())

    /// False where the table does not have the row, in any transaction.
    func mayContain(_ row: UInt64) -> Bool {
        state.withLock { !$0.isComplete || $0.rows.mayContain(row) }
    }

    /// To be called for each row before it is written.
    func insert(_ row: UInt64) { state.withLock { $0.rows.insert(row) } }

    /// Says that all rows were added: those that were there at first, and those that came meanwhile.
    func complete() { state.withLock { $0.isComplete = true } }
}
