internal import JSONText
internal import SyncCore
internal import SyncModel

/// Who has changed what, and what they had seen: what the last invariant is judged by.
///
/// Every edit of a traced field has a value of its own, so that a value tells its edit.
final class EditHistory {
    private(set) var edits: [Edit] = []
    var removals: [Removal] = []
    private(set) var rewrites: [Rewrite] = []
    /// Where a number fell of which the higher one counts: on which node, and of which record.
    private(set) var fallen: [(node: Int, id: RecordID)] = []
    var moves = AppMoves()
    private(set) var decisions: [Decision] = []
    var datings: [Dating] = []
    /// Edits whose values a node's journal, or a person, has put back.
    private(set) var repeated: Set<Int> = []
    /// Records with edits of other fields, which may bring them back too.
    private(set) var untraced: Set<RecordID> = []
    /// The highest stamp that ever stood in the remote, of each record.
    private(set) var lastStamps: [RecordID: Stamp] = [:]
    /// By field and value.
    private var numbers: [String: Int] = [:]
    /// What a reader on each node sees.
    var views: [Int: [RecordID: [String: JSONValue]]] = [:]
    /// What each node's journal has deletes of.
    private var deleted: [Int: Set<RecordID>] = [:]
    /// The latest time that lines of each node's journal have claimed for a record: read again, what follows is above that.
    private var claims: [Int: [RecordID: UInt64]] = [:]
    private var intended: (id: RecordID, fields: [String: JSONValue], saw: JSONValue?)?
    /// Edits that stood unread in a node's journal when that was found to be rewritten.
    var unread: [Int: Set<Int>] = [:]
    /// Nodes whose journals a person has let be read again.
    private var readingAgain: Set<Int> = []
    /// A person is approving that records are gone.
    var isApproving = false
    /// The nodes that do not know whether their last write of a record was carried out: it is not answered.
    var unanswered: [RecordID: Set<Int>] = [:]
    /// Records that an app has changed since a node last wrote them; what it left of the node's stamps stands there still.
    private(set) var areLastByApp: Set<RecordID> = []
    /// The stamp under which each record stands in the remote, also beneath what apps wrote over it without one.
    private var standing: [RecordID: Stamp] = [:]

    /// Whether its node's journal was read again, so that it may have another stamp now.
    func isReadAgain(_ edit: Edit) -> Bool {
        guard case .node(let node) = edit.author else { return false }
        return readingAgain.contains(node)
    }

    func edit(_ field: String, _ value: JSONValue?) -> Edit? {
        value.flatMap { numbers[field + "=" + JSONWriter.string($0)] }.map { edits[$0] }
    }

    private func add(_ edit: Edit) {
        numbers[edit.field + "=" + JSONWriter.string(edit.value)] = edit.number
        edits.append(edit)
    }

    // MARK: Nodes

    /// A program has appended an operation to a node's journal.
    func appended(_ node: Int, _ operation: Operation, now: UInt64) {
        let id = operation.key.id
        if let at = operation.at { claims[node, default: [:]][id] = max(at, claims[node]?[id] ?? 0) }
        let traced = SimulatedFilms.traced(operation.fields).filter { $0.value != .null }
        let removes = SimulatedFilms.removed(by: operation)
        if operation.kind == .delete { deleted[node, default: []].insert(id) }
        if operation.kind != .delete, traced.isEmpty { untraced.insert(id) }
        for (field, value) in traced.sorted(by: { $0.key < $1.key }) where edit(field, value) == nil {
            var edit = Edit(number: edits.count, id: id, field: field, value: value, author: .node(node), at: now)
            edit.claimed = claims[node]?[id]
            edit.removes = removes
            add(edit)
        }
    }

    /// What a commit has changed for a reader.
    ///
    /// - Parameter isUnseen: whether the remote holds what an app wrote there since the node looked.
    func noted(_ node: Int, _ glimpse: NodeGlimpse, now: UInt64, isUnseen: (RecordState) -> Bool) {
        for change in glimpse.changes {
            let id = change.key.id
            let last = views[node]?[id] ?? [:]
            let fields = change.version.content?.fields
            let (before, after) = (SimulatedFilms.traced(last), fields.map(SimulatedFilms.traced))
            for field in EditHistory.differing(before, after ?? before) {
                if let value = after?[field] {
                    if change.origin != .remote, let edit = edit(field, value), edit.stamp != nil {
                        repeated.insert(edit.number)
                    }
                    shown(field, value, before, change, node, glimpse, now)
                } else if change.origin != .remote {
                    remove(field, of: id, at: change.version.stamp, before, now)
                }
            }
            if after == nil, change.origin != .remote {
                let saw = before.compactMap { edit($0.key, $0.value)?.number }
                var removal = Removal(
                    id: id, field: nil, at: now, stamp: change.version.stamp, saw: Set(saw), byApp: false)
                removal.node = node
                if change.origin == .decision, isApproving { removal.approvedOn = node }
                removal.isBlind =
                    glimpse.states[id].map { isUnseen($0) || isDatedUnseen($0, after: change.version.stamp) } ?? false
                removals.append(removal)
            }
            noteNumber(node, id, last, fields)
            views[node, default: [:]][id] = fields
        }
    }

