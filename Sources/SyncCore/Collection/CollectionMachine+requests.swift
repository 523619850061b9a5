internal import SyncModel

/// Requests: what is asked for next, what answers mean, and what failures do.
extension CollectionMachine {
    /// - Parameter person: in whose name the request is made; nil for what is done for all.
    mutating func send<Book>(
        _ kind: Job.Kind, _ call: RemoteCall, as person: String? = nil, _ step: inout Step<Book>
    ) {
        let number = requests.add(Job(kind: kind, person: person, sentAt: step.time.monotonic))
        if let person { people.asked(person) }
        step.effects.append(.send(Request(number: number, call: call, person: person)))
    }

    /// Asks for whatever may be asked for now.
    mutating func schedule<Book>(_ step: inout Step<Book>) throws {
        if let retryAt {
            guard retryAt <= step.time.monotonic else { return }
            self.retryAt = nil
        }
        streams[.records(rules.id)]?.lookAtOlder(at: step.time.monotonic)
        noteMayWrite()
        while !paused.contains(.pull), requests.count < window.limit, let (kind, call) = try nextReading(&step) {
            send(kind, call, &step)
        }
        if !paused.contains(.pull) { sendReconciliation(&step) }
        try schedulePushing(&step)
        try askPeers(&step)
    }

    /// Whether anything of the collection may be written: no person has paused that or must decide, and all is known that the
    /// remote holds.
    var mayWrite: Bool { !paused.contains(.push) && mayPush && !isStopped && !isComparing && !looksSetBack }

    /// Whether a snapshot has just shown an older version, and what it lacks is not judged yet: what is written now would hide
    /// from other nodes that the remote was set back.
    private var looksSetBack: Bool { streams[.records(rules.id)]?.older?.until != nil }

    private mutating func schedulePushing<Book>(_ step: inout Step<Book>) throws {
        guard mayWrite, !isBehindItsEchoes else { return }
        try judgeDeletedUnseen(&step)
        while requests.count < window.limit, let stray = strays.popLast() {
            send(.readStray(stray), .read(stray, .records(rules.id)), &step)
        }
        try schedulePushes(&step)
    }

    /// Whether the open stream of the records owes too many of our own writes. A server cuts a stream whose reader is too
    /// slow, and the next one begins with a snapshot of everything.
    private var isBehindItsEchoes: Bool {
        guard unechoed.count >= settings.mostUnechoed, let stream = streams[.records(rules.id)] else { return false }
        return stream.phase == .snapshot || stream.phase == .live
    }

    mutating func answered<Book>(
        _ job: Job, _ result: Result<Answer, RemoteError>, _ step: inout Step<Book>
    ) throws {
        if let person = job.person, try isAnswered(person, job.kind, result, &step) { return }
        switch result {
        case .success(let answer) where job.isWriting:
            noteSuccess(of: job, isConflict: answer.isConflict, &step)
            if !answer.isConflict {
                try noteWriteSucceeded(&step)
                fruitless.succeeded()
            }
            try answered(job.kind, answer, &step)
        case .success(let answer):
            let before = failures
            try answered(job.kind, answer, &step)
            // An answer that is of no use, and is asked for again, ends no failure.
            if failures == before { noteSuccess(of: job, &step) }
        case .failure(let error):
            if error.code == .sessionEnded, let id = job.kind.written { return try sessionEnded(id, error, &step) }
            if job.isWriting { step.note(.writeFailed(error)) }
            try failed(job.kind, error, &step)
        }
    }

    private mutating func noteSuccess<Book>(of job: Job, isConflict: Bool = false, _ step: inout Step<Book>) {
        window.answered(after: step.time.monotonic - min(job.sentAt, step.time.monotonic))
        backoff.succeeded()
        step.note(.succeeded(writing: job.isWriting && !isConflict))
    }

