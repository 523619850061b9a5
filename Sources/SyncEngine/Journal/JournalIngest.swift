internal import ControlAPI
internal import FoundationEssentials
internal import JSONText
internal import JournalTail
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// Reads the journal and applies its operations: each batch and the position after it in one transaction.
final class JournalIngest: Sendable {
    private let context: EngineContext
    private let deletes: DeleteGuard
    private let watching: @Sendable () -> Void
    private let tail = Mutex<JournalTail?>(nil)
    /// Lines that were there when the state was made are not all read yet.
    private let replaying: Mutex<Bool>
    private let (backlog, backlogEnd) = AsyncStream<Void>.makeStream()

    /// - Parameter watching: called each time the journal, or its folder, is watched: readiness.
    init(_ context: EngineContext, deletes: DeleteGuard, watching: @escaping @Sendable () -> Void) {
        self.context = context
        self.deletes = deletes
        self.watching = watching
        replaying = Mutex(context.store.timeOfBacklogUnknown)
        if !context.store.timeOfBacklogUnknown { backlogEnd.finish() }
    }

    /// Returns when remote versions may be learned; for one waiter.
    ///
    /// Lines of unknown time come right after what the state held before the start. A version learned before they are
    /// applied would count as such, and be overwritten by what is older. A journal that can't be read, or waits for a
    /// decision, keeps nobody waiting.
    func backlogIsRead() async {
        for await _ in backlog {}
    }

    static let position = "journal"
    static let lines = "journal.lines"

    /// Runs until cancelled. Where the state can't be written, tries again from the last committed position.
    func run() async throws {
        var backoff = Backoff()
        while !Task.isCancelled {
            do {
                let position = try await context.store.read { try $0.value(JournalIngest.position) }
                let resumed = position.flatMap { try? JSONDecoder().decode(JournalPosition.self, from: Data($0)) }
                let tail = JournalTail(path: context.settings.journalPath, resumingAt: resumed)
                self.tail.withLock { $0 = tail }
                try await tail.run { event in
                    try await self.handle(event)
                }
            } catch is CancellationError {
                return
            } catch {
                backlogEnd.finish()
                if context.board.current.journal.lastError == nil { backoff.succeeded() }
                context.board.update { $0.journal.lastError = "\(error)" }
                context.logger.error(
                    "The journal can't be ingested", metadata: ["event": "journal.failed", "reason": "\(error)"])
                try? await Task.sleep(for: backoff.failed(random: .random(in: 0...1)))
            }
        }
    }

    /// Decides what to do with a journal whose consumed part was rewritten.
    func decide(readAgain: Bool) {
        tail.withLock { $0?.decide(readAgain ? .readAgain : .skipToEnd) }
    }

    /// Returns when all lines that were complete when this was called are applied, or after `limit`.
    func look(atMost limit: Duration) async {
        guard let tail = tail.withLock({ $0 }) else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await tail.look() }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    private func handle(_ event: JournalEvent) async throws {
        switch event {
        case .watching:
            context.board.update { $0.journalWatched = true }
            watching()
        case .batch(let batch): try await ingest(batch)
        case .caughtUp(let size, let offset): try await caughtUp(size: size, offset: offset)
        case .rotated(let rotation): try await rotated(rotation)
        case .rewritten(let reason, _):
            try await raiseRewritten(reason)
            backlogEnd.finish()
        case .missing:
            context.board.update { facts in
                facts.journal.lastError = nil
                facts.journal.size = 0
                facts.journal.offset = 0
                facts.journalCaughtUp = true
            }
            try await noteBacklogRead()
        case .unreadable(let error):
            backlogEnd.finish()
            context.board.update { $0.journal.lastError = "\(error)" }
            context.logger.error(
                "The journal can't be read", metadata: ["event": "journal.unreadable", "reason": "\(error)"])
        }
    }

    private func caughtUp(size: UInt64, offset: UInt64) async throws {
        context.board.update { facts in
            facts.journal.size = size
            facts.journal.offset = offset
            facts.journalCaughtUp = true
            facts.journal.lastError = nil
        }
        try await noteBacklogRead()
    }

    /// All lines that were there when the state was made have been read: later ones have the file's time.
    private func noteBacklogRead() async throws {
        guard replaying.withLock({ $0 }) else { return }
        try await context.commit { try $0.backlogTimeIsKnown() }
        replaying.withLock { $0 = false }
        backlogEnd.finish()
    }

    private func rotated(_ rotation: JournalRotation) async throws {
        let position = try Array(JSONEncoder().encode(rotation.position))
        try await context.commit { try $0.setValue(JournalIngest.position, position) }
        context.logger.info(
            "The journal was rotated",
            metadata: ["event": "journal.rotated", "kind": "\(rotation.kind.rawValue)", "file": "\(rotation.from)"])
    }

    private func raiseRewritten(_ reason: String) async throws {
        let now = context.wall()
        try await context.commit { transaction in
            if try transaction.holds().contains(where: { $0.kind == .journalRewritten }) { return }
            _ = try transaction.raise(Hold(.journalRewritten, .journal, reason: reason, since: now))
        }
    }

