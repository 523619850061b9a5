internal import LocalStore
internal import SyncCore
internal import SyncModel

/// What stands in a node's state after a commit, as far as the checks need it.
struct NodeGlimpse {
    /// Something that time alone ends.
    struct Deadline {
        /// On this machine's clock, where it is so.
        var holdUntil: UInt64?
        /// Of an entry that is from the future.
        var stamp: Stamp?
        var record: RecordID?

        func until(_ policy: StampPolicy) -> UInt64 {
            if let holdUntil { return holdUntil }
            let physical = stamp?.physical ?? 0
            return UInt64(max(0, Int64(physical) - policy.offset - Int64(policy.maxAhead)))
        }
    }

    var node = NodeID(0)
    var clock = Stamp.zero
    var lastChange: Int64 = 0
    /// What has changed for a reader since the commit before.
    var changes: [Change] = []
    /// The records that have changed, as they are now.
    var states: [RecordID: RecordState] = [:]
    var counts = CollectionCounts()
    var recount: CollectionCounts?
    var holds: [Hold] = []
    var held: [HeldRecord] = []
    var quarantined: [QuarantinedItem] = []
    /// How far the journal has been read.
    var position = SimulatedJournal.Place(file: 0, offset: 0)

    init() {}

    init(of transaction: Transaction, after before: NodeGlimpse?) throws {
        node = transaction.clock.node
        clock = transaction.clock.last
        lastChange = try before?.lastChange ?? transaction.changeBounds()?.last ?? 0
        changes = before == nil ? [] : try transaction.changes(after: lastChange, limit: 1000)
        lastChange = changes.last?.sequence ?? lastChange
        for change in changes { states[change.key.id] = try transaction.record(change.key).state }
        counts = try transaction.counts(of: SimulatedFilms.id)
        if !changes.isEmpty || before?.counts != counts { recount = try transaction.recount(SimulatedFilms.id) }
        holds = try transaction.holds()
        for hold in holds { held += try transaction.held(by: hold.number) }
        position =
            try transaction.value(SimulatedNode.position).flatMap { SimulatedJournal.Place($0) }
            ?? SimulatedJournal.Place(file: 0, offset: 0)
        quarantined = try transaction.quarantined(after: 0, limit: 1000)
    }

    var deadlines: [Deadline] {
        let expiring = holds.filter { $0.kind?.rule.expires ?? false }
        return expiring.compactMap { $0.until.map { Deadline(holdUntil: $0) } }
            + quarantined.filter { $0.defect.code == .futureStamp }.compactMap { item in
                item.stamp.map { Deadline(stamp: $0, record: item.record.flatMap { RecordID($0) }) }
            }
    }

    func isHeld(_ id: RecordID) -> Bool { held.contains { $0.key.id == id } }
}
