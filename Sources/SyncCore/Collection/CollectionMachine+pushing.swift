internal import SyncModel

/// Bringing the remote to what the records say: in batches where that is safe, else one by one.
extension CollectionMachine {
    mutating func schedulePushes<Book>(_ step: inout Step<Book>) throws {
        var (batch, elements) = (SentBatch(), [BatchElement]())
        step.push.isWatching = streams[.records(rules.id)]?.phase == .live
        step.push.watchesApps = watchesApps
        while requests.count < window.limit, requests.batches < window.batchLimit {
            guard let stored = try nextPending(&step) else { break }
            let id = stored.state.key.id
            let next = readingBeforeEnd(stored.state) ?? nextStep(stored.state, step.push)
            elements.removeAll(keepingCapacity: true)
            if next == .insertInBatch || next == .guarded,
                var sent = sent(stored.state, isFirstAttempt: next == .insertInBatch, &elements)
            {
                sent.row = stored.row
                inFlight.insert(id)
                batch.append(sent, elements)
                if batch.isFull {
                    sendBatch(batch, &step)
                    batch = SentBatch()
                }
            } else {
                if next == .read, let since = try editsCountSince(stored.state, &step) { editsCountSince[id] = since }
                try sendSingle(next, stored.state, &step)
            }
        }
        if !batch.isEmpty { sendBatch(batch, &step) }
    }

    /// The next record that must be pushed now.
    private mutating func nextPending<Book>(_ step: inout Step<Book>) throws -> StoredRecord? {
        while let id = queueOfNew.popFirst() ?? queue.popFirst() {
            // Looked at again when its request is answered.
            if inFlight.contains(id) || hints[id] != nil || deletedUnseen[id] != nil { continue }
            if isChangedUnseen(id) { continue }
            let stored = try step.book.record(key(id))
            guard stored.pending == .yes, !peers.lost.contains(id) else { continue }
            if waitsForKey(stored.state) { continue }
            if try isBelowHorizon(stored, &step) { continue }
            if try waitsForSession(stored.state, &step) || restsForPerson(stored.state) { continue }
            if isTurnOfOthers(stored.state, step) {
                takeTurn(stored.state, &step)
                continue
            }
            if stored.state.isRewritten, rewrites.rests(id, at: step.time.monotonic) { continue }
            return stored
        }
        return nil
    }

    mutating func sendBatch<Book>(_ batch: SentBatch, _ step: inout Step<Book>) {
        send(.batch(batch), .writeBatch(batch.elements), &step)
    }

    private mutating func sendSingle<Book>(
        _ next: PushStep, _ state: RecordState, _ step: inout Step<Book>
    ) throws {
        let id = state.key.id
        let records = Keyspace.records(rules.id)
        let person = rules.key.author(of: state.keyInRemote)
        switch next {
        case .nothing, .insertInBatch, .guarded: return
        case .write(let condition):
            var elements: [BatchElement] = []
            guard let sent = sent(state, isFirstAttempt: false, &elements), let write = elements.first?.write else {
                return
            }
            send(.write(sent), .write(write, records, condition), as: person, &step)
        case .writeTombstone(let condition):
            guard let tombstone = tombstone(of: state) else { return }
            send(
                .writeTombstone(id, tombstone.known), .write(tombstone.write, .tombstones(rules.id), condition),
                as: person, &step)
        case .remove(let etag):
            send(.remove(id), .remove(state.keyInRemote, records, etag: etag), as: person, &step)
        case .read:
            send(.read(id, Hint(needsETag: true, isOnlyForPush: true)), .read(state.keyInRemote, records), &step)
        case .readTombstone: send(.fetchTombstone(id), .read(id.description, .tombstones(rules.id)), &step)
        }
        inFlight.insert(id)
    }

