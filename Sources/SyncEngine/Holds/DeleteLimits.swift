internal import LocalStore
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// The limits of deletes of all collections, for each direction.
final class DeleteLimits: Sendable {
    private struct Flow: Hashable {
        var collection: CollectionID
        var direction: Direction
    }

    private let limits = Mutex<[Flow: DeleteLimit]>([:])
    private let records: @Sendable (CollectionID) -> Int

    /// - Parameter records: how many live records a collection has now.
    init(records: @escaping @Sendable (CollectionID) -> Int) {
        self.records = records
    }

    /// Whether `deletes` records of the collection may be deleted now; if so they are counted.
    func admits(_ deletes: Int, _ collection: CollectionID, _ direction: Direction, now: UInt64) -> Bool {
        let live = records(collection)
        return limits.withLock {
            $0[Flow(collection: collection, direction: direction), default: DeleteLimit()]
                .admits(deletes: deletes, records: live, now: now)
        }
    }

    /// The hold for `deletes` of a collection that were not admitted.
    func hold(
        _ deletes: Int, _ collection: CollectionID, _ direction: Direction, now: UInt64, in transaction: Transaction
    ) throws -> Int64 {
        try MassDelete.raise(
            direction, of: collection, count: deletes, live: records(collection), since: now, in: transaction)
    }
}
