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
        var due: DueWork?
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
    /// To be locked before ``published`` where both are: a tree has just the writes that are counted.
    let recent = Mutex(RecentWrites())
    let numbers = RowNumbers(next: 1)
    let queue = DispatchQueue(label: "DatabaseServer.commit")
    let file: RowFile
    let maintenance: Maintenance
    let listeners: Listeners
    let rulesStore: RulesStore
    let logger: Logger
    let trouble = Mutex(CommitTrouble())
    private let clock: WriteClock
    /// The time of the last writes; to be used between two commits.
    let lastTime = Atomic<Int64>(0)
    /// Large writes are made one at a time, for what they take of memory and of the disk.
    let turn = Turnstile(places: 1)
    let pace = Mutex(LargePace())
    let looks = Mutex(IndexLooks())
    /// Awaited after each part of a large write that was staged.
    let whileStaging: @Sendable () async -> Void

    /// - Parameters:
    ///   - clock: goes on after the file's last write once that is loaded.
    ///   - giveBack: gives back memory that was left behind.
    init(
        file: RowFile, fsync: Fsync, listeners: Listeners, rulesStore: RulesStore, logger: Logger,
        clock: WriteClock, giveBack: @escaping @Sendable () -> Void = Memory.trim,
        whileStaging: @escaping @Sendable () async -> Void = {}
    ) {
        self.file = file
        maintenance = Maintenance(queue: queue, file: file, fsync: fsync, giveBack: giveBack, logger: logger)
        self.listeners = listeners
        self.rulesStore = rulesStore
        self.logger = logger
        self.clock = clock
        self.whileStaging = whileStaging
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
                    numbers.begin(at: loaded.nextRow)
                    clock.goOn(after: loaded.lastTime)
                    Memory.trim()
                }
            } onCancel: {
                file.stopLoading()
            }
        } catch is CancellationError {
            return
        }
        isLoaded.open()
        for draft in try file.unsweptDrafts() { maintenance.sweep(draft) }
        // Who reads before they are made looks at everything.
        for database in databases { try await makeDeclaredIndexes(in: database) }
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        logger.info(
            "All is loaded", metadata: ["event": "server.loaded", "file": "\(file.path)", "seconds": "\(seconds)"])
    }

    /// The time of a write that is made now, in milliseconds since 1970.
    func wallClock() -> Int64 { clock.now() }

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

    private func enqueue(_ write: Write, _ answer: Answer) { add { $0.writes.append((write, answer)) } }

    private func add(_ what: (inout Waiting) -> Void) {
        let mustStart = waiting.withLock { waiting in
            what(&waiting)
            defer { waiting.isDraining = true }
            return !waiting.isDraining
        }
        if mustStart { queue.async { self.drain() } }
    }

    /// Runs `body` between two commits: no write is half done, and none gets lost between what it reads and does.
    func betweenCommits<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { answer in
            add { $0.barriers.append { answer.resume(returning: body()) } }
        }
    }

    /// Runs `work` between two commits, and before any that has a later time. Only one may wait.
    func when(_ work: DueWork) {
        add { $0.due = work }
        look(for: work)
    }

    /// Where nobody writes, nobody else looks whether `work` is due.
    private func look(for work: DueWork) {
        let now = wallClock()
        guard !work.isDue(now) else { return add { _ in } }
        let pause = Int(clamping: min(max(work.time - now, 1), 1000))
        queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { self.look(for: work) }
    }

    private func drain() {
        let now = wallClock()
        let (batch, due) = waiting.withLock { waiting in
            let due = waiting.due.flatMap { $0.isDue(now) ? $0 : nil }
            if due != nil { waiting.due = nil }
            defer {
                waiting.writes = []
                waiting.barriers = []
            }
            return (waiting, due)
        }
        due?.body()
        for barrier in batch.barriers { barrier() }
        if !batch.writes.isEmpty { perform(batch.writes, now) }
        let goesOn = waiting.withLock { waiting in
            let isDue = waiting.due?.isDue(wallClock()) == true
            waiting.isDraining = isDue || !waiting.writes.isEmpty || !waiting.barriers.isEmpty
            return waiting.isDraining
        }
        // Behind what else the queue has to do.
        if goesOn { queue.async { self.drain() } }
    }

    private func perform(_ batch: [(write: Write, answer: Answer)], _ now: Int64) {
        recent.withLock { $0.begin(batch) }
        var roots = published.withLock { $0 }
        var rows = RowChanges(numbers)
        let applied = apply(batch, now, &roots, &rows)
        do {
            if !rows.changes.isEmpty {
                try file.commit(rows.changes, at: now)
                noteStored()
            }
        } catch {
            recent.withLock { $0.giveUp() }
            let failure = failure(of: batch.count, error)
            for (_, answer) in batch {
                switch answer {
                case .task(let task): task.resume(throwing: failure)
                case .told(let tell): tell(.failure(failure))
                }
            }
            return
        }
        lastTime.store(now, ordering: .relaxed)
        maintenance.committed(rows.changes.count)
        recent.withLock { recent in
            published.withLock { $0 = roots }
            recent.publish()
        }
        for (index, (_, answer)) in batch.enumerated() {
            if case .task(let task) = answer { task.resume(returning: applied.outcomes[index]) }
        }
        tell(applied.changes)
        if !rows.changes.isEmpty { lookForIndexes(after: batch) }
        for (index, (_, answer)) in batch.enumerated() {
            guard case .told(let tell) = answer else { continue }
            listeners.whenTold { tell(.success(applied.outcomes[index])) }
        }
    }

    /// Runs `body` when all who listen have been told of what was committed before.
    func whenTold(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { done in
            let tell = { @Sendable in
                body()
                done.resume()
            }
            add { [listeners] in $0.barriers.append { listeners.whenTold(tell) } }
        }
    }

    private func apply(
        _ batch: [(write: Write, answer: Answer)], _ now: Int64, _ roots: inout [String: Root],
        _ rows: inout RowChanges
    ) -> Applied {
        var applied = Applied()
        applied.outcomes.reserveCapacity(batch.count)
        for (write, _) in batch {
            var root = roots.removeValue(forKey: write.database) ?? Root(write.database)
            let before = listeners.listen(to: write.database) ? root : nil
            let (outcome, changed) = apply(write, now, &root, &rows)
            if let before, changed, case .stored(let values) = outcome {
                applied.changes.append(CommittedChange(write, values, before: before, after: root))
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
        let check = ruleCheck(write.principal, write.database, now, root)
        if let condition = write.condition {
            let current = root.value(at: write.base)
            guard let holds = condition.holds(for: current) else { return (.stale, false) }
            guard holds else {
                let mayRead = check?.allowsReading(write.base, query: nil) ?? true
                return (mayRead ? .mismatch(current: current) : .refused(.permissionDenied), false)
            }
        }
        let mark = rows.changes.count
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
        if write.judgement == nil, let check, !check.allowsWriting(Array(write.places), after: root) {
            root = check.before
            rows.goBack(to: mark)
            return (.refused(.permissionDenied), false)
        }
        recent.withLock { $0.append(write.places, write.database) }
        return (.stored(values: values), changed)
    }

    func ruleCheck(
        _ principal: Principal, _ database: String, _ now: Int64, _ root: Root, _ trace: ReadTrace? = nil
    ) -> RuleCheck? {
        guard case .client(let auth) = principal, let rules = rulesStore.rules(database) else { return nil }
        return RuleCheck(rules: rules, auth: auth, now: now, before: root, trace: trace)
    }

    func resolved(_ value: PendingValue, at path: WirePath, _ now: Int64, _ root: Root) -> Node? {
        value.resolved(now: now) { relative in root.value(at: path.appending(relative))?.leaf }
    }
}
