internal import ControlAPI
internal import HookRules
internal import LocalStore
internal import Logging
internal import SyncModel
internal import Synchronization

/// Tells one hook of what happens, in order: performs what its ``HookCourse`` decides.
///
/// Everything but ``run()`` returns at once, whatever the hook does.
final class HookRunner: Sendable {
    private struct State: Sendable {
        var course: HookCourse
        /// What the store knows of it.
        var noted: StoredHook
        var notedAt: ContinuousClock.Instant = .now
        /// When the event took effect that it is being told of.
        var eventAt: UInt64?
        /// Whether it is being told of one now.
        var isTelling = false
        var delivered = 0
        var failures = 0
        var quarantined = 0
        var wakesAt: UInt64?
    }

    let settings: HookSettings
    private let context: HookContext
    private let logger: Logger
    private let state: Mutex<State>
    private let looks: AsyncStream<Void>
    private let look: AsyncStream<Void>.Continuation
    private let stopped: AsyncStream<Void>
    private let stopping: AsyncStream<Void>.Continuation

    /// How many entries of the feed are read at once, and how many events may be put aside.
    private static let page = 100
    private static let mostRefused = 10_000
    /// How far the cursor may lag behind what was delivered: only that much is told again after a crash.
    private static let noting: Duration = .milliseconds(250)

    init(_ settings: HookSettings, _ stored: StoredHook, quarantined: Int, _ context: HookContext) {
        self.settings = settings
        self.context = context
        var logger = context.logger
        logger[metadataKey: "hook"] = "\(settings.id)"
        self.logger = logger
        let course = HookCourse(name: settings.name, collections: settings.collections, stored)
        state = Mutex(State(course: course, noted: stored, quarantined: quarantined))
        (looks, look) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (stopped, stopping) = AsyncStream.makeStream()
    }

    /// There may be something new.
    func notify() { look.yield() }

    /// Ends it; ``run()`` returns.
    func stop() { stopping.finish() }

    /// A person wants it to go on.
    func resume() {
        state.withLock { $0.course.resume() }
        notify()
    }

    /// Events that were put aside are given up.
    func noteDropped(_ count: Int) { state.withLock { $0.quarantined -= count } }

    /// Runs until stopped; what is under way then is broken off, and told again by the next one.
    func run() async {
        guard settings.objection == nil else { return }
        notify()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.follow() }
            for await _ in self.stopped {}
            group.cancelAll()
        }
        try? await note(isLast: true)
    }

    private func follow() async {
        await withDiscardingTaskGroup { group in
            for await _ in looks {
                guard let until = await work(), wants(wake: until) else { continue }
                group.addTask {
                    let now = self.context.wall()
                    await self.context.sleep(until > now ? until - now : 0)
                    self.state.withLock { if $0.wakesAt == until { $0.wakesAt = nil } }
                    self.notify()
                }
            }
            group.cancelAll()
        }
    }

    /// Whether nobody wakes this before `until` already.
    private func wants(wake until: UInt64) -> Bool {
        state.withLock { state in
            guard until < state.wakesAt ?? .max else { return false }
            state.wakesAt = until
            return true
        }
    }

    func reply() -> HookReply {
        let now = context.wall()
        return state.withLock { state in
            var reply = HookReply(
                name: settings.name, kind: settings.kind, state: .ready, collections: settings.collections.sorted(),
                cursor: state.course.stored.cursor)
            switch state.course.phase {
            case .ready, .waiting: reply.state = state.isTelling ? .delivering : .ready
            case .off(let reason): (reply.state, reply.reason) = (.off, reason)
            }
            if case .waiting(let until, let reason) = state.course.phase, !state.isTelling {
                (reply.state, reply.reason, reply.retryAt) = (.waiting, reason, Moment(milliseconds: until))
            }
            if let objection = settings.objection { (reply.state, reply.reason) = (.refused, objection) }
            reply.lagSeconds = state.eventAt.map { Double(now > $0 ? now - $0 : 0) / 1_000 }
            reply.attempts = state.course.stored.attempts
            reply.delivered = state.delivered
            reply.failures = state.failures
            reply.quarantined = state.quarantined
            return reply
        }
    }
}

// One event after the other.
extension HookRunner {
    /// Tells of all that is there.
    ///
    /// - Returns: when to look again, in milliseconds since 1970; nil where nothing is to be done before something changes.
    private func work() async -> UInt64? {
        do {
            while !Task.isCancelled {
                switch state.withLock({ $0.course.phase }) {
                case .waiting(let until, _) where until > context.wall(): return until
                case .off: return nil
                case .waiting, .ready: break
                }
                let (id, after) = (settings.id, state.withLock { $0.course.stored.cursor })
                if let due = try await context.store.read({ try $0.dueEvent(of: id) }) {
                    try await retry(due)
                    continue
                }
                let changes = try await context.store.read {
                    try $0.changesWithPast(after: after, limit: HookRunner.page)
                }
                if changes.isEmpty {
                    try await note(isLast: true)
                    return nil
                }
                for change in changes where !Task.isCancelled { guard try await tell(of: change) else { break } }
            }
        } catch {
            logger.error("A hook waits for the state", metadata: ["event": "hook.state", "reason": "\(error)"])
            return context.wall() + HookCourse.pauses.lowerBound * 5
        }
        return nil
    }

