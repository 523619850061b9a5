internal import JSONText
package import SyncModel

/// Judging what was shown: events hint, reads decide (`docs/protocol.md` section 8).
extension CollectionMachine {
    func key(_ id: RecordID) -> RecordKey { RecordKey(rules.id, id) }

    mutating func hint(_ id: RecordID, _ hint: Hint) {
        hints.add(hint, to: id)
        readings.append(id)
        ownTurns.remove(id)
    }

    /// Stores a record after a step, and queues it where it must be pushed.
    @discardableResult
    mutating func store<Book>(
        _ stored: StoredRecord, _ outcome: Outcome, origin: Change.Origin = .remote, editsCountSince: UInt64? = nil,
        _ step: inout Step<Book>
    ) throws -> Int64 {
        let result = try step.book.store(stored, outcome, origin: origin, step.context)
        if let tombstone = stored.state.tombstone {
            peers.oldest = min(peers.oldest ?? .highest, tombstone.stamp)
            try noteNewest(tombstone.stamp, &step)
        }
        if origin == .remote, outcome.change != nil { peers.hasChanged = true }
        if result.pending == .yes { queue.append(stored.state.key.id) }
        if outcome.change == .create, origin == .remote {
            try retryUnknownRecord(stored.state.key, editsCountSince: editsCountSince, &step)
        }
        return result.row
    }

    /// Judges an entry: echoes are dropped, later stamps applied, all else becomes a hint.
    ///
    /// - Parameter gone: takes the ids of disappearances that no tombstone explains.
    /// - Returns: the record's row; nil where it has none, or was not looked for.
    mutating func observe<Book>(
        _ entry: ObservedEntry, _ id: RecordID, _ keyspace: Keyspace, gone: inout [RecordID], _ step: inout Step<Book>
    ) throws -> Int64? {
        var entry = entry
        // Its echo, or what stood there before, or something that is later, or a hint that a read will answer.
        if case .records = keyspace, let echo = unechoed.removeValue(forKey: id) {
            if try echo.is(entry, step.book) { return nil }
            entry = entry.aheadOfEcho
        }
        if case .unreadable(let defect) = entry.value {
            try block(entry, id, defect, &step)
            return try step.book.record(key(id)).row
        }
        try releaseUnreadable(entry, id, &step)
        switch entry.value {
        case .unreadable: return nil
        case .tombstone(let found): return try observe(tombstone: found, id, entry, keyspace, &step)
        case .record(let reading): return try observe(reading, entry, id, keyspace, gone: &gone, &step)
        }
    }

    private mutating func observe<Book>(
        tombstone found: AdmittedTombstone?, _ id: RecordID, _ entry: ObservedEntry, _ keyspace: Keyspace,
        _ step: inout Step<Book>
    ) throws -> Int64? {
        var stored = try step.book.record(key(id))
        guard found?.tombstone.stamp != stored.state.tombstone?.stamp else { return stored.row }
        guard let found else {
            // Ended, or removed by somebody: the horizon tells.
            peers.lost.insert(id)
            peers.wantsHorizon = true
            return stored.row
        }
        let row = try merge(found, &stored, &step)
        if stored.state.remote != nil { hint(id, Hint(counted: true, floors: floor(entry, keyspace))) }
        return row
    }

    /// Merges a tombstone. A disappearance that waits for a person is decided by it, see ``isInQuestion(_:_:_:)``.
    @discardableResult
    mutating func merge<Book>(
        _ tombstone: AdmittedTombstone, _ stored: inout StoredRecord, _ step: inout Step<Book>
    ) throws -> Int64 {
        if try isInQuestion(tombstone, stored.state, step.book) {
            stored.state.remember(tombstone, clock: &step.book.clock)
            return try store(stored, Outcome(), &step)
        }
        let outcome = stored.state.readTombstone(tombstone, clock: &step.book.clock, step.context.step)
        let row = try store(stored, outcome, &step)
        let (id, isDeleted) = (stored.state.key.id, stored.state.known.isDeleted)
        if isDeleted { streams[.records(rules.id)]?.foreignChanges.discard(id, at: step.time.monotonic) }
        guard try step.book.anyHeld() else { return row }
        // Another node has decided about what apps have made of it, too.
        if isDeleted, try step.book.release(stored.state.key, from: [.massForeignChange], step.context) {
            released(id)
        }
        // Over a base without a stamp it is only remembered, and explains all the same why nothing is there.
        if isDeleted || stored.state.deletionIsStamped { try releaseDisappeared(id, &step) }
        return row
    }

    /// The holds that name records because they are gone from the remote.
    package static let disappearances: Set<HoldKind> = [.massDelete, .emptyRemote, .rootIsOneRecord]