    private func ingest(_ batch: JournalBatch) async throws {
        let origin: StampPolicy.Origin =
            !batch.isBacklog ? .live : replaying.withLock { $0 } ? .replayed : .backlog(modified: batch.modified)
        let work = JournalBatchWork(batch: batch, origin: origin, context: context, deletes: deletes)
        let done = try await context.commit { try work.apply(in: $0) }
        context.board.update { facts in
            facts.journalCaughtUp = false
            facts.journal.size = batch.size
            facts.journal.offset = batch.position.offset
            facts.journal.lines = done.lines
            facts.journal.lastReadAt = Moment(milliseconds: context.wall())
            facts.journal.lastError = nil
        }
        context.took(batch.elements.count)
        for item in done.rejected { log(item) }
    }

    private func log(_ item: QuarantinedItem) {
        context.logger.warning(
            "A journal line was rejected",
            metadata: [
                "event": "journal.line.rejected", "file": "\(item.file ?? "")", "offset": "\(item.offset ?? 0)",
                "length": "\(item.length ?? 0)", "code": "\(item.defect.code)", "reason": "\(item.defect.message)",
                "record": "\(item.record ?? "")",
            ])
    }
}

extension Transaction {
    /// A small value that is a whole number.
    func number(_ name: String) throws -> Int? {
        try value(name).flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
}

/// One batch of journal lines: read outside the transaction, applied inside.
struct JournalBatchWork: Sendable {
    struct Done: Sendable {
        var lines = 0
        var rejected: [QuarantinedItem] = []
    }

    private struct Line: Sendable {
        var text: [UInt8]
        var offset: UInt64
        var length: Int
        var operation: Result<Operation, Defect>
    }

    private let lines: [Line]
    private let file: String
    private let position: [UInt8]
    private let origin: StampPolicy.Origin
    private let context: EngineContext
    private let deletes: DeleteGuard

    init(batch: JournalBatch, origin: StampPolicy.Origin, context: EngineContext, deletes: DeleteGuard) {
        lines = batch.elements.map { element in
            switch element {
            case .line(let line):
                let operation = Result { () throws(Defect) in try Operation(line: line.bytes) }
                return Line(
                    text: Array(line.bytes), offset: line.offset, length: line.length, operation: operation)
            case .rejected(let defect, let offset, let length, let head):
                return Line(text: head, offset: offset, length: length, operation: .failure(defect))
            }
        }
        file = batch.file
        position = (try? JSONEncoder().encode(batch.position)).map { Array($0) } ?? []
        self.origin = origin
        self.context = context
        self.deletes = deletes
    }

    func apply(in transaction: Transaction) throws -> Done {
        var done = Done()
        let applier = OperationApplier(
            transaction: transaction, time: context.time, run: context.store.run,
            keepsTombstones: context.remote.keepsTombstones, plugin: { context.plugin($0) })
        let brake = try massDelete(in: transaction)
        for line in lines {
            do {
                let operation = try line.operation.get()
                if operation.kind == .delete, let hold = brake[operation.key.collection] {
                    try transaction.name(operation.key, in: hold, payload: line.text)
                    try applier.keeper.keep(try transaction.record(operation.key), Outcome(), origin: .journal)
                    continue
                }
                try applier.apply(operation, .line(origin), line: line.text, origin: .journal)
            } catch let defect as Defect {
                done.rejected.append(try reject(line, defect, applier))
            }
        }
        try transaction.setValue(JournalIngest.position, position)
        done.lines = lines.count + (try transaction.number(JournalIngest.lines) ?? 0)
        try transaction.setValue(JournalIngest.lines, Array(String(done.lines).utf8))
        return done
    }

    private func reject(_ line: Line, _ defect: Defect, _ applier: OperationApplier) throws -> QuarantinedItem {
        var item = QuarantinedItem(.journal, defect, since: context.wall())
        item.file = file
        item.offset = Int64(line.offset)
        item.length = Int64(line.length)
        item.payload = line.text
        if case .success(let operation) = line.operation {
            item.collection = operation.key.collection
            item.record = operation.key.id.description
            if defect.code == .unknownRecord { item.stamp = try applier.firstStamp(operation, origin) }
        }
        try applier.transaction.quarantine(item)
        return item
    }

    /// For each collection of which this batch would delete too much: the hold that takes its deletes.
    private func massDelete(in transaction: Transaction) throws -> [CollectionID: Int64] {
        var keys: [CollectionID: Set<RecordID>] = [:]
        for line in lines {
            guard case .success(let operation) = line.operation, operation.kind == .delete else { continue }
            keys[operation.key.collection, default: []].insert(operation.key.id)
        }
        var brake: [CollectionID: Int64] = [:]
        for (collection, ids) in keys {
            let live = try ids.filter { try transaction.record(RecordKey(collection, $0)).state.local?.content != nil }
            let admitted = deletes.admits(live.count, collection, .journal, now: context.wall())
            guard !admitted else { continue }
            brake[collection] = try deletes.hold(
                in: transaction, collection, .journal, count: live.count, now: context.wall())
        }
        return brake
    }
}
