internal import ControlAPI
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// What all parts of the engine share: the store, the remote, the board, and who is told of what.
final class EngineContext: Sendable {
    let settings: EngineSettings
    let store: LocalStore
    let remote: any Remote
    let registry: PluginRegistry
    let logger: Logger
    /// Milliseconds since 1970.
    let wall: @Sendable () -> UInt64
    let board: StatusBoard
    let health: RemoteHealth
    let maxAhead: Mutex<UInt64>
    private let listeners = Mutex<Listeners>(Listeners())

    private struct Listeners: Sendable {
        var toPush: @Sendable ([RecordKey]) -> Void = { _ in }
        var changed: @Sendable () -> Void = {}
        var due: @Sendable () -> Void = {}
        var loading: @Sendable () -> Void = {}
    }

    init(
        settings: EngineSettings, store: LocalStore, remote: any Remote, registry: PluginRegistry, logger: Logger,
        pid: Int32, wall: @escaping @Sendable () -> UInt64
    ) {
        self.settings = settings
        self.store = store
        self.remote = remote
        self.registry = registry
        self.logger = logger
        self.wall = wall
        board = StatusBoard(node: store.node, pid: pid, journalPath: settings.journalPath, wall: wall)
        health = RemoteHealth()
        maxAhead = Mutex(settings.clockMaxAhead)
    }

    /// Whom to tell of records that must be pushed, of new entries in the change feed, and of holds and quarantined
    /// items that may end by themselves, and of many records coming in.
    func listen(
        toPush: @escaping @Sendable ([RecordKey]) -> Void, changed: @escaping @Sendable () -> Void,
        due: @escaping @Sendable () -> Void, loading: @escaping @Sendable () -> Void
    ) {
        listeners.withLock { $0 = Listeners(toPush: toPush, changed: changed, due: due, loading: loading) }
    }

    /// Counts records that came in, so that memory can be given back after many.
    func took(_ entries: Int) {
        board.update { $0.entriesTaken += entries }
        if entries > 100 { listeners.withLock { $0 }.loading() }
    }

    /// The clocks as they are now.
    var time: StampPolicy {
        StampPolicy(wall: wall(), offset: remote.traffic.clockOffset ?? 0, maxAhead: maxAhead.withLock { $0 })
    }

    func plugin(_ collection: CollectionID) -> (any CollectionPlugin)? {
        guard settings.collections.contains(where: { $0.id == collection }) else { return nil }
        return registry.collection(collection)
    }

    /// Runs one transaction; when it has committed, the board and the queues hear of what it did.
    func commit<Result: Sendable>(
        _ body: @Sendable @escaping (Transaction) throws -> Result
    ) async throws -> Result {
        let answer: (result: Committed<Result>, effects: StoreEffects)
        do {
            answer = try await store.write { transaction in
                let result = try body(transaction)
                return Committed(
                    result: result, oldest: try transaction.oldest(), holds: try transaction.changedHolds())
            }
        } catch let error as StoreError {
            board.update { $0.storeError = error.message }
            logger.error(
                "The state can't be written", metadata: ["event": "state.failed", "reason": "\(error.message)"])
            throw error
        }
        publish(answer.result, answer.effects)
        return answer.result.result
    }

    private func publish<Result>(_ committed: Committed<Result>, _ effects: StoreEffects) {
        board.update { facts in
            facts.storeError = nil
            for (collection, counts) in effects.counts { facts.counts[collection, default: .init()] += counts }
            for (collection, since) in committed.oldest { facts.oldestPending[collection] = since }
            facts.quarantinedElsewhere += effects.quarantinedElsewhere
            facts.journal.quarantined += effects.quarantinedFromJournal
            facts.lastChange += Int64(effects.changes)
            if let holds = committed.holds { facts.holds = holds }
        }
        for conflict in effects.decided { log(conflict) }
        for hold in effects.raised { log(hold) }
        let listeners = listeners.withLock { $0 }
        if !effects.toPush.isEmpty { listeners.toPush(effects.toPush) }
        if effects.changes > 0 { listeners.changed() }
        if effects.holdsChanged || effects.counts.values.contains(where: { $0.quarantined > 0 }) { listeners.due() }
    }

    private func log(_ hold: Hold) {
        logger.error(
            "A hold was raised",
            metadata: [
                "event": "hold.raised", "hold": "\(hold.number)", "kind": "\(hold.kind.rawValue)",
                "collection": "\(hold.collection?.name ?? "")", "record": "\(hold.record?.description ?? "")",
                "direction": "\(hold.direction.rawValue)", "reason": "\(hold.reason)",
            ])
    }

    private func log(_ conflict: LedgerEntry) {
        logger.notice(
            "A conflict was decided",
            metadata: [
                "event": "conflict.decided", "conflict": "\(conflict.number)",
                "collection": "\(conflict.key.collection)", "record": "\(conflict.key.id)", "rule": "\(conflict.rule)",
                "stamp": "\(conflict.winner.stamp)", "loser": "\(conflict.loser.stamp)",
            ])
    }

    private struct Committed<Result: Sendable>: Sendable {
        var result: Result
        var oldest: [CollectionID: Int64]
        var holds: [Hold]?
    }
}

extension Transaction {
    fileprivate func oldest() throws -> [CollectionID: Int64] {
        var oldest: [CollectionID: Int64] = [:]
        for collection in effects.counts.keys { oldest[collection] = try oldestPending(in: collection) }
        return oldest
    }

    fileprivate func changedHolds() throws -> [Hold]? { effects.holdsChanged ? try holds() : nil }
}

/// How the remote answers: one back-off for all that talks to it.
final class RemoteHealth: Sendable {
    private struct State: Sendable {
        var backoff = Backoff()
        var retryAt: ContinuousClock.Instant?
        var succeeded = false
        /// How many writes have succeeded.
        var writes = 0
        /// The versions that were denied, and how many writes had succeeded then.
        var denials: [RecordKey: Denial] = [:]
    }

    private struct Denial: Sendable {
        let stamp: Stamp?
        let writes: Int
    }

    private let state = Mutex(State())

    /// How long to wait before the next request; nil when there is nothing to wait for.
    var wait: Duration? {
        state.withLock { state in
            guard let retryAt = state.retryAt else { return nil }
            let wait = ContinuousClock.now.duration(to: retryAt)
            return wait > .zero ? wait : nil
        }
    }

    /// Whether any write succeeded with the present credential.
    var hasSucceeded: Bool { state.withLock { $0.succeeded } }

    /// Notes that a version was denied. Returns whether it is this record that the remote does not take, rather than
    /// everything: another write has succeeded since the same version was denied before.
    func denied(_ key: RecordKey, _ stamp: Stamp?) -> Bool {
        state.withLock { state in
            if let before = state.denials[key], before.stamp == stamp {
                guard state.writes > before.writes else { return false }
                state.denials[key] = nil
                return true
            }
            state.denials[key] = Denial(stamp: stamp, writes: state.writes)
            return false
        }
    }

    func failed(retryAfter: Duration?) -> Duration {
        state.withLock { state in
            if let retryAt = state.retryAt, retryAt > .now { return ContinuousClock.now.duration(to: retryAt) }
            let wait = state.backoff.failed(retryAfter: retryAfter, random: .random(in: 0...1))
            state.retryAt = .now + wait
            return wait
        }
    }

    func succeeded(writing: Bool = false) {
        state.withLock { state in
            state.backoff.succeeded()
            state.retryAt = nil
            guard writing else { return }
            state.succeeded = true
            state.writes += 1
        }
    }

    /// Lets the next request go at once.
    func retryNow() { state.withLock { $0.retryAt = nil } }
}