    func floor(_ entry: ObservedEntry, _ keyspace: Keyspace) -> [Keyspace: UInt64] {
        settings.pull == .incremental ? [keyspace: entry.serverTime ?? streams[keyspace]?.cursor ?? 0] : [:]
    }

    private mutating func observe<Book>(
        _ reading: Reading, _ entry: ObservedEntry, _ id: RecordID, _ keyspace: Keyspace, gone: inout [RecordID],
        _ step: inout Step<Book>
    ) throws -> Int64? {
        if try waits(found: reading, entry, id, &step) { return try step.book.record(key(id)).row }
        var stored = try step.book.record(key(id))
        if try isDuplicate(entry, reading, keyspace, &stored, &step) { return stored.row }
        switch verdict(on: reading, stored.state) {
        case .echo: return stored.row
        case .apply:
            if stored.state.isPutBack(reading) { stored.state.timesPutBack += 1 }
            if stored.state.remote == nil { stored.state.remoteKey = entry.nonCanonicalKey }
            ownTurns.remove(id)
            editsCountSince[id] = nil
            // Another node has written over what an app had made of it, or has taken it over.
            streams[keyspace]?.foreignChanges.discard(id, at: step.time.monotonic)
            return try apply(reading, entry, editsCountSince(stored.state, &step), &stored, &step)
        case .hint:
            let before = stored.state
            if let older = before.olderVersion(reading) { try noteOlder(older, of: id, &step) }
            // What a snapshot showed may be looked at only when its stream is live: it is the same that is still to be read.
            editsCountSince[id] = reading == .absent ? nil : try editsCountSince(before, &step) ?? editsCountSince[id]
            if before.remote == nil, reading != .absent { stored.state.remoteKey = entry.nonCanonicalKey }
            // Every node counts, whichever of them removes it.
            if before.isPutBack(reading) {
                stored.state.timesPutBack += 1
                putBack.insert(id)
            }
            if stored.state != before { try store(stored, Outcome(), &step) }
            if let content = foreignContent(reading, stored.state, step) {
                let hint = Hint(floors: floor(entry, keyspace))
                streams[keyspace]?.foreignChanges.add(id, content, hint, at: step.time.monotonic)
                return stored.row
            }
            hint(id, Hint(floors: floor(entry, keyspace)))
            if reading == .absent, stored.state.wouldBeDeletedWithoutTombstone { gone.append(id) }
            return stored.row
        }
    }

    private mutating func apply<Book>(
        _ reading: Reading, _ entry: ObservedEntry, _ since: UInt64?, _ stored: inout StoredRecord,
        _ step: inout Step<Book>
    ) throws -> Int64 {
        let outcome = try learn(reading, entry, editsCountSince: since, &stored.state, &step)
        doubtful.remove(stored.state.key.id)
        takeTurn(stored.state, &step)
        let row = try store(stored, outcome, editsCountSince: reading.isForeign ? since : nil, &step)
        try StaleWriter.raise(ifNeeded: stored.state, in: step.book, step.context)
        return row
    }

    /// A record is there in an older version. Where all that there is is shown, that looks like an older copy of it; an app
    /// that has written a stale copy back has changed something in it.
    private mutating func noteOlder<Book>(
        _ version: AdmittedVersion, of id: RecordID, _ step: inout Step<Book>
    ) throws {
        let keyspace = Keyspace.records(rules.id)
        guard let stream = streams[keyspace] else { return }
        let showsAll = stream.isWhole ? stream.phase == .snapshot : peers.isRebuilding
        let isNew = showsAll ? stream.older?.amongAll != true : stream.phase == .snapshot && stream.older == nil
        guard isNew else { return }
        let known = try step.book.contents(of: key(id), at: version.stamp)
        guard known.isEmpty || known.contains(version.content) else { return }
        streams[keyspace]?.noteOlder(amongAll: showsAll, at: step.time.monotonic)
    }

    /// What an event or a snapshot entry is worth.
    private enum Verdict {
        /// The base already says so.
        case echo
        /// Carries a stamp above the base's, or shows an app's record of which nothing is known: applied directly.
        case apply
        /// The record is read, and the answer decides.
        case hint
    }

    private func verdict(on reading: Reading, _ state: RecordState) -> Verdict {
        switch (reading, state.remote) {
        case (.absent, .some): return .hint
        case (.absent, nil): return .echo
        case (.stamped(let version), let remote?):
            // Also what an app wrote under that stamp, and was read before.
            let isKnown = remote.newestStamp == version.stamp && remote.content == version.content
            if isKnown, version.isWhole(over: remote) || !remote.isComplete { return .echo }
            guard let known = remote.stamp, version.stamp > known else { return .hint }
            return state.alteredFields(of: version, rules.merge).isEmpty ? .apply : .hint
        case (.stamped(let version), nil): return state.alteredFields(of: version, rules.merge).isEmpty ? .apply : .hint
        case (.foreign(let body), let remote?):
            return remote.stamp == nil && remote.content == body.content ? .echo : .hint
        case (.foreign, nil): return state.known == KnownVersion() ? .apply : .hint
        }
    }

