internal import FirebaseWire
internal import JSONText
internal import SyncCore
internal import SyncModel

/// Whether each edit is where it must be: in the remote, or under a later edit, or one that had seen it, or a delete that is
/// later or had seen it. And whether what is back after a delete was brought back by somebody.
struct EditVerdicts {
    /// How far clocks may differ without anybody noticing, in milliseconds.
    private let slack: UInt64
    /// After how many milliseconds deletes are forgotten; nil where the remote has tombstones.
    private let forgottenAfter: UInt64?
    private let history: EditHistory
    private let remote: [RecordID: [String: JSONValue]]
    /// Of each record that is there: the stamps of its fields.
    private let stamps: [RecordID: FieldStamps]
    private let byRecord: Bool
    private let merge: MergeRules
    private var waiting: [String] = []
    private var losers: [[String: JSONValue]] = []
    private let restored: Set<Int>

    init(_ world: SimulatedWorld) {
        slack = 61_000 + world.checks.greatestSkew
        forgottenAfter = world.settings.keepsTombstones ? nil : world.settings.keep
        history = world.history
        remote = world.remoteView.mapValues(SimulatedFilms.traced)
        byRecord = world.settings.mergesByRecord
        merge = world.rules.merge
        restored = Set(world.nodes.filter(\.wasRestored).map(\.index))
        var stamps: [RecordID: FieldStamps] = [:]
        for entry in world.database.entries(in: .records(world.rules.id)) {
            guard let id = world.rules.recordID(of: entry.key), case .record(_, let found?) = entry.value else {
                continue
            }
            stamps[id] = found.fields ?? FieldStamps(found.version)
        }
        self.stamps = stamps
        for node in world.nodes {
            waiting += (node.glimpse.quarantined.compactMap(\.payload) + node.glimpse.held.compactMap(\.payload))
                .map { String(decoding: $0, as: UTF8.self) }
            losers += node.losers().map { SimulatedFilms.traced($0.fields) }
        }
    }

    var broken: [RunningChecks.Broken] {
        var broken: [RunningChecks.Broken] = []
        for edit in history.edits where !isAccountedFor(edit) {
            let promise: Violation.Promise = edit.stamp == nil && edit.author != .app ? .acknowledgedIsKept : .edits
            broken.append(.init(promise: promise, what: describe(edit)))
        }
        for removal in history.removals where removal.field == nil && !isRespected(removal) {
            let who = removal.byApp ? "an app" : "a node"
            broken.append(
                .init(
                    promise: .tombstones,
                    what: "\(removal.id.short) is back, deleted by \(who) with \(removal.stamp?.brief ?? "no stamp")"))
        }
        for removal in history.removals {
            guard let edit = returned(after: removal) else { continue }
            broken.append(
                .init(
                    promise: .edits,
                    what: "\(edit.field) \(edit.name) of \(edit.id.short) is back, removed by a node with "
                        + (removal.stamp?.brief ?? "no stamp")))
        }
        return broken
    }

    private func describe(_ edit: EditHistory.Edit) -> String {
        let now = remote[edit.id].map { $0[edit.field].map { JSONWriter.string($0) } ?? "nothing" } ?? "no record"
        return
            "\(edit.field) \(edit.name) of \(edit.id.short) by \(edit.author) (\(edit.stamp?.brief ?? "no stamp")) is gone, "
            + "without a later edit or one that had seen it; there is \(now) now"
    }

    // MARK: Edits

    private func isAccountedFor(_ edit: EditHistory.Edit) -> Bool {
        if edit.waived != nil || remote[edit.id]?[edit.field] == edit.value { return true }
        if waiting.contains(where: { $0.contains(edit.name) }) { return true }
        if isReplaced(edit) || isRemoved(edit) || isOverwrittenByApp(edit) { return true }
        if history.isDatedLater(than: edit, byRecord: byRecord) { return true }
        if byRecord, isInLedger(edit) || isBelowUntraced(edit) { return true }
        if isTied(edit), isInLedger(edit) { return true }
        guard case .node(let node) = edit.author, edit.stamp == nil else { return false }
        // It lost when it was applied: it is in the ledger.
        return isInLedger(edit) || restored.contains(node)
    }

