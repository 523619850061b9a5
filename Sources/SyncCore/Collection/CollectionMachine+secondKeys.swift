internal import SyncModel

/// Two keys for one UUID: the upper-case one counts, the other is merged and removed (`docs/protocol.md` section 9).
extension CollectionMachine {
    /// Whether a second key of a record may be merged, which ends with a write: not while nothing may be written, nor while a
    /// hold names the record.
    func mayMergeSecondKey(of id: RecordID, _ book: some RecordBook) throws -> Bool {
        try mayWrite && !isHeld(id, book)
    }

    /// A hold may have ended: what waited for that is read.
    mutating func lookAtSecondKeys() {
        for id in hints.withSecondKey.sorted() { readings.append(id) }
    }

    /// Something may be written again, or nothing any more: what waited for that is read.
    mutating func noteMayWrite() {
        guard couldWrite != mayWrite else { return }
        couldWrite = mayWrite
        if couldWrite { lookAtSecondKeys() }
    }

    /// A second key is looked at when the one that counts has been read; where that is gone, it is the record's own.
    mutating func lookAtSecondKey<Book>(
        _ id: RecordID, _ hint: Hint, _ step: inout Step<Book>
    ) throws {
        guard let second = hint.duplicateKey else { return }
        var stored = try step.book.record(key(id))
        if stored.state.remote != nil {
            // Never the key that the record itself stands under.
            if stored.state.keyInRemote != second {
                self.hint(id, .second(SecondKey(id: id, key: second, floors: hint.floors)))
            }
            return
        }
        stored.state.remoteKey = second
        try store(stored, Outcome(), &step)
        self.hint(id, Hint(floors: hint.floors))
    }

    /// Two keys for one UUID: the upper-case one counts, the other is merged and removed.
    mutating func isDuplicate<Book>(
        _ entry: ObservedEntry, _ reading: Reading, _ keyspace: Keyspace, _ stored: inout StoredRecord,
        _ step: inout Step<Book>
    ) throws -> Bool {
        let id = stored.state.key.id
        if let second = entry.nonCanonicalKey, readsUpperCaseFirst(stored.state) {
            // Looked at after that one; where that is gone it is the record's own.
            if reading == .absent {
                forgetSecondKey(second, of: id)
            } else {
                hint(id, Hint(duplicateKey: second, floors: floor(entry, keyspace)))
            }
            return true
        }
        guard stored.state.remote != nil, stored.state.remoteKey != entry.nonCanonicalKey else { return false }
        if reading == .absent {
            try step.book.forgetHeldBefore(stored.state.key)
            forgetSecondKey(entry.key, of: id)
            return true
        }
        // No stream of changes tells when it is gone.
        if settings.pull == .incremental { goneSecondKeys.add(id, at: step.time.monotonic) }
        // Where its own key was shown as gone before, nobody sees two.
        if hints[id] == nil { goneSecondKeys.noteShown(id, at: step.time.monotonic) }
        // Of a key that was not there a moment ago nothing is known.
        let isNew = streams[keyspace]?.phase == .live && hints[id]?.duplicateKey == nil
        if isNew { try step.book.forgetHeldBefore(stored.state.key, where: { $0 != .stays }) }
        try hint(secondKey: entry.nonCanonicalKey ?? id.description, floors: floor(entry, keyspace), &step)
        stored = try step.book.record(key(id))
        return true
    }

    /// A second key is gone while the record stands under its own: perhaps another node has removed it.
    ///
    /// - Parameter gone: whose own key is gone by now.
    mutating func noteSecondKeyGone<Book>(
        _ entry: ObservedEntry, _ id: RecordID, after gone: [RecordID], _ step: Step<Book>
    ) throws {
        guard entry.isAbsent, !entry.isTombstone, let second = entry.nonCanonicalKey, !gone.contains(id) else { return }
        let state = try step.book.record(key(id)).state
        guard state.remote != nil, state.remoteKey != second else { return }
        goneSecondKeys.add(id, at: step.time.monotonic)
    }

    /// Nothing stands under a second key any more: where its own key is gone, too, the record is.
    private mutating func forgetSecondKey(_ key: String, of id: RecordID) {
        guard var hint = hints[id], hint.duplicateKey == key else { return }
        hint.duplicateKey = nil
        // A hint ends only with an answered read.
        hint.readsOwnKey = true
        hints[id] = hint
        readings.append(id)
    }

