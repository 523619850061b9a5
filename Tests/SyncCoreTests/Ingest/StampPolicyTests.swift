import JSONText
import SyncCore
import SyncModel
import TestSupport
import Testing

/// The table of `docs/protocol.md` section 3, row by row.
struct StampPolicyTests {
    static let now: UInt64 = 1_790_000_000_000
    static let me = NodeID(7)
    static let other = NodeID(9)
    let time = StampPolicy(wall: now, offset: 0, maxAhead: 60_000)

    private func state(held: Stamp? = nil, own: Stamp? = nil) -> RecordState {
        var state = RecordState(RecordKey("movies", RecordID(high: 1, low: 2)))
        state.known.fields = held.map { StampedContent(Content(fields: ["title": "x"]), FieldStamps($0)) }
        state.stamp = held
        state.ownStamp = own
        return state
    }

    private func edit(_ record: inout RecordState, _ number: Int, at stamp: Stamp, _ clock: inout HybridClock) {
        let edit = Edit.create(["n": .integer(Int64(number))])
        _ = record.edited(edit, at: stamp, MergeRules(), clock: &clock, wall: Self.now)
    }

    private func stamp(
        at: UInt64?, _ origin: StampPolicy.Origin, _ state: RecordState, _ clock: inout HybridClock
    ) -> Stamp? {
        guard case .stamp(let stamp) = time.stamp(at: at, origin: origin, state: state, clock: &clock) else {
            return nil
        }
        return stamp
    }

    @Test(arguments: [nil, now, now - 59_999, now + 60_000] as [UInt64?])
    func `a live line without a time, or with a recent one, is now`(at: UInt64?) {
        var clock = HybridClock(node: Self.me, persisted: Stamp(physical: Self.now + 500, counter: 8, node: Self.other))
        let stamp = stamp(at: at, .live, state(), &clock)
        #expect(stamp == Stamp(physical: Self.now + 500, counter: 10, node: Self.me))
    }

    @Test func `now is above the version that was edited, even where the clock never saw it`() {
        let edited = Stamp(physical: Self.now + 900, counter: 5, node: Self.other)
        var clock = HybridClock(node: Self.me)
        let stamp = stamp(at: nil, .live, state(held: edited), &clock)
        #expect(stamp.map { $0 > edited } ?? false)
    }

    @Test(arguments: [StampPolicy.Origin.live, .backlog(modified: now), .replayed])
    func `any other line with a time has that time`(origin: StampPolicy.Origin) {
        let at = Self.now - 60_000
        var clock = HybridClock(node: Self.me)
        let stamp = stamp(at: at, origin, state(), &clock)
        #expect(stamp == Stamp(physical: at, counter: 0, node: Self.me))
    }

    @Test(arguments: [StampPolicy.Origin.backlog(modified: now - 9), .replayed])
    func `a line that was not seen to come has no time after now`(origin: StampPolicy.Origin) {
        var clock = HybridClock(node: Self.me)
        let stamp = stamp(at: Self.now + 60_000, origin, state(), &clock)
        #expect(stamp == Stamp(physical: Self.now, counter: 0, node: Self.me))
    }

    @Test func `a stamp is given once, also where an app's write over the own edit has the next one`() {
        let own = Stamp(physical: Self.now - 1000, counter: 4, node: Self.me)
        let observed = HybridClock.evenReading(above: own, node: Self.me)
        var state = state(held: own, own: own)
        state.known.fields?.stamps.named["title"] = observed
        var clock = HybridClock(node: Self.me)
        let stamp = stamp(at: Self.now - 90_000, .live, state, &clock)
        #expect(stamp == HybridClock.evenReading(above: observed, node: Self.me))
    }

    @Test(arguments: [false, true])
    func `a stamp is given once, also where an app's write that is not taken over yet has it`(isWhole: Bool) {
        let own = Stamp(physical: Self.now - 1000, counter: 4, node: Self.me)
        let observed = HybridClock.evenReading(above: own, node: Self.me)
        var state = state(held: own, own: own)
        state.observed = isWhole ? .whole(observed) : .fields(["title": observed])
        var clock = HybridClock(node: Self.me)
        let stamp = stamp(at: Self.now - 90_000, .live, state, &clock)
        #expect(stamp == HybridClock.evenReading(above: observed, node: Self.me))
    }