    /// The names under which two records have different values.
    private static func differing(_ one: [String: JSONValue], _ other: [String: JSONValue]) -> [String] {
        Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted()
    }

    /// A number of which the higher one counts may only fall where its record was removed.
    private func noteNumber(
        _ node: Int, _ id: RecordID, _ before: [String: JSONValue], _ after: [String: JSONValue]?
    ) {
        guard let after, let old = before[SimulatedFilms.highest]?.whole else { return }
        if let new = after[SimulatedFilms.highest]?.whole, new >= old { return }
        fallen.append((node, id))
    }

    /// A line of a node's journal has deleted a record, perhaps one that was deleted before.
    func deleted(_ id: RecordID, at stamp: Stamp, now: UInt64) {
        removals.append(Removal(id: id, field: nil, at: now, stamp: stamp, saw: [], byApp: false, isResidue: true))
    }

    /// A node has gone back to a state from before some edits: of those that the remote has not got, the stamp is gone too.
    /// What its journal still has of them is read again and noted as it is stamped then: a line without a time loses to
    /// whatever others did (`docs/protocol.md` section 3).
    func wentBack(_ node: Int, to time: UInt64, isSent: (RecordID, Stamp) -> Bool) {
        for index in removals.indices where removals[index].node == node && removals[index].at >= time {
            guard let stamp = removals[index].stamp, !isSent(removals[index].id, stamp) else { continue }
            removals[index].isResidue = true
        }
        for index in edits.indices where edits[index].author == .node(node) && edits[index].at >= time {
            if edits[index].remoteAt == nil { edits[index].stamp = nil }
        }
    }

    private func remove(
        _ field: String, of id: RecordID, at stamp: Stamp, _ before: [String: JSONValue], _ now: UInt64,
        byApp: Bool = false
    ) {
        let saw = Set([edit(field, before[field])?.number].compactMap(\.self))
        removals.append(Removal(id: id, field: field, at: now, stamp: stamp, saw: saw, byApp: byApp))
    }

    private func shown(
        _ field: String, _ value: JSONValue, _ before: [String: JSONValue], _ change: Change, _ node: Int,
        _ glimpse: NodeGlimpse, _ now: UInt64
    ) {
        guard let edit = edit(field, value), edit.author == .node(node), edit.id == change.key.id else { return }
        let stamps = glimpse.states[edit.id]?.known.fields?.stamps
        guard let stamp = stamps?.stamp(ofTraced: field) else { return }
        // A restored state reads again what it had stamped as the node that it was.
        guard stamp.node == glimpse.node || change.origin == .journal else { return }
        guard edit.stamp == nil || edit.remoteAt == nil else { return noteReadAgain(edit, stamp, before, node, now) }
        edits[edit.number].stamp = stamp
        // What goes above the stamp of a value that it was made over takes nothing with it.
        guard edit.stamp == nil else { return }
        edits[edit.number].at = now
        edits[edit.number].saw = self.edit(field, before[field])?.number
        for missing in edit.removes { remove(missing, of: edit.id, at: stamp, before, now) }
    }

    /// An edit that stood in the remote already is stamped anew: by a line that claims a time after its own, or that a
    /// person has let be read again.
    private func noteReadAgain(
        _ edit: Edit, _ stamp: Stamp, _ before: [String: JSONValue], _ node: Int, _ now: UInt64
    ) {
        guard let last = edit.stamp, stamp > last else { return }
        if readingAgain.contains(node) {
            decisions.append(Decision(id: edit.id, field: edit.field, stamp: stamp))
            for missing in edit.removes { remove(missing, of: edit.id, at: stamp, before, now) }
        }
        guard let claimed = edit.claimed, stamp.physical <= claimed else { return }
        edits[edit.number].stamp = stamp
        for missing in edit.removes { remove(missing, of: edit.id, at: stamp, before, now) }
    }

    /// Edits that nobody need find again.
    func waive(_ reason: String, where applies: (Edit) -> Bool) {
        for index in edits.indices where edits[index].waived == nil && applies(edits[index]) {
            edits[index].waived = reason
        }
    }

    /// A person has decided to keep what a node shows of a record.
    func confirmed(_ id: RecordID, now: UInt64) { rewrites.append(Rewrite(id: id, field: nil, at: now)) }

    /// What they have kept was stamped anew.
    func kept(_ id: RecordID, at stamp: Stamp) { decisions.append(Decision(id: id, field: nil, stamp: stamp)) }

