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
    struct State: Sendable {
        var course: HookCourse
        /// What the store knows of it.
        var noted: StoredHook
        /// An event that is put aside: it is stored in one transaction with the cursor behind it.
        var unstored: RefusedEvent?
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
    let context: HookContext
    let logger: Logger
    let state: Mutex<State>
    private let looks: AsyncStream<Void>
    private let look: AsyncStream<Void>.Continuation
    private let stopped: AsyncStream<Void>
    private let stopping: AsyncStream<Void>.Continuation

    /// How many entries of the feed are read at once, and how many events may be put aside.
    static let page = 100
    static let mostRefused = 10_000
    /// How far the cursor may lag behind what was delivered: only that much is told again after a crash.
    static let noting: Duration = .milliseconds(250)
    /// How long it waits where the state can't be written, in milliseconds.
    static let statePause: UInt64 = 5_000

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
        let objection = context.objection(to: settings)
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
            if let objection { (reply.state, reply.reason) = (.refused, objection) }
            reply.lagSeconds = state.eventAt.map { Double(now > $0 ? now - $0 : 0) / 1_000 }
            reply.attempts = state.course.stored.attempts
            reply.delivered = state.delivered
            reply.failures = state.failures
            reply.quarantined = state.quarantined
            return reply
        }
    }
}
