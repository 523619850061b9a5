internal import ControlAPI
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// What all parts of the engine share: the store, the remote, the status, and who is told of what.
final class EngineContext: Sendable {
    let settings: EngineSettings
    let store: LocalStore
    let checks: any CheckService
    let logger: Logger
    let clock: EngineClock
    let status: EngineStatus
    let people: PersonSessions
    let maxAhead: Mutex<UInt64>
    let keep: Mutex<UInt64>
    /// How much of the change feed is kept.
    let feed: Mutex<FeedLimits>
    let nodeName: Mutex<String>
    /// Which remote, and which collections; changed between two transactions.
    private let current: Mutex<(session: RemoteSession, number: Int)>
    private let gate = CommitGate()
    /// The state could not be written.
    let stateFailed = Signal()
    private let observers = Mutex(Observers())

    struct Observers: Sendable {
        /// Records must be pushed, or holds have changed.
        var edited: @Sendable ([RecordKey]) -> Void = { _ in }
        /// Lines of the journal were put into quarantine.
        var setAside: @Sendable () -> Void = {}
        /// The change feed has new entries.
        var changed: @Sendable () -> Void = {}
        /// There are holds or quarantined items that may end by themselves.
        var deadlines: @Sendable () -> Void = {}
        /// Many records come in.
        var bulkLoad: @Sendable () -> Void = {}
    }

    init(
        settings: EngineSettings, store: LocalStore, session: RemoteSession, checks: any CheckService, logger: Logger,
        pid: Int32, clock: EngineClock
    ) {
        self.checks = checks
        self.settings = settings
        self.store = store
        current = Mutex((session, 0))
        self.logger = logger
        self.clock = clock
        let status = EngineStatus(node: store.node, pid: pid, journalPath: settings.journalPath, wall: clock.wall)
        self.status = status
        people = PersonSessions(path: settings.sessionsPath, logger: logger) { trouble in
            status.update { $0.peopleTrouble = trouble }
        }
        maxAhead = Mutex(settings.clockMaxAhead)
        keep = Mutex(settings.keep)
        feed = Mutex(settings.feed)
        nodeName = Mutex(settings.nodeName)
    }

    var session: RemoteSession { current.withLock { $0.session } }

    /// How often the session was changed.
    var sessionNumber: Int { current.withLock { $0.number } }

    var remote: any Remote { current.withLock { $0.session.remote } }

    /// Changes the session between two transactions.
    ///
    /// - Parameter exchange: is called while there is none, right before.
    /// - Returns: the session before.
    func change(to session: RemoteSession, _ exchange: () async throws -> Void) async rethrows -> RemoteSession {
        try await betweenTransactions {
            try await exchange()
            return current.withLock { current in
                defer { current = (session, current.number + 1) }
                return current.session
            }
        }
    }