    /// A person has said whether a record that may be deleted long ago is to be there.
    func longGone(_ id: RecordID, on node: Int, isKept: Bool, now: UInt64) {
        if isKept { return confirmed(id, now: now) }
        waive("deleted long ago") { $0.id == id && $0.author == .node(node) }
    }

    /// A person has let a node's journal be read again: all that stands in it counts as edited when the file was changed.
    func readAgain(_ node: Int, _ modified: SimulatedJournal.Moment, now: UInt64) {
        readingAgain.insert(node)
        for edit in edits where edit.author == .node(node) {
            rewrites.append(Rewrite(id: edit.id, field: nil, at: modified.now))
        }
        let stamp = Stamp(physical: max(now, modified.wall) + 3_600_000, counter: 0, node: NodeID(0))
        for id in deleted[node] ?? [] {
            removals.append(
                Removal(id: id, field: nil, at: now, stamp: stamp, saw: [], byApp: false, isResidue: true))
        }
    }

    // MARK: Apps

    /// An app is about to write; these values are its own, the others it merely repeats.
    func appWrites(_ id: RecordID, _ fields: [String: JSONValue], saw: JSONValue?) { intended = (id, fields, saw) }

    func appIsDone() {
        intended = nil
        moves.current = nil
    }

    /// The remote has changed.
    ///
    /// - Parameters:
    ///   - node: which one has written; nil where an app has.
    ///   - wasRestored: an old state was put back on that node: its journal was read again, and what it brings was there before.
    func remoteChanged(
        _ id: RecordID, by node: Int?, wasRestored: Bool, _ before: [String: JSONValue],
        _ after: [String: JSONValue], now: UInt64
    ) {
        let byApp = node == nil
        let wasByApp = areLastByApp.contains(id)
        if byApp { areLastByApp.insert(id) } else { areLastByApp.remove(id) }
        if let node {
            if before.isEmpty { noteBroughtBack(id, by: node, wasRestored: wasRestored, after) }
            if wasByApp || before["_v"] == nil { noteDated(id, before, after, now: now) }
        }
        let last = lastStamps[id]
        if let stamp = SimulatedFilms.stamp(of: after) { lastStamps[id] = max(last ?? stamp, stamp) }
        let below = standing[id]
        standing[id] = after.isEmpty ? nil : SimulatedFilms.stamp(of: after) ?? below
        if byApp { appChanged(id, before, after, last, below: below, now) }
        for (field, value) in SimulatedFilms.traced(after) {
            if let edit = edit(field, value), edit.remoteAt == nil { edits[edit.number].remoteAt = now }
        }
    }

    /// An app has deleted one of two keys of a record: what stood there alone is gone.
    func keyWasRemoved(_ id: RecordID, _ before: [String: JSONValue], now: UInt64) {
        let before = SimulatedFilms.traced(before)
        for field in before.keys {
            remove(field, of: id, at: lastStamps[id]?.successor ?? .zero, before, now, byApp: true)
        }
    }

    private func appChanged(
        _ id: RecordID, _ before: [String: JSONValue], _ after: [String: JSONValue], _ last: Stamp?, below: Stamp?,
        _ now: UInt64
    ) {
        if let intended, intended.id == id {
            for (field, value) in intended.fields where edit(field, value) == nil && after[field] == value {
                var edit = Edit(number: edits.count, id: id, field: field, value: value, author: .app, at: now)
                edit.saw = self.edit(field, intended.saw)?.number
                add(edit)
            }
        }
        let shown = SimulatedFilms.stamp(of: before)
        let isOverNewer = shown.map { shown in last.map { shown < $0 } ?? false } ?? before.isEmpty
        if after.isEmpty {
            let saw = SimulatedFilms.traced(before).compactMap { edit($0.key, $0.value)?.number }
            var removal = Removal(
                id: id, field: nil, at: now, stamp: last?.successor, saw: Set(saw), byApp: true)
            // Who has read that an older version stands there puts the newer one back.
            let isOfOlder = (shown ?? below).map { below in last.map { below < $0 } ?? false } ?? false
            removal.isResidue = !unanswered[id, default: []].isEmpty || isOfOlder
            return removals.append(removal)
        }
        let (old, new) = (SimulatedFilms.traced(before), SimulatedFilms.traced(after))
        for field in EditHistory.differing(old, new) {
            if new[field] != nil {
                rewrites.append(Rewrite(id: id, field: field, at: now))
            } else if FieldStamps.field(of: field) == SimulatedFilms.set, after[SimulatedFilms.set] != nil {
                // The app's list is there, and does not have the member.
                remove(field, of: id, at: last?.successor ?? .zero, old, now, byApp: true)
            }
        }
        // Whatever it was about: the record is there because of it. And all that it shows counts as its own, where it was read
        // from an older version that had just been written over a newer one: who knows only the newer one can't tell.
        rewrites.append(Rewrite(id: id, field: isOverNewer ? nil : "identifier", at: now))
    }
}