    /// The later version won whole, by an edit of a field that is not traced.
    private func isBelowUntraced(_ edit: EditHistory.Edit) -> Bool {
        guard history.untraced.contains(edit.id), let own = edit.stamp, let last = stamps[edit.id] else { return false }
        return last.newest > own
    }

    /// Lines of unknown time have got one stamp on two restored nodes: the hash decides.
    private func isTied(_ edit: EditHistory.Edit) -> Bool {
        history.edits.contains {
            $0.number != edit.number && $0.id == edit.id && $0.field == edit.field && $0.stamp == edit.stamp
        }
    }

    private func isInLedger(_ edit: EditHistory.Edit) -> Bool {
        losers.contains { $0[edit.field] == edit.value }
    }

    private func isLater(_ stamp: Stamp?, than edit: EditHistory.Edit) -> Bool {
        guard let stamp else { return false }
        if let own = edit.stamp { return stamp > own }
        return edit.author == .app && stamp.physical + slack >= edit.at
    }

    private func isReplaced(_ edit: EditHistory.Edit) -> Bool {
        let isDecided = history.decisions.contains { decision in
            guard decision.id == edit.id, byRecord || (decision.field ?? edit.field) == edit.field else { return false }
            return isLater(decision.stamp, than: edit)
        }
        if isDecided { return true }
        return history.edits.contains { other in
            guard other.number != edit.number, other.id == edit.id, byRecord || other.field == edit.field else {
                return false
            }
            if other.author == .app { return edit.author == .app && other.at >= edit.at || hasSeen(other, edit.number) }
            return isLater(other.stamp, than: edit) || hasSeen(other, edit.number)
        }
    }

    private func hasSeen(_ edit: EditHistory.Edit, _ number: Int) -> Bool {
        var next = edit.saw
        // What a restored state reads again may have seen what was made over it.
        var passed: Set<Int> = []
        while let current = next, passed.insert(current).inserted {
            if current == number { return true }
            next = history.edits[current].saw
        }
        return false
    }

    private func isRemoved(_ edit: EditHistory.Edit) -> Bool {
        history.removals.contains { removal in
            guard removal.id == edit.id, byRecord || removal.isOf(edit.field) else { return false }
            if isSpared(edit, by: removal) { return false }
            if removal.saw.contains(where: { $0 == edit.number || hasSeen(history.edits[$0], edit.number) }) {
                return true
            }
            if removal.byApp, edit.author == .app, removal.at >= edit.at { return true }
            return isLater(removal.stamp, than: edit) || isReadAgain(edit, endedBy: removal)
        }
    }

    /// A line of unknown time has the very stamp of the delete of the version that it follows, and loses to it.
    private func isReadAgain(_ edit: EditHistory.Edit, endedBy removal: EditHistory.Removal) -> Bool {
        guard case .node(let node) = edit.author, let stamp = edit.stamp else { return false }
        return restored.contains(node) && stamp == removal.stamp
    }

    /// An edit above what the remote last held, on the node where the disappearance was approved: it must survive that.
    private func isSpared(_ edit: EditHistory.Edit, by removal: EditHistory.Removal) -> Bool {
        guard let node = removal.approvedOn, edit.author == .node(node), edit.remoteAt == nil else { return false }
        return edit.stamp.map { $0 > history.lastStamps[edit.id]?.successor ?? .zero } ?? false
    }

    /// An app has written over it: where it stood in the remote, or, noticed later, over what its author had not sent yet;
    /// then it is in the ledger.
    private func isOverwrittenByApp(_ edit: EditHistory.Edit) -> Bool {
        let rewrites = history.rewrites.filter {
            $0.id == edit.id && ($0.field == nil || byRecord || $0.field == edit.field)
        }
        if let remoteAt = edit.remoteAt, rewrites.contains(where: { $0.at >= remoteAt }) { return true }
        // A node that knew nothing of the record stamped what an app repeated there: then it is in the ledger.
        guard !rewrites.isEmpty else { return history.rewrites.contains { $0.id == edit.id } && isInLedger(edit) }
        if edit.author == .app { return rewrites.contains { $0.at + slack >= edit.at && $0.at > edit.at } }
        if case .node(let node) = edit.author, restored.contains(node) { return true }
        return isInLedger(edit)
    }

    // MARK: Removals

