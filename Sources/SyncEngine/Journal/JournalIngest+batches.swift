internal import ControlAPI
internal import FoundationEssentials
internal import JournalTail
internal import LocalStore
internal import Logging
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// What becomes of a batch of lines: it is prepared beside the batch before it, applied and committed, and told of once it is
/// on the disk, beside the batch after it.
extension JournalIngest {
    /// What of an event needs no transaction: done while the batch before it is committed.
    func prepared(_ event: JournalEvent) -> Prepared {
        guard case .batch(let batch) = event else { return Prepared(event: event, lines: [], session: 0) }
        let (session, applier) = (context.sessionNumber, context.applier)
        let lines = batch.elements.map { JournalMachine.Line($0, applier) }
        return Prepared(event: event, lines: lines, session: session)
    }

    /// An event with what needs no transaction.
    struct Prepared: Sendable {
        var event: JournalEvent
        var lines: [JournalMachine.Line]
        /// The session whose collections the lines were read by.
        var session: Int
        let ignored: IgnoredKeys
        let collections: Set<CollectionID>

        init(event: JournalEvent, lines: [JournalMachine.Line], session: Int) {
            (self.event, self.lines, self.session) = (event, lines, session)
            ignored = IgnoredKeys(in: lines)
            collections = lines.reduce(into: []) { collections, line in
                if let collection = line.collection { collections.insert(collection) }
            }
        }
    }

    func ingest(_ batch: JournalBatch, _ prepared: Prepared) async throws -> Ingested? {
        do {
            return try await commit(batch, prepared)
        } catch {
            noteUnread(batch)
            throw error
        }
    }

    /// There is more than what is written down.
    private func noteUnread(_ batch: JournalBatch) {
        context.status.update { ($0.journalCaughtUp, $0.journal.size) = (false, batch.size) }
    }

    private func commit(_ batch: JournalBatch, _ prepared: Prepared) async throws -> Ingested? {
        var prepared = prepared
        while true {
            // A reload has changed what lines mean: they are read by the new rules before checks are asked about them.
            if prepared.session != context.sessionNumber { prepared = self.prepared(prepared.event) }
            let lines = try await pulse.waiting {
                await begin(batch)
                try await untilClockIsRight(size: batch.size)
                try await untilQuarantineHasRoom(size: batch.size)
                return try await checked(prepared, of: batch)
            }
            let isShort = lines.count < EngineContext.fewRecords
            guard let done = try await committed(lines, prepared.session, of: batch, isShort: isShort) else { continue }
            let ingested = Ingested(batch: batch, ignored: prepared.ignored, done: done)
            // A short one is told of at once; and the next batch may have to wait for room in the quarantine.
            guard !isShort, done.result.result.rejected.isEmpty else {
                try await settle(ingested)
                return nil
            }
            return ingested
        }
    }

    /// What was there at the start is dated by the server's time, and where the newest file gives other lines it is read:
    /// however fast they come, the remote waits for none of them.
    private func begin(_ batch: JournalBatch) async {
        if batch.isBacklog {
            await askForTime()
        } else if !batch.elements.isEmpty, batch.file == context.settings.journalPath {
            letOthersLearn()
        }
    }

    /// What is read takes long: the remote waits for it no longer, but for lines of unknown time.
    private func letOthersLearn() {
        if !machine.withLock({ $0.isReplaying }) { backlogEnd.finish() }
    }

    /// Applies the lines as soon as the clocks agree, however often they have to be waited for; nil where another session
    /// has begun than the one they were read and checked in.
    private func committed(
        _ lines: [JournalMachine.Line], _ session: Int, of batch: JournalBatch, isShort: Bool
    ) async throws -> EngineContext.Unpublished<Applied>? {
        while true {
            let before = machine.withLock { $0 }
            let done = try await context.commitAhead(isShort: isShort) { [context] transaction in
                var machine = before
                let applier = context.applier
                guard context.sessionNumber == session else { return Applied(machine: machine, isStale: true) }
                let origin = applier.time.origin(
                    isBacklog: batch.isBacklog, isReplayed: machine.isReplaying, modified: batch.modified)
                let read = try machine.read(
                    lines, upTo: batch.position, from: batch.file, origin, monotonic: context.clock.monotonic(),
                    in: transaction, applier)
                return Applied(
                    machine: machine, isRead: read != nil, rejected: read?.rejected ?? [], lines: read?.lines ?? 0)
            }
            let applied = done.result.result
            if applied.isRead {
                machine.withLock { $0 = applied.machine }
                return done
            }
            _ = try await context.publish(done)
            if applied.isStale { return nil }
            try await pulse.waiting { try await untilClockIsRight(size: batch.size) }
        }
    }

    func settle(_ ingested: Ingested) async throws {
        let batch = ingested.batch
        let applied: Applied
        do {
            applied = try await context.publish(ingested.done)
        } catch {
            noteUnread(batch)
            throw error
        }
        let now = Moment(milliseconds: context.wall)
        context.status.update {
            $0.read(lines: applied.lines, upTo: batch.position.offset, of: batch.size, at: now)
        }
        context.noteIngested(batch.elements.count)
        context.log(applied.rejected, and: ingested.ignored, of: batch.file)
    }

    /// What a batch has become.
    struct Applied: Sendable {
        var machine: JournalMachine
        /// Whether another session has begun meanwhile.
        var isStale = false
        /// False where it waits for the clocks, or is stale.
        var isRead = false
        var rejected: [QuarantinedItem] = []
        var lines = 0
    }

    /// A batch that is committed, and may not be on the disk yet.
    struct Ingested: Sendable {
        var batch: JournalBatch
        var ignored: IgnoredKeys
        var done: EngineContext.Unpublished<Applied>
    }

    /// The lines as checks let them through; waits while one that has to be asked can't be.
    private func checked(
        _ prepared: Prepared, of batch: JournalBatch
    ) async throws -> [JournalMachine.Line] {
        let began = context.clock.monotonic()
        var isAsked = false
        defer {
            let took = isAsked ? context.clock.monotonic() - began : nil
            checkedBatch.withLock { $0.took(took, for: prepared.lines.count) }
        }
        return try await LineChecks(context: context).checked(prepared.lines, of: prepared.collections) { progress in
            switch progress {
            case .begun:
                isAsked = true
                noteUnread(batch)
            case .lasts(let left):
                letOthersLearn()
                note(waitsFor: "checks are asked about \(left) more lines", batch)
            case .goesOn: note(waitsFor: nil, batch)
            case .waits(let reason):
                guard note(waitsFor: reason, batch) else { return }
                backlogEnd.finish()
                context.logger.warning(
                    "The journal waits for a check", metadata: ["event": "journal.waits", "reason": "\(reason)"])
            }
        }
    }

    /// - Returns: whether that is new.
    @discardableResult
    private func note(waitsFor reason: String?, _ batch: JournalBatch) -> Bool {
        guard context.status.current.journal.waitsFor != reason else { return false }
        context.status.update { ($0.journal.waitsFor, $0.journal.size) = (reason, batch.size) }
        return true
    }
}

extension JournalMachine.Line {
    convenience init(_ element: JournalElement, _ applier: OperationApplier) {
        switch element {
        case .line(let line):
            let operation = Result { () throws(Defect) in try applier.operation(line.bytes) }
            self.init(
                text: line.bytes, offset: line.offset, length: line.length, operation: operation,
                edit: (try? operation.get()).flatMap(applier.checked))
        case .rejected(let defect, let offset, let length, let head):
            self.init(text: head[...], offset: offset, length: length, operation: .failure(defect))
        }
    }
}
