internal import JSONText
internal import SyncModel

/// What a whole snapshot did not show, and the brakes on what would change too much at once.
extension CollectionMachine {
    /// Whether these records may be deleted now; if so they are counted.
    ///
    /// - Parameter unseen: how many of them readers do not see any more.
    mutating func admits<Book>(deletes ids: [RecordID], unseen: Int = 0, _ step: inout Step<Book>) throws -> Bool {
        guard !hasMoved else { return false }
        let live = try step.book.counts(of: rules.id).records + unseen
        guard deletes.admits(deletes: ids, records: live, now: step.time.monotonic) else { return false }
        try step.book.setText(deletesName, deletes.noted(wall: step.time.wall))
        return true
    }

    private var deletesName: String { "deletes.pull.\(rules.id)" }

    /// What was known of deletes when the daemon ended.
    mutating func loadDeletes<Book>(_ step: inout Step<Book>) throws {
        hasMoved = try step.book.isNoted(CollectionMachine.movedName(rules.id))
        deletes = DeleteLimit(
            noted: try step.book.text(deletesName), wall: step.time.wall, now: step.time.monotonic)
    }

    static func movedName(_ collection: CollectionID) -> String { "moved.\(collection)" }

    /// After a whole snapshot: what the base knows and the snapshot did not show is read, or held where it is too much.
    ///
    /// Waits for the tombstones, which tell deletes from disappearances, and for what this node's own entry says. Until then
    /// nothing of the collection is pushed.
    mutating func processMissing<Book>(_ step: inout Step<Book>) throws {
        let tombstonesLive =
            !settings.keepsTombstones || streams[.tombstones(rules.id)]?.phase == .live
        guard tombstonesLive, knowsOwnEntry, let snapshot = completeSnapshot else { return }
        completeSnapshot = nil
        remoteIsEmpty = snapshot.isEmpty
        var absent: [RecordID] = []
        try step.book.forEachInBase(of: rules.id) { row, id in
            if !snapshot.shown.contains(row), !snapshot.shownIDs.contains(id) { absent.append(id) }
        }
        var unexplained: [RecordID] = []
        var unechoed: [RecordID] = []
        for id in absent {
            // Acknowledged, or on its way, while the snapshot was made: a read tells.
            if self.unechoed[id] != nil || inFlight.contains(id) {
                unechoed.append(id)
                continue
            }
            let state = try step.book.record(key(id)).state
            if try waitsForPerson(state.key, step.book) { continue }
            if state.wouldBeDeletedWithoutTombstone { unexplained.append(id) } else { hint(id, Hint(counted: true)) }
        }
        for id in inFlight.sorted() where !snapshot.shownIDs.contains(id) { hint(id, Hint()) }
        let looksSetBack = try !unechoed.isEmpty && isSetBack(snapshot, missing: unexplained + unechoed, &step)
        for id in unechoed { hint(id, Hint(isUnechoed: true, looksSetBack: looksSetBack)) }
        // What it showed is confirmed, what the base has beside that is hinted, and what is left is a delete.
        self.unechoed = [:]
        try judge(missing: unexplained, snapshot, &step)
        streams[.records(rules.id)]?.forgetOlder()
        if hasMoved {
            hasMoved = false
            try step.book.setNoted(CollectionMachine.movedName(rules.id), false)
        }
        try releaseGone(from: snapshot, &step)
        if isComparing { endComparison() } else { endDoubt() }
        recordsMerged = true
    }

    private static func lookedName(_ collection: CollectionID) -> String { "looked.\(collection)" }

    mutating func loadLooked<Book>(_ step: inout Step<Book>) throws {
        let text = try step.book.text(CollectionMachine.lookedName(rules.id))
        streams[.records(rules.id)]?.lookedUntil = text.flatMap { UInt64($0) }
    }

    /// What a live stream has shown is known to have been there, once what was missing from it is judged.
    mutating func noteLooked<Book>(_ step: inout Step<Book>) throws {
        guard let stream = streams[.records(rules.id)], stream.isWhole, stream.phase == .live, recordsMerged,
            completeSnapshot == nil, let newest = stream.newest, newest > stream.lookedUntil ?? 0
        else { return }
        streams[.records(rules.id)]?.lookedUntil = newest
        try step.book.setText(CollectionMachine.lookedName(rules.id), String(newest))
    }

    func waitsForPerson(_ key: RecordKey, _ book: some RecordBook) throws -> Bool {
        try !book.held(key, in: CollectionMachine.disappearances).isEmpty
    }