    /// Does something between two transactions.
    func betweenTransactions<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        await gate.close()
        defer { gate.open() }
        return try await body()
    }

    /// Whom to tell of what a transaction did, once it has committed.
    func setObservers(_ new: Observers) { observers.withLock { $0 = new } }

    /// Counts records that came in, so that memory can be given back after many.
    func noteIngested(_ entries: Int) {
        status.update { $0.entriesIngested += entries }
        if entries > 100 { observers.withLock { $0 }.bulkLoad() }
    }

    var wall: UInt64 { clock.wall() }

    /// The clocks as they are now.
    var time: StampPolicy {
        let offset = remote.traffic.clockOffset
        var time = StampPolicy(wall: wall, offset: offset ?? 0, maxAhead: maxAhead.withLock { $0 })
        time.serverIsKnown = offset != nil
        return time
    }

    /// Whether the server has said what time it has.
    var serverIsKnown: Bool { remote.traffic.clockOffset != nil }

    /// The same for a machine.
    var machineTime: MachineTime {
        MachineTime(
            monotonic: clock.monotonic(), policy: time, serverIsKnown: serverIsKnown,
            random: .random(in: 0...1), keep: keep.withLock { $0 })
    }

    /// What other nodes are told of this one, beside a collection.
    func card(of collection: CollectionID) -> NodeCard {
        NodeCard(
            name: nodeName.withLock { $0 }, version: MoviesyncVersion.current,
            declaration: session.registry.collection(collection)?.declarationDigest)
    }

    /// What applies operations.
    var applier: OperationApplier {
        let rules = session.rules
        return OperationApplier(time: time, keepsTombstones: remote.keepsTombstones, rules: { rules[$0] })
    }

    /// What an enabled collection says.
    func rules(_ collection: CollectionID) -> CollectionRules? { current.withLock { $0.session.rules[collection] } }

    /// A transaction that concerns fewer records than this takes about a millisecond.
    static let fewRecords = 32

    /// Runs one transaction; when it has committed, the status and the collections hear of what it did.
    ///
    /// - Parameters:
    ///   - tellingCollections: whether they don't know yet.
    ///   - isShort: whether it concerns ``fewRecords``.
    func commit<Result: Sendable>(
        tellingCollections: Bool = true, isShort: Bool = false,
        _ body: @Sendable @escaping (Transaction) throws -> Result
    ) async throws -> Result {
        try await publish(commitAhead(tellingCollections: tellingCollections, isShort: isShort, body))
    }

    /// ``commit(tellingCollections:isShort:_:)`` up to the disk: ``publish(_:)`` must follow, which awaits it. The next
    /// transaction can run meanwhile.
    func commitAhead<Result: Sendable>(
        tellingCollections: Bool = true, isShort: Bool, _ body: @Sendable @escaping (Transaction) throws -> Result
    ) async throws -> Unpublished<Result> {
        await gate.enter()
        do {
            var done = try await store.commit(isShort: isShort) { transaction in
                let result = try body(transaction)
                return Told(
                    result: result, oldest: try transaction.oldest(), holds: try transaction.changedHolds(),
                    areCollectionsTold: !tellingCollections)
            } whenCommitted: {
                self.count($0)
            }
            // What it does about a few edits a collection works out while the disk takes them.
            if isShort { tellCollections(&done) }
            return done
        } catch {
            gate.leave()
            throw failed(error)
        }
    }

    /// Counts what a transaction has changed: before any collection can act on it, so that what comes of that is never
    /// taken for the end of all that waits.
    private func count<Result>(_ committed: Unpublished<Result>) {
        let (effects, enabled) = (committed.effects, session.rules)
        status.update { facts in
            for (collection, counts) in effects.counts {
                // A line may name a collection that there is not.
                guard enabled[collection] != nil else {
                    facts.quarantinedElsewhere += counts.quarantined
                    facts.disabled[collection]? += counts
                    continue
                }
                facts.counts[collection, default: .init()] += counts
            }
            for (collection, since) in committed.result.oldest where enabled[collection] != nil {
                facts.oldestPending[collection] = since
            }
            facts.quarantinedElsewhere += effects.quarantinedElsewhere
            facts.journal.quarantined += effects.quarantinedFromJournal
            if let holds = committed.result.holds { facts.holds = holds }
        }
    }

    /// Tells of a transaction, once it is on the disk.
    func publish<Result>(_ committed: Unpublished<Result>) async throws -> Result {
        defer { gate.leave() }
        do {
            try await store.isDurable(committed)
        } catch {
            throw failed(error)
        }
        var committed = committed
        announce(committed.effects)
        tellCollections(&committed)
        return committed.result.result
    }

    private func tellCollections<Result>(_ committed: inout Unpublished<Result>) {
        guard !committed.result.areCollectionsTold else { return }
        committed.result.areCollectionsTold = true
        let effects = committed.effects
        let observers = observers.withLock { $0 }
        if !effects.toPush.isEmpty || effects.holdsChanged { observers.edited(effects.toPush) }
        if effects.quarantinedFromJournal > 0 { observers.setAside() }
    }

    private func failed(_ error: any Error) -> any Error {
        guard let error = error as? StoreError else { return error }
        status.update { $0.storeError = error.message }
        stateFailed.notify()
        logger.error(
            "The state can't be written", metadata: ["event": "state.failed", "reason": "\(error.message)"])
        return error
    }

    private func announce(_ effects: StoreEffects) {
        status.update { facts in
            facts.storeError = nil
            facts.lastChange += Int64(effects.changes)
        }
        for conflict in effects.decided { log(conflict) }
        for hold in effects.raised { log(hold) }
        let observers = observers.withLock { $0 }
        if effects.changes > 0 { observers.changed() }
        if effects.holdsChanged || effects.counts.values.contains(where: { $0.quarantined > 0 }) {
            observers.deadlines()
        }
    }

    private func log(_ hold: Hold) {
        logger.error(
            "A hold was raised",
            metadata: [
                "event": "hold.raised", "hold": "\(hold.number)", "kind": "\(hold.word)",
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

    /// A transaction that nobody was told of.
    typealias Unpublished<Result: Sendable> = Committed<Told<Result>>

    /// What a transaction gave, and what the status is told of it.
    struct Told<Result: Sendable>: Sendable {
        var result: Result
        fileprivate var oldest: [CollectionID: Int64]
        fileprivate var holds: [Hold]?
        fileprivate var areCollectionsTold: Bool
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
