internal import ControlAPI
internal import FoundationEssentials
internal import JournalTail
internal import LocalStore
internal import Logging
internal import OperatingSystem
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// Reads the journal and applies its operations: each batch and the position after it in one transaction.
final class JournalIngest: Sendable {
    let context: EngineContext
    let machine = Mutex(JournalMachine())
    private let watching: @Sendable () -> Void
    private let tail = Mutex<JournalTail?>(nil)
    /// Lines that were there when the state was made are not all read yet.
    let replaying: Mutex<Bool>
    /// The clocks were found to agree, and nothing was left of a time in which they did not.
    let clockIsSettled = Mutex(false)
    /// What was there before the journal was watched that is read now.
    private let backlogOfRun = Mutex(JournalBacklog.none)
    /// How many decisions on a rewritten journal were made in this run, and the last one.
    private let decisions = Mutex<(count: Int, last: JournalAnswer?)>((0, nil))
    /// That the journal waits for the quarantine is in the log.
    let isWaitTold = Mutex(false)
    let checkedBatch = Mutex(CheckedBatch())
    let pulse = Pulse()
    let (backlog, backlogEnd) = AsyncStream<Void>.makeStream()

    /// - Parameter watching: called each time the journal, or its folder, is watched: readiness.
    init(_ context: EngineContext, watching: @escaping @Sendable () -> Void) {
        self.context = context
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
    /// What stood in the journal when it was found to be rewritten; there while the hold waits.
    static let rewritten = "journal.rewritten"
    static let lines = "journal.lines"

    /// Runs until cancelled. Where the state can't be written, tries again from the last committed position.
    func run() async throws {
        var backoff = Backoff()
        while !Task.isCancelled {
            do {
                try await follow()
            } catch is CancellationError {
                return
            } catch {
                backlogEnd.finish()
                if context.status.current.journal.lastError == nil { backoff.succeeded() }
                context.status.update { $0.journal.lastError = "\(error)" }
                context.logger.error(
                    "The journal can't be ingested", metadata: ["event": "journal.failed", "reason": "\(error)"])
                try? await Task.sleep(for: backoff.failed(random: .random(in: 0...1)))
            }
        }
    }

    /// Reads from the committed position on; returns when a decision has moved it.
    private func follow() async throws {
        let (decided, answer) = decisions.withLock { $0 }
        var start = try await context.store.read { try JournalIngest.start(in: $0) }
        // What was there when it was decided to read all of it again was not appended while anybody watched.
        let backlog = answer == .goOn ? .none : JournalBacklog(beside: context.settings.journalPath)
        start.backlog = backlog
        backlogOfRun.withLock { $0 = backlog }
        if start.isHeld { backlogEnd.finish() }
        let offset = start.position?.offset ?? 0
        let size = (try? FileIdentity.of(path: context.settings.journalPath).size) ?? offset
        context.status.update { ($0.journal.offset, $0.journal.size) = (offset, max(offset, size)) }
        if context.checks.mayBeAny { checkedBatch.withLock { $0.begins() } }
        let tail = JournalTail(path: context.settings.journalPath, from: start) { [self] in
            checkedBatch.withLock { $0.most }
        }
        self.tail.withLock { $0 = tail }
        if decisions.withLock({ $0.count }) != decided { tail.stop() }
        try await tail.run(preparing: prepared) { prepared in
            try await self.handle(prepared)
        } settling: { ingested in
            if let ingested { try await self.settle(ingested) }
        }
    }

    private static func start(in transaction: Transaction) throws -> JournalTail.Start {
        var start = JournalTail.Start(try transaction.journalPosition(JournalIngest.position))
        let isAsked = try transaction.holds().contains { $0.kind == .journalRewritten }
        start.isHeld = try isAsked && transaction.journalPosition(JournalIngest.rewritten) != nil
        return start
    }

    /// Where reading goes on when a hold is decided; nil where it does not. A journal that was rewritten is read from its
    /// start, or behind what stood there when that was noticed.
    func start(
        after hold: Hold, approved: Bool, of transaction: Transaction
    ) throws -> JournalTail.Start? {
        guard hold.kind == .journalRewritten else {
            var start = JournalTail.Start(try transaction.journalPosition(JournalIngest.position))
            start.backlog = backlogOfRun.withLock { $0 }
            return start
        }
        guard let present = try transaction.journalPosition(JournalIngest.rewritten) else {
            return approved ? JournalTail.Start(nil) : nil
        }
        var start = JournalTail.Start(approved ? present.restarted : present)
        start.backlog = approved ? nil : JournalBacklog.none
        return start
    }

    /// Moves the position as a person has decided; ``decided(_:)`` is to follow when that is committed.
    static func goOn(as answer: JournalAnswer, in transaction: Transaction) throws {
        // Without a note of what stood there the journal is still as rewritten as it was, and is asked about again.
        guard let present = try transaction.journalPosition(rewritten) else { return }
        let next = answer == .readAgain ? present.restarted : present
        try transaction.setValue(position, next.text)
        try transaction.removeValue(rewritten)
    }

    /// Reads on from where ``goOn(as:in:)`` went.
    func decided(_ answer: JournalAnswer) {
        decisions.withLock { $0 = ($0.count + 1, answer) }
        tail.withLock { $0 }?.stop()
    }

    /// Returns as soon as the loop has shown that it lives.
    func isAlive() async {
        await pulse.isFelt { await self.catchUp() }
    }

    /// Returns when all lines that were complete when this was called are applied.
    private func catchUp() async { await tail.withLock { $0 }?.catchUp() }

    /// Returns when all lines that were complete when this was called are applied, or after `timeout`.
    func catchUp(timeout: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.catchUp() }
            group.addTask { try? await Task.sleep(for: timeout) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Gives what is left to do of a batch, when it is on the disk.
    private func handle(_ prepared: Prepared) async throws -> Ingested? {
        defer { pulse.beat() }
        switch prepared.event {
        case .watching:
            context.status.update { $0.journalWatched = true }
            watching()
        case .begun(let position):
            let text = position.text
            try await context.commit { try $0.setValue(JournalIngest.position, text) }
        case .batch(let batch): return try await ingest(batch, prepared)
        case .caughtUp(let size, let offset): try await caughtUp(size: size, offset: offset)
        case .rotated(let rotation): try await rotated(rotation)
        case .abandoned(let file, let reason):
            context.logger.warning(
                "Something that may belong to the journal is not read",
                metadata: ["event": "journal.abandoned", "file": "\(file)", "reason": "\(reason)"])
        case .rewritten(let reason, let present):
            try await raiseRewritten(reason, present)
            backlogEnd.finish()
        case .missing:
            context.status.update { facts in
                facts.journal.lastError = nil
                facts.journal.size = 0
                facts.journal.offset = 0
                facts.journalCaughtUp = true
            }
            try await noteBacklogRead()
        case .unreadable(let error):
            backlogEnd.finish()
            context.status.update { $0.journal.lastError = "\(error)" }
            context.logger.error(
                "The journal can't be read", metadata: ["event": "journal.unreadable", "reason": "\(error)"])
        }
        return nil
    }

    private func caughtUp(size: UInt64, offset: UInt64) async throws {
        isWaitTold.withLock { $0 = false }
        context.status.update { facts in
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
        let position = rotation.position.text
        try await context.commit { try $0.setValue(JournalIngest.position, position) }
        context.logger.info(
            "The journal was rotated",
            metadata: ["event": "journal.rotated", "kind": "\(rotation.kind.rawValue)", "file": "\(rotation.from)"])
    }

    private func raiseRewritten(_ reason: String, _ present: JournalPosition) async throws {
        let now = context.wall
        let noted = present.text
        try await context.commit { transaction in
            try JournalRewritten.raise(reason: reason, since: now, in: transaction)
            try transaction.setValue(JournalIngest.rewritten, noted)
        }
    }
}

extension Transaction {
    /// A small value that is a whole number.
    func number(_ name: String) throws -> Int? {
        try text(name).flatMap { Int($0) }
    }

    /// A small value that is a place in the journal.
    fileprivate func journalPosition(_ name: String) throws -> JournalPosition? {
        try value(name).flatMap { try? JSONDecoder().decode(JournalPosition.self, from: Data($0)) }
    }
}
