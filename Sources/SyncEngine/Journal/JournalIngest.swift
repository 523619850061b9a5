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
    typealias Course = JournalCourse<JournalPosition>

    let context: EngineContext
    let machine: Mutex<JournalMachine>
    private let watching: @Sendable () -> Void
    private let tail = Mutex<JournalTail?>(nil)
    /// The clocks were not found to differ, and nothing was left of a time in which they did.
    let clockIsSettled = Mutex(false)
    /// What was there before the journal was watched that is read now.
    private let backlogOfRun = Mutex(JournalBacklog.none)
    /// How many decisions on a rewritten journal were made in this run, and the last one.
    private let decisions = Mutex<(count: Int, last: JournalAnswer?)>((0, nil))
    /// That the journal waits for the quarantine is in the log.
    let isWaitTold = Mutex(false)
    let checkedBatch = Mutex(CheckedBatch())
    /// The server was asked for the time on behalf of what was there at the start.
    let isTimeAsked = Mutex(false)
    let pulse = Pulse()
    let (backlog, backlogEnd) = AsyncStream<Void>.makeStream()

    /// - Parameter watching: called each time the journal, or its folder, is watched: readiness.
    init(_ context: EngineContext, watching: @escaping @Sendable () -> Void) {
        self.context = context
        self.watching = watching
        machine = Mutex(JournalMachine(isReplaying: context.store.timeOfBacklogUnknown))
    }

    /// Returns when remote versions may be learned; for one waiter.
    ///
    /// Lines that were there at the start were written over what the state held then: learned first, a delete would keep an
    /// update of its record in quarantine. Those of unknown time come right after it: a version learned before would count as
    /// held, and be overwritten by what is older. A journal that can't be read, or waits for a decision, keeps nobody waiting.
    func backlogIsRead() async {
        for await _ in backlog {}
    }

    /// Runs until cancelled. Where the state can't be written, tries again from the last committed position.
    func run() async throws {
        var backoff = Backoff()
        while !Task.isCancelled {
            let lines = context.status.current.journal.lines
            do {
                try await follow()
            } catch is CancellationError {
                return
            } catch {
                backlogEnd.finish()
                if context.status.current.journal.lines > lines { backoff.succeeded() }
                let reason = (error as? any ControlErrorConvertible)?.controlError.message ?? "\(error)"
                context.status.update { $0.journal.lastError = reason }
                context.logger.error(
                    "The journal can't be ingested", metadata: ["event": "journal.failed", "reason": "\(error)"])
                try? await Task.sleep(for: backoff.failed(random: .random(in: 0...1)))
            }
        }
    }

    /// Reads from the committed position on; returns when a decision has moved it.
    private func follow() async throws {
        let (decided, answer) = decisions.withLock { $0 }
        let start = try await context.store.read { try Course.start(after: answer, in: $0) }
        let backlog = backlog(start.backlog)
        backlogOfRun.withLock { $0 = backlog }
        if start.isHeld { backlogEnd.finish() }
        let offset = start.place?.offset ?? 0
        let size = (try? FileIdentity.of(path: context.settings.journalPath).size) ?? offset
        context.status.update { ($0.journal.offset, $0.journal.size) = (offset, max(offset, size)) }
        let tail = JournalTail(path: context.settings.journalPath, from: JournalTail.Start(start, backlog)) { [self] in
            checkedBatch.withLock { $0.next(isChecked: context.checks.mayBeAny) }
        }
        self.tail.withLock { $0 = tail }
        if decisions.withLock({ $0.count }) != decided { tail.stop() }
        try await tail.run(preparing: prepared) { prepared in
            try await self.handle(prepared)
        } settling: { ingested in
            if let ingested { try await self.settle(ingested) }
        }
    }

    func backlog(_ backlog: Course.Backlog) -> JournalBacklog {
        switch backlog {
        case .all: JournalBacklog(beside: context.settings.journalPath)
        case .asBefore: backlogOfRun.withLock { $0 }
        }
    }

    /// Reads on from where ``JournalCourse/goOn(as:in:)`` went.
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
        _ = try? await withTimeout(timeout) { await self.catchUp() }
    }

    /// Gives what is left to do of a batch, when it is on the disk.
    private func handle(_ prepared: Prepared) async throws -> Ingested? {
        defer { pulse.beat() }
        switch prepared.event {
        case .watching:
            context.status.update { $0.journalWatched = true }
            watching()
        case .begun(let position):
            try await context.commit { try Course.reached(position, in: $0) }
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

    /// What waits for the lines that were there at the start waits no more.
    private func noteBacklogRead() async throws {
        defer { backlogEnd.finish() }
        var machine = machine.withLock { $0 }
        guard machine.isReplaying else { return }
        machine = try await context.commit { [machine] transaction in
            var machine = machine
            _ = try machine.caughtUp(in: transaction)
            return machine
        }
        self.machine.withLock { [machine] in $0 = machine }
    }

    private func rotated(_ rotation: JournalRotation) async throws {
        try await context.commit { try Course.reached(rotation.position, in: $0) }
        context.logger.info(
            "The journal was rotated",
            metadata: ["event": "journal.rotated", "kind": "\(rotation.kind.rawValue)", "file": "\(rotation.from)"])
    }

    private func raiseRewritten(_ reason: String, _ present: JournalPosition) async throws {
        let now = context.wall
        try await context.commit { try Course.rewritten(reason, present: present, since: now, in: $0) }
    }
}

extension JournalTail.Start {
    init(_ start: JournalIngest.Course.Start, _ backlog: JournalBacklog) {
        self.init(start.place, isHeld: start.isHeld, backlog: backlog)
    }
}

extension JournalPosition: JournalPlace {
    package init?(stored: [UInt8]) {
        guard let position = try? JSONDecoder().decode(JournalPosition.self, from: Data(stored)) else { return nil }
        self = position
    }
}
