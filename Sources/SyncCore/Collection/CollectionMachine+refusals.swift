internal import SyncModel

/// What the remote refuses: batches are halved until the record is found; a refused record is read and merged before
/// anything else is decided, and goes to quarantine with the server's words where that changes nothing.
extension CollectionMachine {
    /// Tries at once what waits for another attempt: somebody waits until both sides are equal.
    mutating func retryNow(at now: UInt64) {
        awaitKeys(at: now)
        retryAt = nil
        people.tryNow()
        for keyspace in settings.keyspaces(of: id) where streams[keyspace]?.retryAt != nil {
            streams[keyspace]?.retryAt = 0
        }
    }

    mutating func failedBatch<Book>(_ batch: SentBatch, _ error: RemoteError, _ step: inout Step<Book>) throws {
        switch error.code {
        case .denied, .refused, .tooLarge: try refused(batch, error, &step)
        default:
            if !error.nothingWasWritten { try noteUnanswered(batch.records, &step) }
            backOff(error, &step)
            try complete(batch.records.map(\.id), &step)
        }
    }

    private mutating func refused<Book>(_ batch: SentBatch, _ error: RemoteError, _ step: inout Step<Book>) throws {
        if batch.records.count == 1, let only = batch.records.first {
            return try refused(only.id, only.stamp, error, &step)
        }
        // A hold may name some of them by now, or something has been shown that is looked at first.
        let held = try batch.records.map(\.id).filter { id in
            if deferred[id] != nil || hints[id] != nil || isChangedUnseen(id) { return true }
            return try step.book.record(key(id)).pending != .yes
        }
        try complete(held, &step)
        let batch = batch.filtered { !held.contains($0) }
        // A person has paused that, or must decide.
        guard mayWrite else { return try complete(batch.records.map(\.id), &step) }
        if error.code == .denied, mayBeEverything() {
            backOff(error, &step)
            guard !batch.isEmpty else { return }
            let probe = probe(of: batch)
            sendBatch(probe, &step)
            var sent = Set(probe.records.map(\.id))
            if let place = provable(in: batch), sent.insert(batch.records[place].id).inserted {
                sendBatch(batch.only(place), &step)
            }
            return try complete(batch.records.map(\.id).filter { !sent.contains($0) }, &step)
        }
        for half in held.isEmpty ? batch.halves : [batch] where !half.isEmpty { sendBatch(half, &step) }
    }

    /// Counts a denied batch. Where nothing was taken yet, or nothing since many of them, it may be everything that is denied:
    /// the push waits, and one record tells. With `writeGuard: rules` the first one may as well be a conflict.
    private mutating func mayBeEverything() -> Bool {
        deniedBatches += 1
        return deniedBatches > CollectionMachine.mostHalved || (settings.writeGuard == .etag && writes == 0)
    }

    /// A batch of 1,000 is halved so often until one record is left.
    private static let mostHalved = 10

    /// What of a batch tells whether everything is denied: what was edited since other batches were; else one record.
    private mutating func probe(of batch: SentBatch) -> SentBatch {
        let new = Set(batch.records.filter { $0.stamp > newestDenied }.map(\.id))
        newestDenied = batch.records.reduce(newestDenied) { max($0, $1.stamp) }
        guard !new.isEmpty, new.count < batch.records.count else { return batch.only(place(in: batch)) }
        return batch.filtered(new.contains)
    }

    /// A record that another denial puts aside.
    private func provable(in batch: SentBatch) -> Int? {
        batch.records.firstIndex { record in
            denials[record.id].map { $0.stamp == record.stamp && $0.writes < writes } ?? false
        }
    }

    /// Which record of a batch goes out by itself: the last one that was not denied by itself, else each in its turn.
    private func place(in batch: SentBatch) -> Int {
        batch.records.lastIndex { denials[$0.id]?.stamp != $0.stamp }
            ?? denials.values.reduce(0) { $0 + $1.times } % batch.records.count
    }

    /// The remote refused one record: what stands there is read first.
    ///
    /// - Parameter sent: the stamp of the version that was refused; nil where the request had none.
    mutating func refused<Book>(
        _ id: RecordID, _ sent: Stamp?, _ error: RemoteError, _ step: inout Step<Book>
    ) throws {
        inFlight.insert(id)
        let state = try step.book.record(key(id)).state
        send(.readRefused(id, sent, error), .read(state.keyInRemote, .records(rules.id)), &step)
    }

