internal import DatabaseTree
internal import Dispatch
internal import FirebaseWire
internal import Logging
internal import OperatingSystem
internal import SecurityRules
internal import SyncModel
internal import Synchronization

/// The one writer: takes the writes that wait at a moment, applies them in order, and stores them in one transaction.
///
/// Readers see a write, its caller gets an answer and listeners get events only once it is on the disk. When storing
/// fails, no write of that transaction has happened, and all of them fail.
final class CommitQueue: Sendable {
    enum Answer: Sendable {
        case task(CheckedContinuation<WriteOutcome, any Error>)
        /// Is called on the writer's queue, when all who listen have been told.
        case told(@Sendable (Result<WriteOutcome, any Error>) -> Void)
    }

    private struct Waiting: Sendable {
        var writes: [(write: Write, answer: Answer)] = []
        var barriers: [@Sendable () -> Void] = []
        var isDraining = false
    }

    private struct Applied {
        var outcomes: [WriteOutcome] = []
        var changes: [CommittedChange] = []
    }

    private let waiting = Mutex(Waiting())
    /// Opens when the file is loaded. Whoever reads or writes waits for it.
    let isLoaded = Latch()
    let published = Mutex<[String: Root]>([:])
    let recent = Mutex(RecentWrites())
    private let nextRow = Mutex<Int64>(1)
    private let queue = DispatchQueue(label: "DatabaseServer.commit")
    private let file: RowFile
    let maintenance: Maintenance
    private let listeners: Listeners
    let rulesStore: RulesStore
    private let logger: Logger
    let wallClock: @Sendable () -> Int64

    /// - Parameter wallClock: milliseconds since 1970.
    init(
        file: RowFile, fsync: Fsync, listeners: Listeners, rulesStore: RulesStore, logger: Logger,
        wallClock: @escaping @Sendable () -> Int64
    ) {
        self.file = file
        maintenance = Maintenance(queue: queue, file: file, fsync: fsync, logger: logger)
        self.listeners = listeners
        self.rulesStore = rulesStore
        self.logger = logger
        self.wallClock = wallClock
    }

    /// Loads the file, and lets in who waits. To be called once; returns early where the task is cancelled.
    ///
    /// Throws `corrupt` with the place of the damage, and has changed nothing then.
    func load() async throws {
        let began = ContinuousClock.now
        do {
            try await withTaskCancellationHandler {
                try await WorkerPool.run { [self] in
                    let loaded = try file.load()
                    published.withLock { $0 = loaded.roots }
                    nextRow.withLock { $0 = loaded.nextRow }
                    Memory.trim()
                }
            } onCancel: {
                file.stopLoading()
            }
        } catch is CancellationError {
            return
        }
        isLoaded.open()
        // Who reads before they are made looks at everything.
        for database in databases { try await makeDeclaredIndexes(in: database) }
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        logger.info(
            "All is loaded", metadata: ["event": "server.loaded", "file": "\(file.path)", "seconds": "\(seconds)"])
    }

    /// The tree of a database as it is on the disk.
    func root(_ database: String) -> Root {
        published.withLock { $0[database] } ?? Root(database)
    }

    /// Whether anything was ever written to `database`.
    func hasDatabase(_ database: String) -> Bool { published.withLock { $0[database] != nil } }

    /// The names of all databases that were ever written to, in order.
    var databases: [String] { published.withLock { $0.keys.sorted() } }

    /// Applies `write`; returns once it is on the disk. Throws where storing failed: nothing has changed then.
    func commit(_ write: Write) async throws -> WriteOutcome {
        try await withCheckedThrowingContinuation { enqueue(write, .task($0)) }
    }

    /// Applies `write` after all that came before, and returns at once; `whenTold` gets what ``commit(_:)`` returns, once
    /// all who listen have been told.
    func commit(_ write: Write, whenTold: @escaping @Sendable (Result<WriteOutcome, any Error>) -> Void) {
        enqueue(write, .told(whenTold))
    }

    private func enqueue(_ write: Write, _ answer: Answer) {
        let mustStart = waiting.withLock { waiting in
            waiting.writes.append((write, answer))
            defer { waiting.isDraining = true }
            return !waiting.isDraining
        }
        if mustStart { queue.async { self.drain() } }
    }