    /// The record as it should be, or its tombstone and its removal.
    ///
    /// - Parameter elements: empty; gets what goes out.
    private func sent(_ state: RecordState, isFirstAttempt: Bool, _ elements: inout [BatchElement]) -> Sent? {
        let id = state.key.id
        let records = Keyspace.records(rules.id)
        if let content = state.outgoing(rules.merge), let stamp = state.stamp {
            let key = state.keyInRemote
            let write = RemoteWrite(
                key: key,
                body: .record(
                    content.content, identityFields: rules.identityFields(id),
                    fieldStamps: content.stamps == FieldStamps(stamp) ? nil : content.stamps),
                stamp: stamp, replaces: replaced(state))
            elements.append(BatchElement(keyspace: records, key: key, write: write))
            return Sent(id: id, content: content, stamp: stamp, isFirstAttempt: isFirstAttempt)
        }
        guard let deletion = state.known.deletion else { return nil }
        var sent = Sent(id: id, stamp: deletion, isFirstAttempt: false, isShown: state.remote != nil)
        if settings.keepsTombstones, let tombstone = tombstone(of: state) {
            sent.tombstone = tombstone.known
            elements.append(
                BatchElement(keyspace: .tombstones(rules.id), key: tombstone.write.key, write: tombstone.write))
        }
        if sent.isShown { elements.append(BatchElement(keyspace: records, key: state.keyInRemote, write: nil)) }
        sent.elementCount = elements.count
        return sent
    }

    /// The tombstone of a delete, and what the remote holds once it is written. It names the content that was deleted, where
    /// that is known: an older tombstone has it as long as nothing was written since.
    private func tombstone(of state: RecordState) -> (write: RemoteWrite, known: KnownTombstone)? {
        guard let deletion = state.known.deletion else { return nil }
        let written = state.known.fields?.newest ?? .zero
        let before = state.tombstone.flatMap { $0.stamp > written ? $0.contentHash : nil }
        let ended = state.remote?.content.hash ?? before ?? state.endedHere
        return (
            RemoteWrite(
                key: state.key.id.description, body: .tombstone(ended: ended), stamp: deletion,
                replaces: replaced(state)),
            KnownTombstone(stamp: deletion, contentHash: ended)
        )
    }

    // MARK: Answers

    private mutating func change<Book>(
        _ id: RecordID, _ step: inout Step<Book>,
        _ change: (inout RecordState, inout HybridClock, StepContext) -> Outcome
    ) throws {
        var stored = try step.book.record(key(id))
        let outcome = change(&stored.state, &step.book.clock, step.context.step)
        try store(stored, outcome, &step)
    }

    mutating func written<Book>(_ sent: Sent, _ outcome: WriteOutcome, _ step: inout Step<Book>) throws {
        let id = sent.id
        guard let content = sent.content else { return }
        switch outcome {
        case .written(let etag):
            try change(id, &step) { $0.acknowledged(content, at: sent.stamp, etag: etag, clock: &$1, $2) }
            acknowledged(id)
            step.note(.acknowledged(records: 1))
            try complete([id], &step)
        case .conflict(let entry): try conflict(id, entry, &step)
        }
    }

    /// - Parameters:
    ///   - isShown: the stream of the records will show what was written: a tombstone alone it does not.
    ///   - echo: how it will be told.
    private mutating func acknowledged(
        _ id: RecordID, isRemoval: Bool = false, isShown: Bool = true, _ echo: Echo = Echo()
    ) {
        peers.hasChanged = true
        unanswered.discard(id)
        contention.discard(id)
        ownTurns.discard(id)
        doubtful.discard(id)
        standing.discard(id)
        renewals.discard(id)
        turns.discard(id)
        seenSinceKeys?.insert(id)
        if isShown, !isRemoval || settings.pull == .full { unechoed[id] = echo }
        if !isRemoval { awaitShown(id, .records(rules.id)) }
    }

    /// Others were first: where that goes on, nothing more is asked for a while, and the write counts as one that fails.
    private mutating func noteContention<Book>(_ id: RecordID, _ step: inout Step<Book>) {
        contention[id, default: 0] += 1
        guard contention[id, default: 0] > 5 else { return }
        step.note(.writeFailed(.contended(id)))
        backOff(.contended(id), &step)
    }

    /// A condition did not hold: the answer shows what stands there, which is merged as if it had been read.
    private mutating func conflict<Book>(
        _ id: RecordID, _ entry: RemoteEntry, _ step: inout Step<Book>
    ) throws {
        noteContention(id, &step)
        try read(id, Hint(isOnlyForPush: true), answered: entry, &step)
    }

