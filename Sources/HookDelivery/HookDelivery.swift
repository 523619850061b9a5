package import ControlAPI
internal import HookRules
internal import JSONText
internal import LocalStore
internal import Logging
internal import ServiceLifecycle
internal import SyncModel
internal import Synchronization

/// Tells hooks of every change that took effect: each at its own pace, from the change feed of the store.
///
/// The sync never waits for any of it.
package final class HookDelivery: Service {
    private struct State: Sendable {
        var runners: [String: HookRunner] = [:]
        /// Plugins that may turn out to be hooks, and after which entry each is told.
        var candidates: [String: Int64] = [:]
        var isOver = false
    }

    private let context: HookContext
    private let state = Mutex(State())
    private let begun: AsyncStream<HookRunner>
    private let begin: AsyncStream<HookRunner>.Continuation
    private let declared: AsyncStream<DeclaredHook>

    /// Hooks that are new are told of what comes after this.
    ///
    /// - Parameters:
    ///   - plugins: the names of plugins that may be hooks.
    ///   - declared: plugins that say that they are.
    /// - Throws: what the store throws.
    package init(
        _ settings: [HookSettings], plugins: [String], declared: AsyncStream<DeclaredHook>, _ context: HookContext
    ) throws {
        self.context = context
        self.declared = declared
        (begun, begin) = AsyncStream.makeStream()
        try configure(settings, plugins: plugins)
    }

    /// Runs all hooks until graceful shutdown.
    package func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { for await hook in self.declared { self.add(hook) } }
                for await runner in begun { group.addTask { await runner.run() } }
                group.cancelAll()
            }
        } onGracefulShutdown: {
            self.stop()
        }
    }

    private func stop() {
        let runners = state.withLock { state in
            state.isOver = true
            return state.runners.values.map(\.self)
        }
        for runner in runners { runner.stop() }
        begin.finish()
    }

    /// There are new entries in the change feed.
    package func notify() {
        for runner in state.withLock({ $0.runners.values.map(\.self) }) { runner.notify() }
    }

    /// Takes over other settings: what is gone ends, what is new begins with what comes now.
    package func configure(_ settings: [HookSettings], plugins: [String]) throws {
        let (_, last) = try known(settings.map(\.id))
        let gone: [HookRunner] = state.withLock { state in
            guard !state.isOver else { return [] }
            let kept = Set(settings.map(\.id) + plugins.map { "plugin:\($0)" })
            let gone = state.runners.filter { !kept.contains($0.key) }
            for id in gone.keys { state.runners[id] = nil }
            state.candidates = Dictionary(plugins.map { ($0, state.candidates[$0] ?? last) }) { first, _ in first }
            return Array(gone.values)
        }
        for runner in gone { runner.stop() }
        for hook in settings { try put(hook) }
        try noteConfigured()
    }

    private func add(_ hook: DeclaredHook) {
        guard state.withLock({ $0.candidates[hook.plugin] != nil }) else { return }
        do {
            try put(HookSettings(name: hook.plugin, way: .plugin, collections: hook.collections))
            try noteConfigured()
        } catch {
            context.logger.error(
                "A hook waits for the state",
                metadata: ["event": "hook.state", "hook": "plugin:\(hook.plugin)", "reason": "\(error)"])
        }
    }

    /// Of these hooks what the store has, and the last entry of the feed.
    private func known(_ ids: [String]) throws -> (hooks: [String: (StoredHook, Int)], last: Int64) {
        try context.store.writeNow { transaction in
            let last = try transaction.lastChange()
            var hooks: [String: (StoredHook, Int)] = [:]
            for id in ids {
                guard let hook = try transaction.hook(id) else { continue }
                hooks[id] = (hook, try transaction.refusedEventCount(of: id))
            }
            return (hooks, last)
        }.result
    }

    private func put(_ settings: HookSettings) throws {
        let old = state.withLock { $0.runners[settings.id] }
        if let old {
            if old.settings == settings { return }
            old.stop()
        }
        let (known, last) = try known([settings.id])
        var cursor = last
        if settings.kind == .plugin { cursor = state.withLock { $0.candidates[settings.name] } ?? last }
        let (stored, quarantined) = known[settings.id] ?? (StoredHook(name: settings.id, cursor: cursor), 0)
        _ = try context.store.writeNow { try $0.store(stored) }
        if let objection = context.objection(to: settings) {
            context.logger.error(
                "A hook can't be used",
                metadata: ["event": "hook.refused", "hook": "\(settings.id)", "reason": "\(objection)"])
        }
        let runner = HookRunner(settings, stored, quarantined: quarantined, context)
        state.withLock { $0.runners[settings.id] = runner }
        begin.yield(runner)
    }

    /// Entries of the feed are kept for those that can be told.
    private func noteConfigured() throws {
        let (runners, candidates) = state.withLock { ($0.runners, $0.candidates.keys.map { "plugin:\($0)" }) }
        let names = runners.filter { $0.value.settings.objection == nil }.keys
        _ = try context.store.writeNow { try $0.setConfigured(hooks: Set(names).union(candidates)) }
    }
}

extension HookDelivery: HookService {
    package func hooks() -> [HookReply] {
        state.withLock { $0.runners.values.map(\.self) }.map { $0.reply() }.sorted { $0.id < $1.id }
    }

    /// The hook of this name, or of this kind and name.
    private func runner(_ name: String) throws(ControlError) -> HookRunner {
        let found = state.withLock { state in
            state.runners.values.filter { $0.settings.id == name || $0.settings.name == name }
        }
        if let exact = found.first(where: { $0.settings.id == name }) { return exact }
        guard let first = found.first else { throw ControlError.unknownHook(name) }
        guard found.count == 1 else { throw ControlError.ambiguousHook(name) }
        return first
    }

    package func refusedEvents(of hook: String?) async throws -> [RefusedEventReply] {
        let ids = try hook.map { [try runner($0).settings.id] } ?? hooks().map(\.id)
        let events = try await context.store.read { transaction in
            try ids.flatMap { try transaction.refusedEvents(of: $0, after: 0, limit: ControlRoute.maxLimit) }
        }
        return events.map { event in
            RefusedEventReply(
                hook: event.hook, seq: event.sequence, since: Moment(milliseconds: event.since),
                attempts: event.attempts, reason: event.reason, isDue: event.isDue,
                event: (try? JSONReader.value(event.event)) ?? .null)
        }
    }

    package func retry(hook: String, _ sequences: [Int64]?) async throws -> HookOrderReply {
        let runner = try runner(hook)
        let id = runner.settings.id
        let count = try await context.store.write { try $0.setDue(of: id, sequences) }.result
        guard count > 0 || sequences == nil else { throw ControlError.unknownEvent(hook) }
        runner.resume()
        return HookOrderReply(events: count)
    }

    package func drop(hook: String, _ sequences: [Int64]) async throws -> HookOrderReply {
        let runner = try runner(hook)
        let id = runner.settings.id
        let count = try await context.store.write { transaction in
            try sequences.count { try transaction.removeRefusedEvent($0, of: id) }
        }.result
        guard count > 0 else { throw ControlError.unknownEvent(hook) }
        runner.noteDropped(count)
        return HookOrderReply(events: count)
    }
}