    @Test(arguments: [StampPolicy.Origin.live, .backlog(modified: now), .replayed])
    func `but above the node's own previous edit, because journal order is causal`(origin: StampPolicy.Origin) {
        let own = Stamp(physical: Self.now - 1000, counter: 4, node: Self.me)
        var clock = HybridClock(node: Self.me, persisted: own)
        let stamp = stamp(at: Self.now - 90_000, origin, state(held: own, own: own), &clock)
        #expect(stamp == Stamp(physical: Self.now - 1000, counter: 6, node: Self.me))
    }

    @Test func `an old time does not go above what others did since`() {
        let others = Stamp(physical: Self.now - 1000, counter: 0, node: Self.other)
        var clock = HybridClock(node: Self.me, persisted: others)
        let stamp = stamp(at: Self.now - 90_000, .live, state(held: others), &clock)
        #expect(stamp.map { $0 < others } ?? false)
    }

    @Test(arguments: [(now - 5_000_000, now - 5_000_000), (now + 5_000_000, now)])
    func `a line found at the start without a time has the file's, which is never in the future`(
        modified: UInt64, physical: UInt64
    ) {
        var clock = HybridClock(node: Self.me)
        let stamp = stamp(at: nil, .backlog(modified: modified), state(), &clock)
        #expect(stamp?.physical == physical)
    }

    private func backlog(_ policy: StampPolicy, _ modified: UInt64) -> StampPolicy.Origin {
        policy.origin(isBacklog: true, isReplayed: false, modified: modified)
    }

    @Test(arguments: [
        (true, true, StampPolicy.Origin.replayed), (true, false, .backlog(modified: 7)), (false, true, .live),
        (false, false, .live),
    ])
    func `a line that was there before anybody watched has the time of its file, as far as that is known`(
        isBacklog: Bool, isReplayed: Bool, origin: StampPolicy.Origin
    ) {
        let policy = StampPolicy(wall: Self.now, offset: 0, maxAhead: 60_000)
        #expect(policy.origin(isBacklog: isBacklog, isReplayed: isReplayed, modified: 7) == origin)
    }

    @Test func `where this machine's clock is wrong, the file's time is corrected by the server's`() {
        var policy = StampPolicy(wall: Self.now - 3_600_000, offset: 3_600_000, maxAhead: 60_000)
        #expect(backlog(policy, Self.now - 3_605_000) == .backlog(modified: Self.now - 5000))
        policy.offset = 50_000
        #expect(backlog(policy, Self.now - 5000) == .backlog(modified: Self.now - 5000))
    }

    @Test func `a replayed line is the successor of what this state held`() {
        let held = Stamp(physical: Self.now, counter: 4, node: Self.other)
        var clock = HybridClock(node: Self.me, persisted: held)
        let stamp = stamp(at: nil, .replayed, state(held: held), &clock)
        #expect(stamp == held.successor)
    }

    @Test func `a replayed line does not go above a version that was made of others just now`() {
        let held = Stamp(physical: Self.now - 90_000, counter: 4, node: Self.other)
        var clock = HybridClock(node: Self.me)
        var state = state(held: held)
        state.stamp = Stamp(physical: Self.now, counter: 0, node: Self.me)
        #expect(stamp(at: nil, .replayed, state, &clock) == held.successor)
        state.stamp = held.successor
        #expect(stamp(at: nil, .replayed, state, &clock) == held.successor.successor.successor)
        state.observed = .fields(["title": Stamp(physical: Self.now, counter: 2, node: Self.me)])
        #expect(stamp(at: nil, .replayed, state, &clock)?.physical == Self.now)
    }

