internal import JSONText
internal import SyncModel

/// Reading what hints point at, and merging the answers. A hint ends only with an answered read.
extension CollectionMachine {
    /// Hints beyond this number may be read in pages.
    static let maxSingleReads = 64

    /// The next request that reads; nil where there is nothing to read now.
    mutating func nextReading<Book>(_ step: inout Step<Book>) throws -> (Job.Kind, RemoteCall)? {
        guard !hints.isEmpty else { return nil }
        if hints.count > CollectionMachine.maxSingleReads, requests.pages == 0,
            hints.count * 4 >= (try step.book.counts(of: rules.id).records), let page = try nextPage(&step)
        {
            return page
        }
        guard let (id, hint) = try nextHint(&step) else { return nil }
        inFlight.insert(id)
        let state = try step.book.record(key(id)).state
        // The key that counts is read first.
        if let second = hint.duplicateKey, !hint.readsOwnKey, state.remote != nil {
            let second = SecondKey(id: id, key: second, floors: hint.floors)
            return (.readDuplicate(second), .read(second.key, .records(rules.id)))
        }
        return (.read(id, hint), .read(state.keyInRemote, .records(rules.id)))
    }

    /// The hint that waits longest, of a record of which no request is in flight.
    private mutating func nextHint<Book>(_ step: inout Step<Book>) throws -> (RecordID, Hint)? {
        while let id = readings.popFirst() {
            // Put back when its request is answered.
            if inFlight.contains(id) { continue }
            guard let hint = hints[id] else { continue }
            if !hint.readsOwnKey, try !mayMergeSecondKey(of: id, step.book) { continue }
            hints[id] = nil
            return (id, hint)
        }
        return nil
    }

    /// A record is to be read again, with all that is in quarantine of it: its tombstone, and second keys.
    mutating func readAgain<Book>(_ id: RecordID, tombstones: Bool = false, _ step: inout Step<Book>) throws {
        let looks = try tombstones || !items(named: id.description, areTombstones: true, step.book).isEmpty
        hint(id, Hint(looksAtTombstone: looks))
        let state = try step.book.record(key(id)).state
        // What is named after an id in quarantine stands under a key of fields, and there is no other.
        guard !rules.key.isKeyed else { return }
        for name in [id.description, id.description.lowercased()] where name != state.keyInRemote {
            guard try !items(named: name, areTombstones: false, step.book).isEmpty else { continue }
            hint(id, state.remote == nil ? Hint(duplicateKey: name) : .second(SecondKey(id: id, key: name)))
        }
    }

    /// What stands under keys is to be read again. What apps have made of what is known is judged as one change where that may
    /// be too much, and where a stream is live, which is waited for.
    mutating func readAgain<Book>(under keys: [String], _ step: inout Step<Book>) throws {
        let limit = MassForeignChange.limit(records: try step.book.counts(of: rules.id).records)
        let isJudged = keys.count > limit || streams[.records(rules.id)]?.phase == .live
        for key in keys { try readAgain(under: key, isJudged: isJudged, &step) }
    }

    /// The same of one, with all that is in quarantine of its record.
    private mutating func readAgain<Book>(under key: String, isJudged: Bool, _ step: inout Step<Book>) throws {
        guard let id = rules.recordID(of: key) else { return }
        let state = try step.book.record(self.key(id)).state
        if isJudged, state.remote != nil, state.keyInRemote == key, try step.book.items(at: state).isEmpty {
            return touch(id, &step)
        }
        try readAgain(id, &step)
        try hint(at: key, of: id, &step)
    }

    // MARK: Answers

    mutating func read<Book>(
        _ id: RecordID, _ hint: Hint, answered entry: RemoteEntry, _ step: inout Step<Book>
    ) throws {
        if entry.isDoubtful { return try readInVain(id, hint, &step) }
        try found(id, hint, entry, &step)
    }

    /// Asked again later: what answers is perhaps not the database (`docs/protocol.md` section 8).
    mutating func readInVain<Book>(_ id: RecordID, _ hint: Hint, _ step: inout Step<Book>) throws {
        notRead(id, hint)
        backOff(.noETag(id), &step)
        try complete([id], &step)
    }

    /// How often what can't be read has to be shown in a row, without an ETag, before it is taken for what stands there.
    private static let timesUntilBelieved = 3