    private mutating func answered<Book>(
        _ kind: Job.Kind, _ answer: Answer, _ step: inout Step<Book>
    ) throws {
        if try answeredByPeers(kind, answer, &step) { return }
        switch (kind, answer) {
        case (.read(let id, let hint), .entry(let entry)): try read(id, hint, answered: entry, &step)
        case (.readTombstone(let id, let hint, let shown), .entry(let entry)):
            try readTombstone(id, hint, shown, answered: entry, &step)
        case (.readNobodys(let kind, let error), .entry(let entry)):
            try readNobodys(after: kind, error, answered: entry, &step)
        case (.readPage(let hints), .page(let page)): try readPage(hints, answered: page, &step)
        case (.readDuplicate(let second), .entry(let entry)): try readDuplicate(second, answered: entry, &step)
        case (.removeDuplicate(let second), .outcome(let outcome)): try removedSecondKey(second, outcome, &step)
        case (.readRefused(let id, let sent, let error), .entry(let entry)):
            try readRefused(id, sent, error, answered: entry, &step)
        case (.write(let sent), .outcome(let outcome)): try written(sent, outcome, &step)
        case (.fetchTombstone(let id), .entry(let entry)): try merge(tombstone: entry, id, &step)
        case (.writeTombstone(let id, let tombstone), .outcome(let outcome)):
            try writtenTombstone(id, tombstone, outcome, &step)
        case (.remove(let id), .outcome(let outcome)): try removed(id, outcome, &step)
        case (.batch(let batch), .done): try acknowledged(batch.records, &step)
        case (.readStray(let stray), .entry(let entry)):
            // Others may have written records below it again.
            let isGone = entry.value == .absent || rules.key.isKeyed && entry.value.holdsObjects
            guard !isGone, let etag = entry.etag else { return try strayIsGone(stray, &step) }
            // A person may have paused that meanwhile.
            guard mayWrite else { return strays.append(stray) }
            send(.removeStray(stray), .remove(stray, .records(rules.id), etag: etag), &step)
        case (.removeStray(let stray), .outcome(let outcome)):
            if case .conflict = outcome { strays.append(stray) } else { try strayIsGone(stray, &step) }
        // What was closed meanwhile begins anew.
        case (.serverTime(let keyspace, let stream), .page):
            if streams[keyspace]?.number == stream { loadFirstPage(keyspace, &step) }
        case (.firstLoad(let keyspace, let stream, _, _, let began), .page(let page)):
            guard streams[keyspace]?.number == stream else { return }
            try firstLoad(keyspace, began: began, answered: page, &step)
        case (.firstLoadKeys(let keyspace, let stream, let first, let began), .keys(let keys)):
            guard streams[keyspace]?.number == stream else { return }
            try firstLoad(keyspace, from: first, began: began, answered: keys, &step)
        case (.reconcile, .keys(let keys)): try reconciled(keys, &step)
        default: try failed(kind, RemoteError(.outcomeUnknown, "the answer does not fit the request"), &step)
        }
    }

    private mutating func strayIsGone<Book>(_ stray: String, _ step: inout Step<Book>) throws {
        // Its stream may tell so after that of others.
        streams[.records(rules.id)]?.strayKeys.remove(stray)
        try releaseUnreadable(stray, nil, &step)
        try leaveStray(stray, &step)
    }

    private func leaveStray<Book>(_ stray: String, _ step: inout Step<Book>) throws {
        try step.book.setStrayKeys(try step.book.strayKeys(of: rules.id).filter { $0 != stray }, of: rules.id)
    }

    /// The remote does not let a key be removed: a person must, and until then it is no question any more.
    private mutating func strayStays<Book>(_ stray: String, _ error: RemoteError, _ step: inout Step<Book>) throws {
        let reason = "it is no record, and the remote does not let it be removed: \(error.message)"
        try quarantine(stray, Defect(.unreadableRecord, reason), &step)
        try RootIsOneRecord.accept(rules.id, in: step.book)
        try leaveStray(stray, &step)
    }

    // MARK: Failures

    /// Nothing more is asked for a while.
    mutating func backOff<Book>(_ error: RemoteError, _ step: inout Step<Book>) {
        failures += 1
        if error.isCongestion { window.congested() }
        if let retryAt, retryAt > step.time.monotonic {
            return step.note(.failed(error, retryIn: retryAt - step.time.monotonic))
        }
        // So many at once would all be asked in vain again.
        if error.code == .noETag { window.congested() }
        let wait =
            error.isFruitless
            ? fruitless.failed(random: step.time.random).milliseconds
            : backoff.failed(retryAfter: error.retryAfter, random: step.time.random).milliseconds
        retryAt = step.time.monotonic + wait
        isDenied = error.code == .denied
        step.note(.failed(error, retryIn: wait))
    }

