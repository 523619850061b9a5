internal import ControlAPI
internal import LocalStore
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// What the engine knows about itself, in memory: status answers from here while disk or network hang.
final class EngineStatus: Sendable {
    struct Facts: Sendable {
        var journal: JournalStatus
        var journalWatched = false
        /// All complete lines of the journal have been read.
        var journalCaughtUp = false
        var counts: [CollectionID: CollectionCounts] = [:]
        /// Since when the longest pending record waits, milliseconds since 1970.
        var oldestPending: [CollectionID: Int64] = [:]
        /// Hints not yet answered and requests in flight.
        var unconfirmed: [CollectionID: Int] = [:]
        var lastVerify: [CollectionID: CollectionStatus.LastVerify] = [:]
        var quarantinedElsewhere = 0
        var streams: [Keyspace: RemoteStatus.Stream] = [:]
        /// When this node had been away for longer than tombstones are kept.
        var fenced: [CollectionID: Moment] = [:]
        /// The other nodes that declare a collection otherwise.
        var declaredOtherwise: [CollectionID: [String]] = [:]
        var lastPushAt: Moment?
        var lastPullAt: Moment?
        var lastError: String?
        var retryAt: UInt64?
        var holds: [Hold] = []
        var paused: Set<Direction> = []
        var convergedAt: Moment?
        var lastChange: Int64 = 0
        /// Journal lines and entries of the remote taken since the start.
        var entriesIngested = 0
        var storeError: String?
        var feedError: String?
        var stopping = false

        /// Nothing waits.
        var isSettled: Bool { counts.values.allSatisfy { $0.pending == 0 } && retryAt == nil }

        /// How much is in quarantine, of whatever collection.
        var quarantined: Int { counts.values.reduce(quarantinedElsewhere) { $0 + $1.quarantined } }
    }

    private let facts: Mutex<Facts>
    private let node: NodeID
    private let pid: Int32
    private let startedAt: Moment
    private let wall: @Sendable () -> UInt64
    /// Those who wait for a change.
    let waiters = SignalGroup()

    init(node: NodeID, pid: Int32, journalPath: String, wall: @escaping @Sendable () -> UInt64) {
        self.node = node
        self.pid = pid
        self.wall = wall
        startedAt = Moment(milliseconds: wall())
        facts = Mutex(Facts(journal: JournalStatus(path: journalPath)))
    }

    /// Changes the facts, and notes the moment where everything is equal on both sides.
    @discardableResult
    func update<Result: Sendable>(_ change: (inout Facts) -> Result) -> Result {
        let now = wall()
        let result = facts.withLock { facts in
            let was = EngineStatus.isConverged(facts)
            let result = change(&facts)
            let isConverged = EngineStatus.isConverged(facts)
            if was || isConverged { facts.convergedAt = Moment(milliseconds: now) }
            if isConverged {
                // Whatever failed before is over: an event may have confirmed a write whose answer was lost.
                facts.lastError = nil
                facts.retryAt = nil
            }
            return result
        }
        waiters.notify()
        return result
    }

    /// When the daemon started, in milliseconds since 1970.
    var started: UInt64 { startedAt.milliseconds }

    var current: Facts { facts.withLock { $0 } }

    private static func isConverged(_ facts: Facts) -> Bool {
        facts.journalWatched && facts.counts.values.allSatisfy { $0.pending == 0 }
            && facts.unconfirmed.values.allSatisfy { $0 == 0 } && stream(facts) == .live
            && facts.journalCaughtUp
    }

    /// The state of all streams as one word: the worst.
    private static func stream(_ facts: Facts) -> RemoteStatus.Stream {
        for state in [RemoteStatus.Stream.down, .connecting, .snapshot] where facts.streams.values.contains(state) {
            return state
        }
        return facts.streams.isEmpty ? .connecting : .live
    }