    /// Hints at what stands under a key of the record, be it the one that is known or another.
    ///
    /// - Parameter floors: what cursors must not pass before it is looked at.
    mutating func hint<Book>(
        at key: String, of id: RecordID, floors: [Keyspace: UInt64] = [:], _ step: inout Step<Book>
    ) throws {
        var stored = try step.book.record(self.key(id))
        guard stored.state.keyInRemote != key else { return hint(id, Hint(floors: floors)) }
        guard rules.key.isKeyed else { return hint(id, Hint(duplicateKey: key, floors: floors)) }
        // There is no other, and nothing has told it yet.
        stored.state.remoteKey = key
        try store(stored, Outcome(), &step)
        hint(id, Hint(floors: floors))
    }

    /// Hints that a key stands beside the one that is known; nothing where that is not so any more.
    ///
    /// - Parameter floors: what cursors must not pass before it is looked at.
    mutating func hint<Book>(
        secondKey key: String, floors: [Keyspace: UInt64] = [:], _ step: inout Step<Book>
    ) throws {
        guard let id = RecordID(key) else { return }
        var stored = try step.book.record(self.key(id))
        guard let base = stored.state.remote, stored.state.keyInRemote != key else {
            return hint(id, Hint(floors: floors))
        }
        var second = key
        // While a hold names the record, what is known of it stays: that key is looked at afterwards.
        if key == id.description, let known = stored.state.remoteKey, try !isHeld(id, step.book) {
            second = known
            // What an app shows unchanged under the new key is not the app's, and what is deleted there was this.
            try step.book.setHeldBefore(base.content, .only, stored.state.key)
            stored.state.move(to: key)
            try store(stored, Outcome(), &step)
        }
        // Whether the one that counts is still there is looked at first: else the second would be removed before it is.
        hint(id, Hint(duplicateKey: second, floors: floors))
    }

    /// The upper-case key is gone before anybody has looked whether the other one is still there: that is the record's own
    /// again, and a read of it decides.
    mutating func movesBack<Book>(_ id: RecordID, _ hint: Hint, _ step: inout Step<Book>) throws -> Bool {
        var stored = try step.book.record(key(id))
        guard stored.state.remoteKey == nil, stored.state.remote != nil,
            let held = try step.book.heldBefore(stored.state.key), held.mark == .only,
            try !isHeld(id, step.book)
        else { return false }
        let outcome = stored.state.movedBack(
            to: hint.duplicateKey ?? id.description.lowercased(), holding: held.content, clock: &step.book.clock,
            step.context.step)
        try step.book.forgetHeldBefore(stored.state.key)
        try readElsewhere(stored, outcome, hint, &step)
        return true
    }

    /// A record is read under the key that it stands under now, for what it was to be read for.
    private mutating func readElsewhere<Book>(
        _ stored: StoredRecord, _ outcome: Outcome, _ hint: Hint, _ step: inout Step<Book>
    ) throws {
        let id = stored.state.key.id
        try store(stored, outcome, &step)
        self.hint(id, Hint(counted: hint.counted, looksAtTombstone: hint.looksAtTombstone, floors: hint.floors))
        try complete([id], &step)
    }

    /// Another key of it was shown: it stands there now, and that it is gone from the one that is known is no delete.
    ///
    /// - Parameter tombstone: what its tombstone says.
    mutating func followsKey<Book>(
        _ id: RecordID, _ hint: Hint, _ tombstone: AdmittedTombstone?, _ step: inout Step<Book>
    ) throws -> Bool {
        guard !rules.key.isKeyed else { return false }
        let second = hint.duplicateKey ?? keyShownMeanwhile(id)
        guard second != nil || goneSecondKeys.contains(id) else { return false }
        var stored = try step.book.record(key(id))
        guard let base = stored.state.remote, stored.state.keyInRemote != hint.duplicateKey else { return false }
        if let tombstone, tombstone.tombstone.stamp > base.newestStamp ?? .zero { return false }
        guard let second else {
            try writeAgain(&stored, &step)
            return true
        }
        // Shown there while that was asked: somebody has written it again since, or had before.
        if stored.state.keyInRemote == second {
            try readElsewhere(stored, Outcome(), hint, &step)
            return true
        }
        // What could not be read there is gone.
        try releaseUnreadable(stored.state.keyInRemote, nil, &step)
        // Whether it is there is to be read; where it is not, it was deleted.
        stored.state.move(to: second)
        goneSecondKeys.follows(id, at: step.time.monotonic)
        try readElsewhere(stored, Outcome(), hint, &step)
        return true
    }