    /// Runs `body` between two commits: no write is half done, and none gets lost between what it reads and does.
    func betweenCommits<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { answer in
            let mustStart = waiting.withLock { waiting in
                waiting.barriers.append { answer.resume(returning: body()) }
                defer { waiting.isDraining = true }
                return !waiting.isDraining
            }
            if mustStart { queue.async { self.drain() } }
        }
    }

    private func drain() {
        while true {
            let batch = waiting.withLock { waiting in
                defer {
                    waiting.writes = []
                    waiting.barriers = []
                }
                if waiting.writes.isEmpty, waiting.barriers.isEmpty { waiting.isDraining = false }
                return waiting
            }
            guard batch.isDraining else { return }
            for barrier in batch.barriers { barrier() }
            if !batch.writes.isEmpty { nextRow.withLock { perform(batch.writes, &$0) } }
        }
    }

    private func perform(_ batch: [(write: Write, answer: Answer)], _ nextRow: inout Int64) {
        var roots = published.withLock { $0 }
        var rows = RowChanges(nextRow: nextRow)
        let applied = apply(batch, &roots, &rows)
        do {
            if !rows.changes.isEmpty { try file.commit(rows.changes) }
        } catch {
            logger.error(
                "Writes could not be stored",
                metadata: [
                    "event": "commit.failed", "count": "\(batch.count)", "error": "\(error)", "file": "\(file.path)",
                ]
            )
            let failure = StorageError(message: "The server could not store this: \(error)")
            for (_, answer) in batch {
                switch answer {
                case .task(let task): task.resume(throwing: failure)
                case .told(let tell): tell(.failure(failure))
                }
            }
            return
        }
        nextRow = rows.nextRow
        maintenance.committed(rows.changes.count)
        published.withLock { $0 = roots }
        recent.withLock { $0.publish() }
        for (index, (_, answer)) in batch.enumerated() {
            if case .task(let task) = answer { task.resume(returning: applied.outcomes[index]) }
        }
        cancelRefused(by: applied.changes, roots)
        listeners.publish(applied.changes)
        for (index, (_, answer)) in batch.enumerated() {
            if case .told(let tell) = answer { tell(.success(applied.outcomes[index])) }
        }
    }

    /// Ends the streams that may not read any more because of `changes`, before they are told of them.
    private func cancelRefused(by changes: [CommittedChange], _ roots: [String: Root]) {
        for database in Set(changes.map(\.after.database)) {
            guard let rules = rulesStore.rules(database), rules.readsDependOnData, let root = roots[database] else {
                continue
            }
            listeners.cancel(in: root, by: rules, now: wallClock())
        }
    }

    private func apply(
        _ batch: [(write: Write, answer: Answer)], _ roots: inout [String: Root], _ rows: inout RowChanges
    ) -> Applied {
        let now = wallClock()
        var applied = Applied()
        applied.outcomes.reserveCapacity(batch.count)
        for (write, _) in batch {
            var root = roots.removeValue(forKey: write.database) ?? Root(write.database)
            let before = listeners.listen(to: write.database) ? root : nil
            let (outcome, changed) = apply(write, now, &root, &rows)
            if let before, changed, case .stored(let values) = outcome {
                let entries = zip(write.entries, values).map { entry, value in
                    // Who listens is told of a priority by the node that has it.
                    entry.path.isPriority
                        ? (entry.path.node, root.value(at: write.base.appending(entry.path.node))) : (entry.path, value)
                }
                applied.changes.append(
                    CommittedChange(kind: write.kind, base: write.base, entries: entries, before: before, after: root)
                )
            }
            roots[write.database] = root
            applied.outcomes.append(outcome)
        }
        return applied
    }

    private func apply(
        _ write: Write, _ now: Int64, _ root: inout Root, _ rows: inout RowChanges
    ) -> (WriteOutcome, changed: Bool) {
        if let judgement = write.judgement, !confirm(judgement, write.database) { return (.stale, false) }
        let check = ruleCheck(write, now, root)
        if let condition = write.condition {
            let current = root.value(at: write.base)
            guard let holds = condition.holds(for: current) else { return (.stale, false) }
            guard holds else {
                let mayRead = check?.allowsReading(write.base, query: nil) ?? true
                return (mayRead ? .mismatch(current: current) : .refused(.permissionDenied), false)
            }
        }
        let mark = rows.mark
        root.hasPriorities = root.hasPriorities || write.hasPriorities
        var changed = false
        var values: [Node?] = []
        values.reserveCapacity(write.entries.count)
        for entry in write.entries {
            let path = write.base.appending(entry.path)
            let value = resolved(entry.value, at: path, now, root)
            if root.set(path, to: value, &rows) { changed = true }
            values.append(value)
        }
        if write.judgement == nil, let check,
            !check.allowsWriting(write.entries.map { write.base.appending($0.path.node) }, after: root)
        {
            root = check.before
            rows.goBack(to: mark)
            return (.refused(.permissionDenied), false)
        }
        let paths = write.entries.lazy.map { write.base.appending($0.path.node) }
        recent.withLock { $0.append(paths, write.database) }
        return (.stored(values: values), changed)
    }

    func ruleCheck(_ write: Write, _ now: Int64, _ root: Root, _ trace: ReadTrace? = nil) -> RuleCheck? {
        guard case .client(let auth) = write.principal, let rules = rulesStore.rules(write.database) else { return nil }
        return RuleCheck(rules: rules, auth: auth, now: now, before: root, trace: trace)
    }

    func resolved(_ value: PendingValue, at path: WirePath, _ now: Int64, _ root: Root) -> Node? {
        value.resolved(now: now) { relative in root.value(at: path.appending(relative))?.leaf }
    }
}
