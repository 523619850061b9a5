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
        /// When the daemon started, milliseconds since 1970.
        var started: UInt64 = 0
        /// All complete lines of the journal have been read.
        var journalCaughtUp = false
        var counts: [CollectionID: CollectionCounts] = [:]
        /// Of collections that are not enabled, and of which the state holds records.
        var disabled: [CollectionID: CollectionCounts] = [:]
        /// Since when the longest pending record waits, milliseconds since 1970.
        var oldestPending: [CollectionID: Int64] = [:]
        /// Hints not yet answered and requests in flight.
        var unconfirmed: [CollectionID: Int] = [:]
        /// Why what people have written waits, by collection and `uid`.
        var restingPeople: [CollectionID: [String: String]] = [:]
        var lastVerify: [CollectionID: CollectionStatus.LastVerify] = [:]
        var quarantinedElsewhere = 0
        var streams: [Keyspace: RemoteStatus.Stream] = [:]
        /// When this node had been away for longer than tombstones are kept.
        var fenced: [CollectionID: Moment] = [:]
        /// The other nodes that declare a collection otherwise.
        var declaredOtherwise: [CollectionID: [String]] = [:]
        var lastPushAt: Moment?
        var lastPullAt: Moment?
        var failing: [CollectionID: Failing] = [:]
        /// How often the remote has failed since it last answered.
        var failedAttempts: [CollectionID: Int] = [:]
        /// What was told of that in the log.
        var toldFailures: [CollectionID: Set<String>] = [:]
        var holds: [Hold] = []
        var paused: Set<Direction> = []
        var convergedAt: Moment?
        var lastChange: Int64 = 0
        /// Journal lines and entries of the remote taken since the start.
        var entriesIngested = 0
        var storeError: String?
        /// Its disk has not answered for some 20 s.
        var stateHangs = false
        /// What is gone from its place, in words.
        var misplaced: [String] = []
        var feedError: String?
        var peopleTrouble = PersonSessions.Trouble()
        var stopping = false
        /// What was sent to remotes that were left, and received from them.
        var earlierTraffic = RemoteTraffic()

        /// Lines of the journal are on the disk. A batch may hear of that after one that was read later: what is told goes
        /// never back.
        ///
        /// - Parameters:
        ///   - lines: how many were read by then, since the state was made.
        ///   - offset: the end of the last of them, in bytes.
        ///   - size: the file's, in bytes.
        mutating func read(lines: Int, upTo offset: UInt64, of size: UInt64, at moment: Moment) {
            journalCaughtUp = false
            journal.lastReadAt = moment
            journal.lastError = nil
            guard lines >= journal.lines else { return }
            (journal.lines, journal.offset, journal.size) = (lines, offset, size)
        }

        /// Nothing waits.
        var isSettled: Bool { isPushed && retryAt == nil }

        /// The remote has every record as it is here.
        var isPushed: Bool { counts.values.allSatisfy { $0.pending == 0 } }

        /// Both sides are equal: nothing is on its way, and nothing that the remote shows is set aside.
        var isConverged: Bool {
            isAtRest && !holds.contains { $0.direction == .pull } && quarantined <= journal.quarantined
        }

        /// Nothing is on its way, and this side can read what is appended, and write down what it learns.
        var isAtRest: Bool {
            journalWatched && journalCaughtUp && !journalIsHeld && journal.lastError == nil
                && storeError == nil && !stateHangs && isPushed && unconfirmed.values.allSatisfy { $0 == 0 }
                && stream == .live
        }

        /// No line of the journal is read before a hold ends.
        var journalIsHeld: Bool { holds.contains { $0.kind?.rule.stopsJournal == true } }

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
        var facts = Facts(journal: JournalStatus(path: journalPath))
        facts.started = startedAt.milliseconds
        self.facts = Mutex(facts)
    }

    /// Changes the facts, and notes the moment where everything is equal on both sides.
    @discardableResult
    func update<Result: Sendable>(_ change: (inout Facts) -> Result) -> Result {
        let now = wall()
        let result = facts.withLock { facts in
            let was = facts.isConverged
            let result = change(&facts)
            let isConverged = facts.isConverged
            if was || isConverged { facts.convergedAt = Moment(milliseconds: now) }
            facts.forgetSettled()
            return result
        }
        waiters.notify()
        return result
    }

    /// When the daemon started, in milliseconds since 1970.
    var started: UInt64 { startedAt.milliseconds }

    var current: Facts { facts.withLock { $0 } }

    func snapshot(remote: any Remote) -> StatusSnapshot {
        let now = wall()
        let facts = current
        let traffic = remote.traffic
        var snapshot = StatusSnapshot(
            node: node.description, pid: pid, startedAt: startedAt, state: facts.state, journal: facts.journal,
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
        snapshot.remote.stream = facts.stream
        snapshot.remote.lastPushAt = facts.lastPushAt
        snapshot.remote.lastPullAt = facts.lastPullAt
        snapshot.remote.lastError = facts.lastError
        snapshot.remote.trouble = facts.trouble
        snapshot.remote.retryAt = facts.retryAt.flatMap { $0 > now ? Moment(milliseconds: $0) : nil }
        snapshot.remote.clockOffsetMs = traffic.clockOffset ?? 0
        snapshot.remote.requests = facts.earlierTraffic.requests + traffic.requests
        snapshot.remote.bytesSent = facts.earlierTraffic.bytesSent + traffic.bytesSent
        snapshot.remote.bytesReceived = facts.earlierTraffic.bytesReceived + traffic.bytesReceived
        if !facts.disabled.isEmpty {
            snapshot.disabled = Dictionary(
                uniqueKeysWithValues: facts.disabled.map { id, counts in
                    (id.name, .init(records: counts.records, pending: counts.pending))
                })
        }
        snapshot.holds = facts.holds.map(HoldReply.init)
        snapshot.convergedAt = facts.isConverged ? Moment(milliseconds: now) : facts.convergedAt
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

    /// What is wrong, the worst first.
    func health() -> HealthReport { current.health(now: Int64(wall())) }
}