    /// Whether the upper-case key is about to be read, and nothing is known to stand under another: until that is answered a
    /// second key is not the record's own, however it is shown.
    func readsUpperCaseFirst(_ state: RecordState) -> Bool {
        guard !rules.key.isKeyed, state.remote == nil, state.remoteKey == nil else { return false }
        return hints[state.key.id]?.readsOwnKey ?? false
    }

    /// Where more disappear at once than may, they are held instead of asked for.
    mutating func judge<Book>(disappeared gone: inout [RecordID], _ step: inout Step<Book>) throws {
        // What stands under another key now is not deleted.
        gone.removeAll { hints[$0]?.duplicateKey != nil || goneSecondKeys.contains($0) }
        defer { gone = [] }
        guard gone.count > 5 else { return }
        if try admits(deletes: gone, &step) {
            for id in gone { hint(id, Hint(counted: true)) }
        } else {
            try holdDeletes(of: gone, &step)
            for id in gone { hints[id] = nil }
        }
    }

    // MARK: Quarantine

    /// Puts an entry that can't be taken into quarantine; what this node has for its key is not pushed.
    mutating func block<Book>(
        _ entry: ObservedEntry, _ id: RecordID, _ defect: Defect, _ step: inout Step<Book>
    ) throws {
        if entry.isTombstone { return try quarantine(entry, defect, &step) }
        var stored = try step.book.record(key(id))
        let before = stored.state
        // Of two keys that can't be read the upper-case one counts too.
        let isCanonical = entry.nonCanonicalKey == nil
        let counts = try isCanonical || items(named: id.description, areTombstones: false, step.book).isEmpty
        if let second = entry.nonCanonicalKey, readsUpperCaseFirst(before) {
            hint(id, Hint(duplicateKey: second))
        } else if before.remote == nil, counts {
            stored.state.remoteKey = entry.nonCanonicalKey
        }
        // Something stands there: nothing may be written over it without a condition.
        if before.newInRun != nil { stored.state.attempted() }
        if stored.state != before { try store(stored, Outcome(), &step) }
        try quarantine(entry, defect, &step)
    }

    func quarantine<Book>(_ entry: ObservedEntry, _ defect: Defect, _ step: inout Step<Book>) throws {
        var item = QuarantinedItem(.pull, defect, since: step.time.wall)
        item.record = entry.nameInQuarantine
        item.isTombstone = entry.isTombstone
        item.stamp = entry.future
        try quarantine(item, &step)
    }

    /// Puts a key that no record has into quarantine.
    func quarantine<Book>(_ key: String, _ defect: Defect, _ step: inout Step<Book>) throws {
        var item = QuarantinedItem(.pull, defect, since: step.time.wall)
        item.record = key
        try quarantine(item, &step)
    }

    private func quarantine<Book>(_ found: QuarantinedItem, _ step: inout Step<Book>) throws {
        var item = found
        item.collection = rules.id
        try step.book.quarantine(item, step.context)
        step.note(.quarantined(key: item.record ?? "", item.defect))
    }

    /// What was put into quarantine of records, or of their tombstones, by a name.
    func items(named name: String, areTombstones: Bool, _ book: some RecordBook) throws -> [QuarantinedItem] {
        guard try book.anyQuarantined() else { return [] }
        return try book.quarantined(collection: rules.id, record: name).filter {
            $0.source == .pull && $0.isTombstone == areTombstones
        }
    }

    /// An entry can be read again, or is gone.
    mutating func releaseUnreadable<Book>(_ entry: ObservedEntry, _ id: RecordID?, _ step: inout Step<Book>) throws {
        try releaseUnreadable(entry.nameInQuarantine, id, isTombstone: entry.isTombstone, &step)
    }

    /// The same, by the name that the quarantine has for it.
    mutating func releaseUnreadable<Book>(
        _ name: String, _ id: RecordID?, isTombstone: Bool = false, _ step: inout Step<Book>
    ) throws {
        for item in try items(named: name, areTombstones: isTombstone, step.book) {
            try release(unreadable: item, id, &step)
        }
    }

    /// What waits for it goes on. Where a tombstone ended without being read, its record may be gone too.
    mutating func release<Book>(unreadable item: QuarantinedItem, _ id: RecordID?, _ step: inout Step<Book>) throws {
        try step.book.release(item, step.context)
        guard let id else { return }
        queue.append(id)
        if item.isTombstone, try step.book.record(key(id)).state.remote != nil { hint(id, Hint()) }
    }
}
