internal import LocalStore
internal import SyncCore
internal import SyncModel

/// What stands in a node's state after a commit, as far as the checks need it.
struct NodeGlimpse {
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
        if let before, !transaction.effects.holdsChanged, before.held.isEmpty {
            holds = before.holds
        } else {
            holds = try transaction.holds()
            for hold in holds { held += try transaction.held(by: hold.number) }
        }
        position = try SimulatedNode.Course.place(in: transaction) ?? SimulatedJournal.Place(file: 0, offset: 0)
        let isAnyNew = before?.counts.quarantined != counts.quarantined
        if isAnyNew || before?.quarantined.isEmpty == false {
            quarantined = try transaction.quarantined(after: 0, limit: 1000)
        }
    }

    func isHeld(_ id: RecordID) -> Bool { held.contains { $0.key.id == id } }
}