    /// Whether the next change may follow.
    private func tell(of change: Change) async throws -> Bool {
        let (gap, isConcerned) = state.withLock { state in
            (state.course.gap(before: change, node: context.node), state.course.concerns(change))
        }
        if let gap, try await !deliver(gap) { return false }
        if isConcerned { return try await deliver(HookEvent(change, node: context.node)) }
        state.withLock { $0.course.pass(change.sequence) }
        try await note()
        return true
    }

    /// Whether the next event may follow.
    private func deliver(_ event: HookEvent) async throws -> Bool {
        state.withLock { $0.eventAt = event.at }
        var outcome = await tell(event)
        if Task.isCancelled { return false }
        if case .refused(let reason) = outcome, state.withLock({ $0.quarantined >= HookRunner.mostRefused }) {
            outcome = .failed("\(HookRunner.mostRefused) events are put aside, and no more fit: \(reason)")
        }
        let now = context.wall()
        let (verdict, attempts) = state.withLock { state in
            let attempts = state.course.stored.attempts + 1
            if outcome == .taken { state.delivered += 1 } else { state.failures += 1 }
            let verdict = state.course.attempted(event.sequence, outcome, at: now)
            if verdict == .next { state.eventAt = nil }
            return (verdict, attempts)
        }
        switch verdict {
        case .next:
            logTaken(event.sequence)
            try await note()
        case .putAside(let reason): try await putAside(event, attempts, reason, now)
        case .again, .stop:
            logFailure(of: event, attempts)
            try await note(isLast: true)
        }
        return verdict != .again && verdict != .stop
    }

    private func tell(_ event: HookEvent) async -> HookOutcome {
        state.withLock { $0.isTelling = true }
        defer { state.withLock { $0.isTelling = false } }
        return await context.deliver(event, by: settings)
    }

    private func putAside(_ event: HookEvent, _ attempts: Int, _ reason: String, _ now: UInt64) async throws {
        let refused = RefusedEvent(
            hook: settings.id, sequence: event.sequence, since: now, attempts: attempts, reason: reason,
            event: event.text)
        let stored = state.withLock { state in
            state.quarantined += 1
            state.eventAt = nil
            return state.course.stored
        }
        _ = try await context.store.write { transaction in
            try transaction.insert(refused)
            try transaction.store(stored)
        }
        noted(stored)
        logger.error(
            "A hook does not take an event, which is put aside",
            metadata: ["event": "hook.quarantined", "seq": "\(event.sequence)", "reason": "\(reason)"])
    }

    /// One more attempt with an event that was put aside.
    private func retry(_ refused: RefusedEvent) async throws {
        guard let event = HookEvent(text: refused.event) else {
            _ = try await context.store.write { try $0.removeRefusedEvent(refused.sequence, of: refused.hook) }
            return noteDropped(1)
        }
        let outcome = await tell(event)
        if Task.isCancelled { return }
        var after = refused
        after.isDue = false
        after.attempts += 1
        switch outcome {
        case .taken:
            _ = try await context.store.write { try $0.removeRefusedEvent(refused.sequence, of: refused.hook) }
            state.withLock { state in
                state.delivered += 1
                state.quarantined -= 1
            }
            return logTaken(refused.sequence)
        case .failed(let reason, _), .refused(let reason), .off(let reason): after.reason = reason
        }
        state.withLock { $0.failures += 1 }
        _ = try await context.store.write { [after] in try $0.insert(after) }
    }

    /// Has the store know how far it is: at the latest when it has nothing to do.
    private func note(isLast: Bool = false) async throws {
        let stored: StoredHook? = state.withLock { state in
            let isDue = isLast || state.notedAt.duration(to: .now) >= HookRunner.noting
            return isDue && state.noted != state.course.stored ? state.course.stored : nil
        }
        guard let stored else { return }
        _ = try await context.store.write(isShort: true) { try $0.store(stored) }
        noted(stored)
    }

    private func noted(_ stored: StoredHook) {
        state.withLock { state in
            state.noted = stored
            state.notedAt = .now
        }
    }

    private func logTaken(_ sequence: Int64) {
        logger.debug("A hook has taken an event", metadata: ["event": "hook.taken", "seq": "\(sequence)"])
    }

    private func logFailure(of event: HookEvent, _ attempts: Int) {
        let phase = state.withLock { $0.course.phase }
        switch phase {
        case .waiting(let until, let reason):
            let now = context.wall()
            logger.warning(
                "A hook has failed, and is told again later",
                metadata: [
                    "event": "hook.failed", "seq": "\(event.sequence)", "attempts": "\(attempts)",
                    "reason": "\(reason)", "pause": "\((until > now ? until - now : 0) / 1_000) s",
                ])
        case .off(let reason):
            logger.error("A hook is off", metadata: ["event": "hook.off", "reason": "\(reason)"])
        case .ready: break
        }
    }
}