    private mutating func judge<Book>(
        missing unexplained: [RecordID], _ snapshot: CompleteSnapshot, _ step: inout Step<Book>
    ) throws {
        if try isOneRecord(snapshot.strayKeys, besideRecords: snapshot.hasRecords, missing: unexplained, &step) {
            return
        }
        guard !unexplained.isEmpty else { return }
        if snapshot.isEmpty {
            let hold = try EmptyRemote.raise(of: rules.id, since: step.time.wall, in: step.book)
            for id in unexplained { try step.book.attach(key(id), to: hold, step.context) }
            if snapshot.list != nil, let first = unexplained.first { doubtEmptyList(asking: first) }
        } else if try isSetBack(snapshot, missing: unexplained, &step) {
            try holdDeletes(of: unexplained, by: MassDelete.remoteSetBack, &step)
        } else if try admits(deletes: unexplained, &step) {
            for id in unexplained { hint(id, Hint(counted: true)) }
        } else {
            try holdDeletes(of: unexplained, &step)
        }
    }

    /// A list has no ETag: what answers in the database's place may have shown an empty one. A read of one record tells.
    private mutating func doubtEmptyList(asking id: RecordID) {
        askedAfterEmptyList = id
        hint(id, Hint(counted: true))
    }

    /// Whether the remote looks as if an older copy of it had been put back: this node's own entry, or a record, is there in an
    /// older version, or several are missing, and of what this node knows was written since the oldest of them no more is there
    /// than half as many. Then they were not deleted.
    private func isSetBack<Book>(
        _ snapshot: CompleteSnapshot, missing: [RecordID], _ step: inout Step<Book>
    ) throws -> Bool {
        guard settings.keepsTombstones else { return false }
        if peers.ownEntry == .read(isOlder: true) { return true }
        if streams[.records(rules.id)]?.older?.amongAll == true { return true }
        // That a key is in a list says nothing of what was written under it since it was made.
        func time(_ id: RecordID) throws -> UInt64? {
            let base = try step.book.record(key(id)).state.remote
            return (snapshot.times == nil ? base?.earliestStamp : base?.newestStamp)?.physical
        }
        // What only apps have written has none.
        let ended = try missing.compactMap(time)
        guard ended.count >= CollectionMachine.leastSetBack, let oldest = ended.min() else { return false }
        let times = try snapshot.times ?? snapshot.list?.compactMap { try rules.recordID(of: $0).flatMap(time) } ?? []
        return 2 * times.count { $0 >= oldest } <= ended.count
    }

    /// Fewer that were made last may well have been made by mistake.
    private static let leastSetBack = 3

    /// Keys beside the records have come or gone while the stream is live.
    mutating func judgeStrays<Book>(_ step: inout Step<Book>) throws {
        // A snapshot is judged as a whole.
        guard recordsMerged, completeSnapshot == nil, let stream = streams[.records(rules.id)], stream.phase == .live,
            stream.isWhole
        else { return }
        let hasRecords = try step.book.counts(of: rules.id).records > 0
        _ = try isOneRecord(stream.strayKeys, besideRecords: hasRecords, missing: [], &step)
    }

    /// Whether the base holds what looks like one record: nothing of the collection goes on then.
    private mutating func isOneRecord<Book>(
        _ strayKeys: Set<String>, besideRecords hasRecords: Bool, missing: [RecordID], _ step: inout Step<Book>
    ) throws -> Bool {
        let needed = Set(rules.identityNames + [rules.titleField])
        // What a person has decided to remove is no question any more.
        let strayKeys = try strayKeys.subtracting(step.book.strayKeys(of: rules.id))
        guard needed.isSubset(of: strayKeys) else {
            try RootIsOneRecord.forgetApproval(of: rules.id, in: step.book)
            try rootIsClear(&step)
            return false
        }
        streams[.records(rules.id)]?.forgetRoot()
        if missing.isEmpty {
            if try RootIsOneRecord.isApproved(rules.id, in: step.book) { return false }
            // Where this node has nothing, and nothing else stands there, there is nothing to ask about.
            let isAtStake = try hasRecords || step.book.counts(of: rules.id).records > 0
            guard isAtStake else {
                try RootIsOneRecord.accept(rules.id, in: step.book)
                return false
            }
        }
        // Where it stands alone, all of it has come in one write; else only what a record surely has is a part of it.
        let keys = strayKeys.filter { hasRecords ? isPartOfRecord($0) : true }.sorted()
        let hold = try RootIsOneRecord.raise(of: rules.id, keys: keys, since: step.time.wall, in: step.book)
        for id in missing { try step.book.attach(key(id), to: hold, step.context) }
        isStopped = true
        return true
    }

