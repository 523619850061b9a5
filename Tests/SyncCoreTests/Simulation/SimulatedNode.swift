import JSONText
import SyncCore
import SyncModel

/// One daemon with one record: what it stores, what it only remembers, and the job it is at.
///
/// Follows verdict, read and step as the engine's collection does; every mutating function is one transaction.
struct SimulatedNode {
    // MARK: Stored

    private(set) var state: RecordState
    private(set) var clock: HybridClock
    private(set) var ledger: [Version] = []
    private(set) var edits: [Version] = []
    private var run: Int64 = 1

    // MARK: In memory

    private(set) var hint = false
    private(set) var job: Job?
    private var deferred: [Sighting] = []
    private var recordsMerged = false
    private var tombstonesMerged = false
    private var emptyAtStart = false
    /// A snapshot of the records waits for that of the tombstones: whether it showed the record.
    private var complete: Bool?
    var records = Stream()
    var tombstones = Stream()
    var skew: Int64
    let keepsTombstones: Bool
    /// Broken promises of this node alone.
    private(set) var faults: [String] = []

    struct Stream {
        var open = false
        var live = false
        var queue: [Event] = []
    }

    struct Job {
        enum Kind { case read, push }
        var kind: Kind
        var request: Request
        var steps = 0
        /// Nil until the remote has carried the request out.
        var answer: Answer?
    }

    enum Sighting: Hashable {
        case record(FakeRemote.Node?)
        case tombstone(FakeRemote.Tombstone?)
    }

    struct Event: Hashable {
        var sighting: Sighting
        var snapshot = false
    }

    init(_ id: UInt64, _ key: RecordKey, skew: Int64, keepsTombstones: Bool) {
        state = RecordState(key)
        clock = HybridClock(node: NodeID(id))
        self.skew = skew
        self.keepsTombstones = keepsTombstones
        restart()
    }

    var context: PushContext { PushContext(run: run, emptyAtStart: emptyAtStart, keepsTombstones: keepsTombstones) }
    var pending: Bool { state.pending(keepsTombstones: keepsTombstones) }
    private var mayPush: Bool { recordsMerged && tombstonesMerged }

    func wall(_ now: UInt64) -> UInt64 { UInt64(Int64(now) + skew) }

    /// A crash and a start: only what is stored remains.
    mutating func restart() {
        run += 1
        hint = false
        job = nil
        deferred = []
        recordsMerged = false
        tombstonesMerged = !keepsTombstones
        emptyAtStart = false
        complete = nil
        records = Stream()
        tombstones = Stream()
    }

    // MARK: Edits

    /// A person's edit, as a journal line read live; nil content is a delete. `at` is null for a line without it.
    mutating func edit(_ fields: [String: JSONValue]?, at: UInt64?, now: UInt64) {
        let time = StampPolicy(wall: wall(now), offset: -skew, maxAhead: 60_000)
        let before = (clock: clock.last, own: state.ownStamp, local: state.local?.stamp)
        guard case .stamp(let stamp) = time.stamp(at: at, origin: .live, state: state, clock: &clock) else { return }
        if let own = before.own, stamp <= own { faults.append("own stamp \(stamp) is not above \(own)") }
        if at == nil, stamp <= before.clock { faults.append("reading \(stamp) is not above \(before.clock)") }
        if at == nil, let local = before.local, stamp <= local { faults.append("\(stamp) is not above \(local)") }
        if state.local == nil, state.remote == nil { state.newInRun = run }
        let version = Version(fields.map { Content(fields: $0) }, stamp)
        edits.append(version)
        note(state.edited(version))
    }

    private mutating func note(_ outcome: Outcome) { ledger += outcome.conflicts.map(\.loser) }

    // MARK: Streams

    /// Hands over the first event of a stream.
    mutating func take(_ event: Event, now: UInt64) {
        // A snapshot has no entry for what is not there.
        if !(event.snapshot && event.sighting == .record(nil)) { take(event.sighting, now) }
        guard event.snapshot else { return }
        switch event.sighting {
        case .record(let node):
            records.live = true
            complete = node != nil
        case .tombstone:
            tombstones.live = true
            tombstonesMerged = true
        }
        dealWithMissing()
    }