    /// Writes a record again that is gone right after a second key of it was removed: who moved it there has removed the one, a
    /// node the other, and it stands nowhere.
    private mutating func writeAgain<Book>(_ stored: inout StoredRecord, _ step: inout Step<Book>) throws {
        let id = stored.state.key.id
        goneSecondKeys.remove(id)
        let outcome = stored.state.movedAway(clock: &step.book.clock, step.context.step)
        try store(stored, outcome, &step)
        try complete([id], &step)
    }

    /// Under which key a record was shown while a request of it was in flight.
    private func keyShownMeanwhile(_ id: RecordID) -> String? {
        deferred[id]?.last { keyspace, entry in
            if case .records = keyspace { !entry.isAbsent } else { false }
        }?.1.key
    }

    mutating func readDuplicate<Book>(
        _ second: SecondKey, answered entry: RemoteEntry, _ step: inout Step<Book>
    ) throws {
        let id = second.id
        let shown = step.reader.read(entry, in: .records(rules.id))
        // A hint ends only with an answered read.
        if isAskedAgain(shown, id, entry, evenReadable: true) {
            return try readInVain(id, .second(second), &step)
        }
        switch shown.value {
        case .unreadable(let defect): try quarantine(shown, defect, &step)
        case .record(let reading) where reading != .absent:
            // The upper-case one counts.
            if second.key == id.description {
                try hint(secondKey: second.key, floors: second.floors, &step)
                break
            }
            // Perhaps the push was paused, or a hold raised, while this was being asked.
            guard try mayMergeSecondKey(of: id, step.book) else {
                hint(id, .second(second))
                break
            }
            guard let etag = shown.etag else { break }
            var stored = try step.book.record(key(id))
            guard stored.state.keyInRemote != second.key else {
                hint(id, Hint(floors: second.floors))
                break
            }
            let held = try step.book.heldBefore(stored.state.key)
            let outcome = stored.state.mergedDuplicate(
                reading, heldBefore: held?.content(beside: stored.state.remote),
                wasMerged: held.map { $0.mark != .only } ?? false, clock: &step.book.clock, step.context.step)
            if case .foreign(let body) = reading {
                try step.book.setHeldBefore(body.content, .merged, stored.state.key)
            }
            try store(stored, outcome, &step)
            return send(.removeDuplicate(second), .remove(second.key, .records(rules.id), etag: etag), &step)
        case .record where !entry.isDoubtful: try secondKeyIsGone(shown.nameInQuarantine, id, &step)
        default: break
        }
        try complete([id], &step)
    }

    /// The second key of a record was removed, or holds something else by now. What was said against it stands until it is
    /// gone: the remote may not let it be removed, each time that is tried.
    mutating func removedSecondKey<Book>(
        _ second: SecondKey, _ outcome: WriteOutcome, _ step: inout Step<Book>
    ) throws {
        let id = second.id
        if case .conflict = outcome {
            hint(id, .second(second))
        } else {
            try secondKeyIsGone(second.key, id, &step)
        }
        try complete([id], &step)
    }

    private mutating func secondKeyIsGone<Book>(_ name: String, _ id: RecordID, _ step: inout Step<Book>) throws {
        goneSecondKeys.add(id, at: step.time.monotonic)
        try step.book.forgetHeldBefore(key(id))
        try releaseUnreadable(name, id, &step)
    }

    /// What becomes of a second key of which a request has failed.
    ///
    /// - Returns: whether that is all there is to be done.
    mutating func failedAtSecondKey<Book>(
        _ kind: Job.Kind, _ error: RemoteError, _ step: inout Step<Book>
    ) throws -> Bool {
        switch kind {
        // What it held is merged, and the record goes on without it.
        case .removeDuplicate(let second) where error.isOfWhatIsAskedFor:
            let (id, key) = (second.id, second.key)
            let reason = "it is a second key of \(id), and the remote does not let it be removed: \(error.message)"
            try quarantine(key, Defect(.unreadableRecord, reason), &step)
            try step.book.noteHeldBeforeStays(self.key(id))
            try complete([id], &step)
        case .readDuplicate(let second) where error.code == .tooLarge:
            try setAside(secondKey: second.key, of: second.id, error, &step)
            try complete([second.id], &step)
        case .readDuplicate where error.isOfWhatIsAskedFor:
            askForNobodys(after: kind, error, in: .records(rules.id), &step)
        case .readDuplicate(let second), .removeDuplicate(let second):
            hint(second.id, .second(second))
            return false
        default: return false
        }
        return true
    }
}