    /// The keys of the one record are gone: the hold that asks about them ends, where all records are back, or no more come.
    private mutating func rootIsClear<Book>(_ step: inout Step<Book>) throws {
        let keyspace = Keyspace.records(rules.id)
        let hold = try step.book.waiting(.rootIsOneRecord, rules.id, .pull)
        if let hold, try step.book.namesAny(hold: hold.number) {
            guard streams[keyspace]?.rootIsClear(at: step.time.monotonic) ?? false else { return }
        }
        streams[keyspace]?.forgetRoot()
        guard let hold else { return }
        // What did not come back with the others is a question of its own, which stops nothing else.
        let gone = try step.book.end(hold: hold.number) { [context = step.context] _ in context }.map(\.key.id)
        try holdDeletes(of: gone, by: MassDelete.rootWasOneRecord, &step)
        try lookAtHolds(&step)
        for id in try step.book.pendingIDs(in: rules.id) { queue.append(id) }
    }

    /// The same once its time has come.
    mutating func judgeRoot<Book>(_ step: inout Step<Book>) throws {
        let until = streams[.records(rules.id)]?.rootClearUntil
        if let until, until <= step.time.monotonic { try rootIsClear(&step) }
    }

    /// Attaches records to the hold `massDelete`: their disappearance is not asked for, and they are not pushed.
    ///
    /// - Parameter source: who would delete them, for people; nil for the remote as ever.
    mutating func holdDeletes<Book>(of ids: [RecordID], by source: String? = nil, _ step: inout Step<Book>) throws {
        let ids = try ids.filter { try !waitsForPerson(key($0), step.book) }
        guard !ids.isEmpty else { return }
        let source = hasMoved ? "the remote at its new place" : source
        let live = try step.book.counts(of: rules.id).records
        let hold = try MassDelete.raise(
            .pull, of: rules.id, live: live, by: source, since: step.time.wall, in: step.book)
        for id in ids { try step.book.attach(key(id), to: hold, step.context) }
    }

    /// Judges the changes by apps whose time has come.
    mutating func judgeForeignChanges<Book>(_ step: inout Step<Book>) throws {
        let keyspace = Keyspace.records(rules.id)
        guard let stream = streams[keyspace], stream.phase == .live else { return }
        guard let due = stream.foreignChanges.due, due <= step.time.monotonic else { return }
        try judgeForeignChanges(keyspace, &step)
    }

    /// What apps without stamps have changed at once: read, or held where it is nearly everything.
    mutating func judgeForeignChanges<Book>(_ keyspace: Keyspace, _ step: inout Step<Book>) throws {
        guard let waiting = streams[keyspace]?.foreignChanges, !waiting.isEmpty else { return }
        let live = try step.book.counts(of: rules.id).records
        let isTooMuch = waiting.count > MassForeignChange.limit(records: live)
        if isTooMuch, waiting.hasUnasked {
            for id in streams[keyspace]?.foreignChanges.beginReading(at: step.time.monotonic) ?? [] {
                hint(id, Hint(onlyCompares: true))
            }
            return
        }
        if isTooMuch, !waiting.unknown.isEmpty, waiting.isReading(at: step.time.monotonic) { return }
        streams[keyspace]?.foreignChanges.removeAll()
        let changed = isTooMuch ? waiting.changes.filter { $0.shown != nil } : []
        for (id, shown, hint) in waiting.changes where !isTooMuch || shown == nil { self.hint(id, hint) }
        guard !changed.isEmpty else { return }
        let hold = try MassForeignChange.raise(
            of: rules.id, live: live, since: step.time.wall, in: step.book)
        for (id, shown, _) in changed { try step.book.attach(key(id), to: hold, payload: shown?.text, step.context) }
    }

    /// What an app has made of a record that nodes know, read with care; nil where that is none: the base's stamp with other
    /// content is an app's too.
    func foreignContent<Book>(_ reading: Reading, _ state: RecordState, _ step: Step<Book>) -> Content? {
        guard let remote = state.remote else { return nil }
        switch reading {
        case .foreign(let body): return body.content
        case .stamped(let version):
            guard version.stamp == remote.newestStamp, version.content != remote.content else { return nil }
            // Where nobody can make a record of it, that is found when it is read.
            let fields = (try? step.reader.carefully(version))?.carefully
            let content = fields.map { Content(fields: $0) } ?? version.content
            return content == remote.content ? nil : content
        case .absent: return nil
        }
    }

    /// Whether what was read is an app's change that has to wait until all are known.
    mutating func mustWait<Book>(_ shown: ObservedEntry, _ id: RecordID, _ step: inout Step<Book>) throws -> Bool {
        guard case .record(let reading) = shown.value else { return false }
        let content = foreignContent(reading, try step.book.record(key(id)).state, step)
        streams[.records(rules.id)]?.foreignChanges.read(id, content, at: step.time.monotonic)
        return content != nil
    }

    /// What stands at a record that is known may have been changed by an app.
    mutating func touch<Book>(_ id: RecordID, _ step: inout Step<Book>) {
        streams[.records(rules.id)]?.foreignChanges.add(id, nil, Hint(), at: step.time.monotonic)
    }
}