    mutating func readRefused<Book>(
        _ id: RecordID, _ sent: Stamp?, _ error: RemoteError, answered entry: RemoteEntry, _ step: inout Step<Book>
    ) throws {
        let before = try step.book.record(key(id)).state
        let shown = step.reader.read(entry, in: .records(rules.id))
        if shown.isAbsent, before.remote != nil {
            return try read(id, Hint(isOnlyForPush: true), answered: entry, &step)
        }
        if isAskedAgain(shown, id, entry) {
            backOff(.noETag(id), &step)
            return try complete([id], &step)
        }
        if !shown.isAbsent { try merge(shown, id, Hint(), tombstone: nil, &step) }
        try judgeRefused(id, sent, error, before, &step)
    }

    /// - Parameter before: the record before what stands there was read; as it is where that can't be read.
    mutating func judgeRefused<Book>(
        _ id: RecordID, _ sent: Stamp?, _ error: RemoteError, _ before: RecordState, _ step: inout Step<Book>
    ) throws {
        let after = try step.book.record(key(id)).state
        let stamp = after.version?.stamp
        // An edit that was made meanwhile was never refused.
        let isLater = sent.map { stamp ?? .zero > $0 } ?? false
        let isUnchanged = !isLater && after.known == before.known && after.isBasedAlike(before)
        let wasRefused = try step.book.wasRefused(key(id), at: stamp)
        if isUnchanged, error.code != .denied || wasRefused || isItsOwnFault(id, after.stamp) {
            var item = QuarantinedItem(.push, Defect(.refused, error.message), since: step.time.wall)
            item.collection = rules.id
            item.record = id.description
            item.stamp = stamp
            try step.book.quarantine(item, step.context)
            step.note(.refused(id, error))
        } else if isUnchanged {
            backOff(error, &step)
        }
        try complete([id], &step)
    }

    /// Whether it is this record that the remote does not take, rather than everything: another write has succeeded since
    /// the same version was denied before. Where there is nothing else to write, one version is set aside without that
    /// proof after a few denials: the only one that was denied since the last success.
    private mutating func isItsOwnFault(_ id: RecordID, _ stamp: Stamp?) -> Bool {
        var denial = Denial(stamp: stamp, writes: writes)
        if let before = denials[id], before.stamp == stamp {
            if writes > before.writes {
                denials[id] = nil
                return true
            }
            denial.times = before.times + 1
        }
        let others = denials.contains { $0 != id && $1.writes == writes }
        denial.isSetAside = writes > 0 && !others && denial.times >= CollectionMachine.denialsWithoutProof
        denials[id] = denial
        return denial.isSetAside
    }

    private static let denialsWithoutProof = 3

    /// Something was edited: perhaps that is not denied, and shows that not everything is.
    mutating func tryWhatIsNew(at now: UInt64) {
        guard isDenied, let retryAt else { return }
        self.retryAt = min(retryAt, now + CollectionMachine.pauseOfDenials)
    }

    /// Milliseconds.
    private static let pauseOfDenials: UInt64 = 1000

    /// A write has succeeded, so that not everything is denied. Where more than one version was denied since the one before,
    /// everything was: what was set aside meanwhile is tried again.
    mutating func noteWriteSucceeded<Book>(_ step: inout Step<Book>) throws {
        defer { writes += 1 }
        deniedBatches = 0
        if isDenied { (retryAt, isDenied) = (nil, false) }
        let recent = denials.filter { $1.writes == writes }
        guard recent.count > 1 else { return }
        for (id, denial) in recent where denial.isSetAside {
            denials[id] = nil
            for item in try step.book.quarantined(collection: rules.id, record: id.description)
            where item.source == .push && item.stamp == denial.stamp {
                try step.book.release(item, step.context)
                queue.append(id)
            }
        }
    }
}

/// A version that the remote denied.
struct Denial {
    var stamp: Stamp?
    /// How many writes had succeeded then.
    var writes: Int
    /// How often, with no other write in between.
    var times = 1
    /// Whether it went to quarantine without another write's success.
    var isSetAside = false
}

extension RecordState {
    /// Whether both say the same of the remote's content, whatever is known of the ETag.
    fileprivate func isBasedAlike(_ other: RecordState) -> Bool {
        switch (base, other.base) {
        case (.present(let left), .present(let right)): left.stamp == right.stamp && left.content == right.content
        case (.present, _), (_, .present): false
        default: true
        }
    }
}