    private mutating func failed<Book>(
        _ kind: Job.Kind, _ error: RemoteError, _ step: inout Step<Book>
    ) throws {
        if try failedByPeers(kind, error, &step) || failedAtSecondKey(kind, error, &step) { return }
        switch kind {
        case .read(let id, let hint): return try failedToRead(id, hint, .records(rules.id), error, &step)
        case .readTombstone(let id, let hint, _):
            return try failedToRead(id, hint, .tombstones(rules.id), error, &step)
        case .readNobodys(let kind, _): notAnswered(kind)
        case .readPage(let hints):
            if error.code == .tooLarge || error.code == .refused {
                for (id, hint) in hints { try read(singly: id, hint, &step) }
                return
            }
            for (id, hint) in hints { notRead(id, hint) }
        // What is said of it stays what was said of the write.
        case .readRefused(_, _, let refusal) where error.isOfWhatIsAskedFor:
            return askForNobodys(after: kind, refusal, in: .records(rules.id), &step)
        case .batch(let batch): return try failedBatch(batch, error, &step)
        case .write(let sent):
            if error.isOfWhatIsAskedFor { return try refused(sent.id, sent.stamp, error, &step) }
            if !error.nothingWasWritten { try noteUnanswered([sent], &step) }
        case .writeTombstone(let id, let tombstone) where error.code == .denied || error.code == .refused:
            return try refused(id, tombstone.stamp, error, &step)
        case .remove(let id) where error.code == .denied && renewsTombstone(id): return try complete([id], &step)
        case .remove(let id), .fetchTombstone(let id):
            if error.code == .denied || error.code == .refused { return try refused(id, nil, error, &step) }
        case .removeStray(let stray) where error.code == .denied || error.code == .refused:
            return try strayStays(stray, error, &step)
        case .readStray(let stray), .removeStray(let stray): strays.append(stray)
        case .serverTime(let keyspace, let stream):
            if streams[keyspace]?.number == stream { streams[keyspace]?.retryAt = step.time.monotonic }
        case .firstLoad(let keyspace, let stream, let from, let limit, let began):
            guard streams[keyspace]?.number == stream else { return failedForAll(error, &step) }
            return firstLoadFailed(keyspace, from: from, limit: limit, began: began, error, &step)
        case .firstLoadKeys(let keyspace, let stream, let first, let began):
            guard streams[keyspace]?.number == stream else { return failedForAll(error, &step) }
            return firstLoadWaits(keyspace, from: first, began: began, error, &step)
        case .reconcile: keysRefused(error, &step)
        default: break
        }
        failedForAll(error, &step)
        try complete(Job.records(of: kind), &step)
    }

    /// Nothing more is asked for a while, nor is a stream opened.
    mutating func failedForAll<Book>(_ error: RemoteError, _ step: inout Step<Book>) {
        backOff(error, &step)
        for keyspace in settings.keyspaces(of: id) {
            if let due = streams[keyspace]?.retryAt, let retryAt { streams[keyspace]?.retryAt = max(due, retryAt) }
        }
    }

    private mutating func read<Book>(singly id: RecordID, _ hint: Hint, _ step: inout Step<Book>) throws {
        send(.read(id, hint), .read(id.description, .records(rules.id)), &step)
    }

    private mutating func failedToRead<Book>(
        _ id: RecordID, _ hint: Hint, _ keyspace: Keyspace, _ error: RemoteError, _ step: inout Step<Book>
    ) throws {
        // A stream that was opened before goes on, whatever the rules allow now.
        let isDenied = error.code == .denied && streams[keyspace]?.phase == .live
        if error.code == .refused || isDenied {
            return askForNobodys(after: .read(id, hint), error, in: keyspace, &step)
        }
        if error.code == .tooLarge {
            try setAside(id, hint, error, &step)
        } else {
            notRead(id, hint)
            backOff(error, &step)
        }
        try complete([id], &step)
    }
}

extension Job.Kind {
    /// The record that is written by itself.
    var written: RecordID? {
        switch self {
        case .write(let sent): sent.id
        case .writeTombstone(let id, _), .remove(let id): id
        default: nil
        }
    }
}

extension Job {
    var isWriting: Bool {
        switch kind {
        case .write, .writeTombstone, .remove, .batch, .removeDuplicate, .removeStray: true
        default: false
        }
    }
}

extension RemoteValue {
    /// Whether there are objects in it, as in what records stand below.
    fileprivate var holdsObjects: Bool {
        guard case .record(let fields, _) = self else { return false }
        return fields.values.contains { $0.members != nil }
    }
}

extension CollectionMachine.Answer {
    fileprivate var isConflict: Bool { if case .outcome(.conflict) = self { true } else { false } }
}

extension RemoteError {
    /// Whether the remote does answer, only not so that anything comes of it: what it answers in between ends no back-off.
    fileprivate var isFruitless: Bool { [.denied, .refused, .noETag, .contended].contains(code) }
}

extension RecordBook {
    /// Keys beside the records that must be removed from the remote: what a hold's end has left to do.
    func strayKeys(of collection: CollectionID) throws -> [String] {
        try lines("strays.\(collection)")
    }

    func setStrayKeys(_ keys: [String], of collection: CollectionID) throws {
        try setLines("strays.\(collection)", keys)
    }
}