    @Test func `a replayed line goes above what the state held, not above what was read since`() {
        let held = Stamp(physical: Self.now - 90_000, counter: 4, node: Self.other)
        let since = Stamp(physical: Self.now - 10_000, counter: 0, node: Self.other)
        var clock = HybridClock(node: Self.me, persisted: since, began: held)
        var state = state(held: since)
        #expect(stamp(at: nil, .replayed, state, &clock) == Stamp(physical: 1, counter: 0, node: Self.me))
        state.known.fields?.stamps = FieldStamps(held, named: ["title": since])
        #expect(stamp(at: nil, .replayed, state, &clock) == held.successor)
        state.known.deletion = since
        #expect(stamp(at: nil, .replayed, state, &clock) == held.successor)
        // An update of what is gone waits with that stamp: the next one goes above it.
        state.ownStamp = held.successor
        #expect(stamp(at: nil, .replayed, state, &clock) == held.successor.successor.successor)
    }

    @Test func `replayed lines of an unknown record count up from physical 1, below everything`() {
        var clock = HybridClock(node: Self.me)
        var record = state()
        var last: Stamp?
        for _ in 0..<5 {
            guard let stamp = stamp(at: nil, .replayed, record, &clock) else { continue }
            #expect(stamp.physical == 1)
            #expect(last.map { stamp > $0 } ?? true)
            last = stamp
            edit(&record, Int(stamp.counter), at: stamp, &clock)
            #expect(record.version?.stamp == stamp)
        }
        #expect(clock.last.physical == 0)
    }

    @Test func `a replayed line goes above an update that waits for its record since the same replay`() {
        let held = Stamp(physical: Self.now, counter: 4, node: Self.other)
        var clock = HybridClock(node: Self.me, persisted: held)
        let first = stamp(at: nil, .replayed, state(held: held, own: held), &clock)
        let second = stamp(at: nil, .replayed, state(held: held, own: first), &clock)
        #expect(first == held.successor && second == held.successor.successor.successor)
    }

    @Test func `replayed lines of a held record rise, and an edit after them is above them`() {
        let held = Stamp(physical: Self.now + 500, counter: 4, node: Self.other)
        var clock = HybridClock(node: Self.me, persisted: held)
        var record = state(held: held)
        for number in 0..<5 {
            guard let stamp = stamp(at: nil, .replayed, record, &clock) else { continue }
            #expect(record.version.map { stamp > $0.stamp } ?? false)
            edit(&record, number, at: stamp, &clock)
            #expect(record.version?.content == Content(fields: ["n": .integer(Int64(number))]))
        }
        let last = stamp(at: nil, .live, record, &clock)
        #expect(last.map { stamp in record.version.map { stamp > $0.stamp } ?? false } ?? false)
    }

    @Test(arguments: [StampPolicy.Origin.live, .backlog(modified: now), .replayed])
    func `the future is held, never applied, and never moves the clock`(origin: StampPolicy.Origin) {
        var clock = HybridClock(node: Self.me)
        let before = clock
        let stamping = time.stamp(at: Self.now + 60_001, origin: origin, state: state(), clock: &clock)
        #expect(stamping == .future(milliseconds: 60_001))
        #expect(clock == before)
    }

    @Test(arguments: [(Int64(30_000), true), (-30_000, false)])
    func `the future is measured against the server's time`(offset: Int64, allowed: Bool) {
        let time = StampPolicy(wall: Self.now, offset: offset, maxAhead: 60_000)
        #expect(time.isFuture(Self.now + 70_000) == !allowed)
        #expect(StampPolicy(wall: 5, offset: -10, maxAhead: 0).serverNow == 0)
    }

    @Test func `the stamps of one record strictly rise, whatever lines and clocks do`() {
        var clock = HybridClock(node: Self.me)
        var record = state()
        var random = SeededRandom(3)
        for step in 0..<5000 {
            let wall = Self.now + UInt64(random.below(50_001))
            let time = StampPolicy(wall: wall, offset: 0, maxAhead: 60_000)
            let at = random.chance(50) ? nil : Self.now - 50_000 + UInt64(random.below(100_001))
            let origin: StampPolicy.Origin = random.chance(50) ? .live : .backlog(modified: wall - 1000)
            guard case .stamp(let stamp) = time.stamp(at: at, origin: origin, state: record, clock: &clock)
            else { continue }
            #expect(record.ownStamp.map { stamp > $0 } ?? true)
            #expect(stamp.counter.isMultiple(of: 2))
            #expect(clock.last >= stamp)
            edit(&record, step, at: stamp, &clock)
        }
    }
}