    /// Whether an answer is not believed yet: it shows what can't be a record, or its tombstone, without the ETag that the
    /// database would give it.
    ///
    /// - Parameter evenReadable: also where it could be one.
    mutating func isAskedAgain(
        _ shown: ObservedEntry, _ id: RecordID, _ entry: RemoteEntry, evenReadable: Bool = false
    ) -> Bool {
        let asked = Unbelieved(id: id, key: shown.key, isTombstone: shown.isTombstone)
        guard entry.etag == nil, evenReadable || !shown.isReadable else {
            unbelieved[asked] = nil
            return false
        }
        let times = unbelieved[asked, default: 0] + 1
        let isBelieved = times == CollectionMachine.timesUntilBelieved
        unbelieved[asked] = isBelieved ? nil : times
        return !isBelieved
    }

    /// What a read of the record has found is merged, a disappearance with what its tombstone says.
    mutating func found<Book>(
        _ id: RecordID, _ hint: Hint, _ entry: RemoteEntry, _ step: inout Step<Book>
    ) throws {
        let shown = step.reader.read(entry, in: .records(rules.id))
        if isAskedAgain(shown, id, entry) { return try readInVain(id, hint, &step) }
        if hint.onlyCompares, try mustWait(shown, id, &step) { return try complete([id], &step) }
        if shown.isAbsent, try movesBack(id, hint, &step) { return }
        guard shown.isAbsent || hint.looksAtTombstone, settings.keepsTombstones else {
            if shown.isAbsent, try followsKey(id, hint, nil, &step) { return }
            try merge(shown, id, hint, tombstone: nil, &step)
            try lookAtSecondKey(id, hint, &step)
            if hint.needsETag, entry.etag == nil { backOff(.noETag(id), &step) }
            return try complete([id], &step)
        }
        send(.readTombstone(id, hint, shown), .read(id.description, .tombstones(rules.id)), &step)
    }

    mutating func readTombstone<Book>(
        _ id: RecordID, _ hint: Hint, _ shown: ObservedEntry, answered entry: RemoteEntry, _ step: inout Step<Book>
    ) throws {
        if entry.isDoubtful { return try readInVain(id, hint, &step) }
        let found = readTombstone(entry, &step)
        if isAskedAgain(found, id, entry) { return try readInVain(id, hint, &step) }
        try noteLost(found, id, &step)
        if found.isReadable { try releaseUnreadable(found, id, &step) }
        if !shown.isAbsent { try merge(shown, id, hint, tombstone: nil, &step) }
        switch found.value {
        case .tombstone(let tombstone) where shown.isAbsent:
            if try followsKey(id, hint, tombstone, &step) { return }
            try merge(shown, id, hint, tombstone: tombstone, &step)
        case .tombstone(let tombstone?):
            var stored = try step.book.record(key(id))
            try merge(tombstone, &stored, &step)
        case .tombstone(nil): break
        case .unreadable(let defect): try block(found, id, defect, &step)
        case .record: break
        }
        try lookAtSecondKey(id, hint, &step)
        try complete([id], &step)
    }

    /// Reads what stands under a tombstone's key; one that could not be taken before may be now.
    mutating func readTombstone<Book>(_ entry: RemoteEntry, _ step: inout Step<Book>) -> ObservedEntry {
        let keyspace = Keyspace.tombstones(rules.id)
        let found = step.reader.read(entry, in: keyspace)
        streams[keyspace]?.unread.note(found)
        return found
    }

    /// Merges the answer to a read.
    mutating func merge<Book>(
        _ shown: ObservedEntry, _ id: RecordID, _ hint: Hint, tombstone: AdmittedTombstone?, _ step: inout Step<Book>
    ) throws {
        unechoed[id] = nil
        goneSecondKeys.read(id)
        streams[.records(rules.id)]?.foreignChanges.read(id, nil, at: step.time.monotonic)
        let isOwnTurn = ownTurns.remove(id) != nil
        let noted = editsCountSince.removeValue(forKey: id)
        let shown = try carefully(shown, id, step)
        streams[.records(rules.id)]?.unread.note(shown)
        if case .unreadable(let defect) = shown.value { return try block(shown, id, defect, &step) }
        guard case .record(var reading) = shown.value else { return }
        try releaseUnreadable(shown, id, &step)
        // Perhaps a hold that was raised while this was being asked: nothing is changed before the decision.
        if try waits(found: reading, shown, id, &step) { return }
        var stored = try step.book.record(key(id))
        if reading == .absent, !hint.counted, try isTooMuch(stored.state, hint, tombstone, &step) { return }
        try noteKeyBefore(&reading, shown, stored.state, step.book)
        countPutBack(reading, &stored.state)
        let before = stored.state.remote
        let past = try past(of: reading, stored.state, step.book)
        // Who wrote what stood there before knows best.
        let isDoubtful = past?.isEmpty ?? false && before?.newestStamp?.node != step.push.node
        if isDoubtful { doubtful.insert(id) } else { doubtful.remove(id) }
        let since = try noted ?? editsCountSince(stored.state, &step)
        let outcome = try learn(
            reading, shown, tombstone: tombstone, past: past ?? [], editsCountSince: since, &stored.state, &step)
        try noteKey(reading, shown, &stored.state, step.book)
        if reading.stamp != nil || reading == .absent { unanswered[id] = nil }
        // Read for the ETag when its turn had come: where it is still there as it was, nobody waits for it a second time.
        if isOwnTurn, stored.state.isForeignTurnOfOthers(step.push.node),
            before?.content == stored.state.remote?.content
        {
            ownTurns.insert(id)
        }
        noteStanding(reading, stored.state)
        takeTurn(stored.state, &step)
        // What carries stamps is compared by them.
        try judgePutBack(&stored, outcome, editsCountSince: reading.isForeign ? since : nil, &step)
    }