    mutating func merge<Book>(
        tombstone entry: RemoteEntry, _ id: RecordID, _ step: inout Step<Book>
    ) throws {
        if entry.etag == nil { backOff(.noETag(id), &step) }
        if entry.isDoubtful { return try complete([id], &step) }
        let found = readTombstone(entry, &step)
        if isAskedAgain(found, id, entry) { return try complete([id], &step) }
        switch found.value {
        case .unreadable(let defect): try block(found, id, defect, &step)
        case .tombstone(nil) where try noteLost(found, id, &step): break
        case .tombstone(nil): try change(id, &step) { $0.readTombstone(nil, clock: &$1, $2) }
        case .tombstone(let tombstone?):
            var stored = try step.book.record(key(id))
            try merge(tombstone, &stored, &step)
        case .record: break
        }
        try complete([id], &step)
    }

    mutating func writtenTombstone<Book>(
        _ id: RecordID, _ tombstone: KnownTombstone, _ outcome: WriteOutcome, _ step: inout Step<Book>
    ) throws {
        switch outcome {
        case .written(let etag):
            try change(id, &step) { state, _, _ in
                state.tombstone = tombstone
                state.tombstone?.etag = etag
                return Outcome()
            }
            awaitShown(id, .tombstones(rules.id))
            if renewals[id] != nil { renewals[id] = .done }
            contention[id] = nil
            try complete([id], &step)
        case .conflict(let entry):
            noteContention(id, &step)
            try merge(tombstone: entry, id, &step)
        }
    }

    mutating func removed<Book>(_ id: RecordID, _ outcome: WriteOutcome, _ step: inout Step<Book>) throws {
        switch outcome {
        case .written:
            try noteRemoval(id, nil, &step)
            acknowledged(id, isRemoval: true)
            step.note(.acknowledged(records: 1))
            try complete([id], &step)
        case .conflict(let entry): try conflict(id, entry, &step)
        }
    }

    /// The record is gone.
    private mutating func noteRemoval<Book>(
        _ id: RecordID, _ tombstone: KnownTombstone?, _ step: inout Step<Book>
    ) throws {
        try change(id, &step) { state, _, _ in
            if let tombstone { state.tombstone = tombstone }
            state.removed()
            return Outcome()
        }
    }

    /// A batch was written.
    mutating func acknowledged<Book>(_ batch: [Sent], _ step: inout Step<Book>) throws {
        var rest: [RecordID] = []
        for sent in batch {
            if let content = sent.content {
                if sent.isFirstAttempt, let row = sent.row,
                    try step.book.acknowledge(key(sent.id), row: row, content, at: sent.stamp)
                {
                    acknowledged(
                        sent.id,
                        Echo(
                            stamp: sent.stamp, hash: content.content.hash,
                            hasOneStamp: content.stamps == FieldStamps(sent.stamp)))
                    // It is not pending any more, and mostly nothing else was to be done for it.
                    if hints[sent.id] != nil || deferred[sent.id] != nil {
                        rest.append(sent.id)
                    } else {
                        inFlight.remove(sent.id)
                    }
                    continue
                }
                rest.append(sent.id)
                try change(sent.id, &step) { $0.acknowledged(content, at: sent.stamp, etag: nil, clock: &$1, $2) }
                acknowledged(sent.id)
            } else {
                rest.append(sent.id)
                try noteRemoval(sent.id, sent.tombstone, &step)
                if sent.tombstone != nil { awaitShown(sent.id, .tombstones(rules.id)) }
                acknowledged(sent.id, isRemoval: true, isShown: sent.isShown)
            }
        }
        step.note(.acknowledged(records: batch.count))
        try complete(rest, &step)
    }

    /// Nobody knows whether these were written: from now on only conditional writes.
    mutating func noteUnanswered<Book>(_ batch: [Sent], _ step: inout Step<Book>) throws {
        for sent in batch {
            if let content = sent.content, unanswered[sent.id]?.last != content {
                unanswered[sent.id, default: []].append(content)
            }
            guard try step.book.record(key(sent.id)).state.newInRun != nil else { continue }
            try change(sent.id, &step) { state, _, _ in
                state.attempted()
                return Outcome()
            }
        }
    }
}
