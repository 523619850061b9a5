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

    /// The hold for the deletes of a collection: the one that is there already, else a new one.
    func hold(
        in transaction: Transaction, _ collection: CollectionID, _ direction: Direction, count: Int, now: UInt64
    ) throws -> Int64 {
        let existing = try transaction.holds().first {
            $0.kind == .massDelete && $0.collection == collection && $0.direction == direction
        }
        let side = direction == .journal ? "the journal" : "the remote"
        let live = records(collection)
        if let existing {
            let waiting = Set(try transaction.held(by: existing.number).map(\.key)).count + count
            try transaction.setReason(
                "\(side) would delete \(waiting) of \(live) \(collection)", ofHold: existing.number)
            return existing.number
        }
        var hold = Hold(
            .massDelete, direction, reason: "\(side) would delete \(count) of \(live) \(collection)", since: now)
        hold.collection = collection
        return try transaction.raise(hold)
    }
}