    private mutating func take(_ sighting: Sighting, _ now: UInt64) {
        if job != nil { return deferred.append(sighting) }
        switch sighting {
        case .record(let node):
            let reading = node?.reading ?? .absent
            switch state.verdict(on: reading) {
            case .echo: break
            case .hint: hint = true
            case .apply: note(state.read(reading, etag: nil, clock: &clock, wall: wall(now)))
            }
        case .tombstone(let tombstone):
            let found = tombstone?.known(etag: nil)
            switch state.verdict(onTombstone: found) {
            case .echo: break
            case .hint: hint = true
            case .apply:
                note(state.readTombstone(found, clock: &clock, wall: wall(now)))
                if state.remote != nil { hint = true }
            }
        }
    }

    private mutating func dealWithMissing() {
        guard !keepsTombstones || tombstones.live, let shown = complete else { return }
        complete = nil
        if !recordsMerged { emptyAtStart = !shown && state.remote == nil }
        recordsMerged = true
        if !shown, state.remote != nil || job != nil { hint = true }
    }

    // MARK: Jobs

    var hasWork: Bool { job == nil && (hint || (mayPush && wantsPush)) }

    private var wantsPush: Bool { state.step(context) != .nothing && state.step(context) != .blocked }

    /// Begins the next job, if there is one: hints are read before anything is pushed.
    mutating func begin() {
        guard hasWork else { return }
        if hint {
            hint = false
            job = Job(kind: .read, request: .readRecord)
        } else {
            request(for: state.step(context)).map { job = Job(kind: .push, request: $0) }
        }
    }

    private func request(for step: PushStep) -> Request? {
        guard let local = state.local else { return nil }
        switch step {
        case .nothing, .blocked: return nil
        case .insertInBatch: return .write(local, nil)
        case .write(let condition): return .write(local, condition)
        case .writeTombstone(let condition):
            return .writeTombstone(local.stamp, state.remote?.content.hash ?? state.tombstone?.contentHash, condition)
        case .remove(let etag): return .remove(etag: etag)
        case .read: return .readRecord
        case .readTombstone: return .readTombstone
        }
    }

    /// The remote has carried out the request; the answer is on its way.
    mutating func carriedOut(_ answer: Answer) { job?.answer = answer }

    /// The answer arrives and is merged; the job goes on or ends.
    mutating func answered(now: UInt64) {
        guard var job, let answer = job.answer else { return }
        job.answer = nil
        if let next = merge(answer, to: job.request, now) {
            job.request = next
            self.job = job
            return
        }
        job.steps += 1
        if job.kind == .push, job.steps < 6, let next = request(for: state.step(context)) {
            job.request = next
            self.job = job
            return
        }
        land(now)
    }

    /// The request failed, and nobody knows how far it came.
    mutating func failed(now: UInt64) {
        guard let job else { return }
        if job.kind == .read { hint = true } else if state.newInRun != nil { state.attempted() }
        land(now)
    }

    private mutating func land(_ now: UInt64) {
        job = nil
        let waiting = deferred
        deferred = []
        for sighting in waiting { take(sighting, now) }
    }

    /// Merges an answer; gives the request that must follow before it can be merged.
    private mutating func merge(_ answer: Answer, to request: Request, _ now: UInt64) -> Request? {
        switch (answer, request) {
        case (.record(nil), _) where keepsTombstones, (.recordConflict(nil), _) where keepsTombstones:
            return .readTombstoneOfAbsent
        case (.record(let node), _), (.recordConflict(let node), _):
            let etag = node?.etag ?? FakeRemote.nullETag
            note(state.read(node?.reading ?? .absent, etag: etag, clock: &clock, wall: wall(now)))
        case (.tombstone(let tombstone), .readTombstoneOfAbsent):
            let found = tombstone.map { $0.known(etag: $0.etag) }
            note(
                state.read(
                    .absent, etag: FakeRemote.nullETag, tombstone: found, clock: &clock, wall: wall(now)))
        case (.tombstone(let tombstone), _), (.tombstoneConflict(let tombstone), _):
            note(
                state.readTombstone(
                    tombstone.map { $0.known(etag: $0.etag) }, clock: &clock, wall: wall(now)))
        case (.written(let etag), .write(let version, _)): note(state.acknowledged(version, etag: etag, key: nil))
        case (.written(let etag), .writeTombstone(let stamp, let ended, _)):
            state.tombstone = KnownTombstone(stamp: stamp, contentHash: ended, etag: etag)
        case (.written, _): state.removed()
        }
        return nil
    }
}