    /// The value that a node has removed from a field, and that is there although nobody has put it back.
    private func returned(after removal: EditHistory.Removal) -> EditHistory.Edit? {
        guard let field = removal.field, !removal.byApp, !byRecord, restored.isEmpty else { return nil }
        let isRewritten = history.rewrites.contains { rewrite in
            rewrite.id == removal.id && (rewrite.field ?? field) == field && rewrite.at + slack >= removal.at
        }
        if isRewritten || history.decisions.contains(where: { $0.id == removal.id }) { return nil }
        // What was deleted since comes back as whoever edits it later has known it; a line that is read late is not later.
        let isDeletedSince = history.removals.contains { other in
            guard other.id == removal.id, other.field == nil else { return false }
            return other.at >= removal.at || other.stamp ?? .zero > removal.stamp ?? .zero
        }
        if isDeletedSince { return nil }
        return removal.saw.lazy.map { history.edits[$0] }.first { edit in
            guard remote[removal.id]?[field] == edit.value, !history.repeated.contains(edit.number) else {
                return false
            }
            return edit.author != .app && !history.isReadAgain(edit) && isLater(removal.stamp, than: edit)
        }
    }

    // MARK: Deletes

    /// What a restored state reads again, later than the delete, has no time.
    private func isWrittenAgain(after removal: EditHistory.Removal) -> Bool {
        history.edits.contains { edit in
            guard case .node(let node) = edit.author, edit.id == removal.id else { return false }
            return restored.contains(node) && edit.at + slack >= removal.at
        }
    }

    /// A version from the future is read by nobody but its author: for the others nothing was there that an app deletes.
    private func isOfUnread(_ removal: EditHistory.Removal) -> Bool {
        removal.byApp && removal.stamp.map { $0.physical > removal.at + 60_000 } ?? false
    }

    /// A journal that a person has let be read again goes above its node's own deletes, or a person has kept the record.
    private func isReadAgain(after removal: EditHistory.Removal) -> Bool {
        history.decisions.contains { $0.id == removal.id && $0.stamp > removal.stamp ?? .zero }
    }

    /// Where tombstones are kept on nodes only, nobody knows any more of a delete that is old.
    private func isForgotten(_ removal: EditHistory.Removal) -> Bool {
        guard let forgottenAfter else { return false }
        return history.edits.contains { $0.id == removal.id && $0.remoteAt ?? 0 >= removal.at + forgottenAfter }
    }

    /// Whether what is back after a delete was brought back: by an edit above it, or by an app.
    private func isRespected(_ removal: EditHistory.Removal) -> Bool {
        guard remote[removal.id] != nil, !removal.isResidue else { return true }
        // An app that took it away has put it back before anybody looked.
        let isPutBack = history.rewrites.contains { $0.id == removal.id && $0.at >= removal.at }
        if removal.byApp, isPutBack { return true }
        if removal.byApp, history.moves.mayEnd(removal.id, at: removal.at, slack: slack) { return true }
        // What an app wrote is dated when it is seen.
        if removal.isBlind { return true }
        if isWrittenAgain(after: removal) || isForgotten(removal) || isReadAgain(after: removal) { return true }
        // An app may write with any stamp that it has read once.
        if history.rewrites.contains(where: { $0.id == removal.id && $0.at > removal.at + slack }) { return true }
        // A delete that is read late has the time of its line.
        let removedAt = min(removal.at, removal.stamp?.physical ?? removal.at)
        if isOfUnread(removal), history.edits.contains(where: { $0.id == removal.id && $0.at + slack >= removedAt }) {
            return true
        }
        let isAbove = stamps[removal.id].map { stamps in removal.stamp.map { stamps.newest > $0 } ?? true } ?? true
        guard isAbove else { return false }
        if history.untraced.contains(removal.id) { return true }
        if history.rewrites.contains(where: { $0.id == removal.id && $0.at + slack >= removedAt }) { return true }
        return history.edits.contains { edit in
            guard edit.id == removal.id else { return false }
            if edit.author == .app { return edit.at + slack >= removedAt }
            return removal.stamp.map {
                edit.stamp.map { stamp in stamp > removal.stamp ?? .zero } ?? false || $0 == .zero
            }
                ?? true
        }
    }
}