    func snapshot(remote: any Remote) -> StatusSnapshot {
        let now = wall()
        let facts = current
        let converged = EngineStatus.isConverged(facts)
        let traffic = remote.traffic
        var snapshot = StatusSnapshot(
            node: node.description, pid: pid, startedAt: startedAt, state: state(facts), journal: facts.journal,
            collections: [:], remote: RemoteStatus(plugin: remote.name, url: remote.address))
        for (collection, counts) in facts.counts {
            let oldest = counts.pending > 0 ? facts.oldestPending[collection] : nil
            snapshot.collections[collection.name] = CollectionStatus(
                records: counts.records, tombstones: counts.tombstones, pending: counts.pending,
                oldestPendingSeconds: oldest.map { Double(max(0, Int64(now) - $0)) / 1000 },
                quarantined: counts.quarantined, conflicts: counts.conflicts)
            snapshot.collections[collection.name]?.lastVerify = facts.lastVerify[collection]
            snapshot.collections[collection.name]?.fencedAt = facts.fenced[collection]
            snapshot.collections[collection.name]?.declaredOtherwise = facts.declaredOtherwise[collection]
        }
        snapshot.remote.stream = EngineStatus.stream(facts)
        snapshot.remote.lastPushAt = facts.lastPushAt
        snapshot.remote.lastPullAt = facts.lastPullAt
        snapshot.remote.lastError = facts.lastError
        snapshot.remote.retryAt = facts.retryAt.flatMap { $0 > now ? Moment(milliseconds: $0) : nil }
        snapshot.remote.clockOffsetMs = traffic.clockOffset ?? 0
        snapshot.remote.requests = traffic.requests
        snapshot.remote.bytesSent = traffic.bytesSent
        snapshot.remote.bytesReceived = traffic.bytesReceived
        snapshot.holds = facts.holds.map(HoldReply.init)
        snapshot.convergedAt = converged ? Moment(milliseconds: now) : facts.convergedAt
        snapshot.pausedDirections = facts.paused.map(\.rawValue).sorted()
        snapshot.lastChange = facts.lastChange
        return snapshot
    }

    /// What the daemon does, in one line for people.
    func line(remote: any Remote) -> String {
        let facts = current
        return StatusLine(
            snapshot(remote: remote), fault: facts.storeError ?? facts.journal.lastError,
            quarantined: facts.quarantined, now: Moment(milliseconds: wall())
        ).description
    }

    private func state(_ facts: Facts) -> StatusSnapshot.State {
        if facts.stopping { return .stopping }
        if !facts.journalWatched { return .starting }
        if facts.storeError != nil || facts.journal.lastError != nil { return .degraded }
        if !facts.paused.isEmpty { return .paused }
        let isHindered = facts.journal.waitsFor != nil || !facts.holds.isEmpty
        return EngineStatus.stream(facts) == .down || isHindered ? .degraded : .running
    }

    /// What is wrong, the worst first.
    func health() -> HealthReport {
        let now = Int64(wall())
        let facts = current
        var critical: [String] = []
        var warning: [String] = []
        if let error = facts.storeError { critical.append(error) }
        if let error = facts.journal.lastError { critical.append("the journal can't be read: \(error)") }
        for hold in facts.holds { critical.append("hold \(hold.number) (\(hold.word)): \(hold.reason)") }
        if let reason = facts.journal.waitsFor { warning.append("the journal waits: \(reason)") }
        if let error = facts.feedError {
            warning.append("the change feed can't be written, and changes are kept until it can: \(error)")
        }
        if EngineStatus.stream(facts) == .down {
            warning.append("the remote can't be reached: \(facts.lastError ?? "the stream is down")")
        }
        for (collection, since) in facts.oldestPending.sorted(by: { $0.key < $1.key }) {
            let pending = facts.counts[collection]?.pending ?? 0
            if pending > 0, now - since > 60_000 {
                warning.append("\(collection): \(pending) pending, the oldest for \((now - since) / 1000) s")
            }
        }
        if facts.quarantined > 0 { warning.append("\(facts.quarantined) in quarantine: see moviesync quarantine") }
        for (collection, last) in facts.lastVerify.sorted(by: { $0.key < $1.key })
        where last.differences > 0 && !last.repaired {
            warning.append(
                "\(collection): \(last.differences) differed from the remote at \(last.at): see moviesync verify --repair"
            )
        }
        for (collection, nodes) in facts.declaredOtherwise.sorted(by: { $0.key < $1.key }) {
            warning.append(
                "\(collection) is declared otherwise by \(nodes.joined(separator: ", ")): "
                    + "give all nodes the same collections.d/\(collection).json")
        }
        for direction in facts.paused.map(\.rawValue).sorted() { warning.append("\(direction) is paused") }
        return HealthReport(
            level: critical.isEmpty ? warning.isEmpty ? .ok : .warning : .critical, reasons: critical + warning)
    }
}