    /// What stood under the keys of the record before it was read.
    private func noteKeyBefore(
        _ reading: inout Reading, _ shown: ObservedEntry, _ state: RecordState, _ book: some RecordBook
    ) throws {
        if state.remote == nil {
            if shown.nonCanonicalKey != nil { try book.noteHeldBefore(&reading, state.key) }
        } else if reading.isForeign, try book.heldBefore(state.key)?.mark == .only {
            reading = reading.elsewhere
        }
    }

    /// What was read stands under this key, and under no other where it is gone.
    private func noteKey(
        _ reading: Reading, _ shown: ObservedEntry, _ state: inout RecordState, _ book: some RecordBook
    ) throws {
        if reading == .absent {
            // A second key that the remote keeps stands there still when the upper-case one is gone.
            try book.forgetHeldBefore(state.key, where: { $0 != .stays || shown.nonCanonicalKey != nil })
            state.forgetOddKey()
        } else if state.remoteKey != shown.nonCanonicalKey {
            state.remoteKey = shown.nonCanonicalKey
        }
    }

    /// What the record was here with the stamp of a reading that is older than the base; nil for any other reading.
    private func past(of reading: Reading, _ state: RecordState, _ book: some RecordBook) throws -> [Content]? {
        guard case .stamped(let version) = reading, let last = state.remote?.newestStamp, version.stamp < last else {
            return nil
        }
        return try book.contents(of: state.key, at: version.stamp)
    }

    /// Whether a disappearance that nobody has counted yet is one too many, or none of a delete: it is held then.
    private mutating func isTooMuch<Book>(
        _ known: RecordState, _ hint: Hint, _ tombstone: AdmittedTombstone?, _ step: inout Step<Book>
    ) throws -> Bool {
        var state = known
        if let tombstone { state.tombstone = tombstone.tombstone }
        guard state.wouldBeDeletedWithoutTombstone else { return false }
        let looksSetBack = hint.looksSetBack || hint.isUnechoed && isSetBack
        if !looksSetBack, try admits(deletes: [state.key.id], &step) { return false }
        try holdDeletes(of: [state.key.id], by: looksSetBack ? MassDelete.remoteSetBack : nil, &step)
        return true
    }

    // MARK: The end of a request

    /// The requests for these records are answered: what was shown of them meanwhile is judged now, and what is still
    /// pending is queued again.
    mutating func complete<Book>(_ ids: [RecordID], _ step: inout Step<Book>) throws {
        var gone: [RecordID] = []
        for id in ids {
            inFlight.remove(id)
            if peers.lost.contains(id) { peers.wantsHorizon = true }
            if hints[id] != nil { readings.append(id) }
            for (keyspace, entry) in deferred.removeValue(forKey: id) ?? [] {
                // The stream was faster than the answer.
                _ = try observe(judged(entry, step), id, keyspace, gone: &gone, &step)
            }
            if hints[id] == nil, let further = hints.takeFurtherKey(of: id) {
                try hint(at: further.key, of: id, floors: further.floors, &step)
            }
            if try step.book.record(key(id)).pending == .yes { queue.append(id) }
        }
        try judge(disappeared: &gone, &step)
        try judgeForeignChanges(&step)
        if retriesUnknown, hints.isEmpty { try retryUnknownRecords(&step) }
    }
}

/// What was read: a record, or its tombstone.
struct Unbelieved: Hashable, Sendable {
    var id: RecordID
    var key: String
    var isTombstone: Bool
}

extension RemoteEntry {
    /// Whether it shows nothing, and has no ETag either: the database has one for "nothing there" too, and whatever answers
    /// `null` in its place does not.
    package var isDoubtful: Bool { value == .absent && etag == nil }
}
