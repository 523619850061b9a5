import JSONText
import SyncCore
import SyncModel
import Testing

/// The table of `docs/protocol.md` section 7.
struct PushStepTests {
    static let content = Content(fields: ["title": "A"])
    static let mine = Stamp(physical: 9, counter: 0, node: NodeID(1))
    static let lower = Stamp(physical: 5, counter: 0, node: NodeID(2))
    static let higher = Stamp(physical: 20, counter: 0, node: NodeID(2))

    private func state(
        deleted: Bool = false, random: Bool = true, _ base: RecordState.Base = .absent,
        _ tombstone: KnownTombstone? = nil
    ) -> RecordState {
        var state = RecordState(RecordKey("movies", RecordID(high: random ? 0x4011 : 0x5011, low: 0b10 << 62)))
        state.local = Version(deleted ? nil : Self.content, Self.mine)
        state.base = base
        state.tombstone = tombstone
        return state
    }

    private func base(_ stamp: Stamp?, etag: String? = "e", _ content: Content = content) -> RecordState.Base {
        .present(RemoteSnapshot(stamp: stamp, content: content, etag: etag))
    }

    private func step(_ state: RecordState, empty: Bool = false, keeps: Bool = true) -> PushStep {
        state.step(PushContext(run: 3, emptyAtStart: empty, keepsTombstones: keeps))
    }

    @Test func `a first attempt of a random id new in this run goes in a batch, anything else under a condition`() {
        var fresh = state()
        fresh.newInRun = 3
        #expect(step(fresh) == .insertInBatch)
        var derived = state(random: false)
        derived.newInRun = 3
        #expect(step(derived) == .write(.absent))
        #expect(step(derived, empty: true) == .insertInBatch)
        #expect(step(state()) == .write(.absent))
        #expect(step(state(), empty: true) == .write(.absent))
        fresh.newInRun = 2
        #expect(step(fresh) == .write(.absent))
        fresh.newInRun = 3
        fresh.tombstone = KnownTombstone(stamp: Self.lower)
        #expect(step(fresh) == .write(.absent))
    }

    @Test func `after an attempt of unknown outcome there are only conditional writes`() {
        var fresh = state()
        fresh.newInRun = 3
        fresh.attempted()
        #expect(step(fresh) == .write(.absent))
    }

    @Test func `replacing needs the ETag`() {
        #expect(step(state(base(Self.lower))) == .write(.matches(etag: "e")))
        #expect(step(state(base(Self.lower, etag: nil))) == .read)
    }

    @Test func `what the remote holds already, or what is above, is not written`() {
        #expect(step(state(base(Self.mine))) == .nothing)
        #expect(step(state(base(Self.higher))) == .nothing)
        #expect(step(state(base(nil))) == .nothing)
        var nothing = state()
        nothing.local = nil
        #expect(step(nothing) == .nothing)
    }

    @Test func `a version that was refused is not tried again, another one is`() {
        var refused = state(base(Self.lower))
        refused.blocked = Self.mine
        #expect(step(refused) == .blocked)
        refused.blocked = Self.lower
        #expect(step(refused) == .write(.matches(etag: "e")))
    }

    @Test func `a tombstone comes before the remove, and only ever goes upwards`() {
        let present = base(Self.lower)
        #expect(step(state(deleted: true, present)) == .writeTombstone(.absent))
        let low = KnownTombstone(stamp: Self.lower)
        #expect(step(state(deleted: true, present, low)) == .readTombstone)
        let known = KnownTombstone(stamp: Self.lower, etag: "t")
        #expect(step(state(deleted: true, present, known)) == .writeTombstone(.matches(etag: "t")))
        for stamp in [Self.mine, Self.higher] {
            let enough = KnownTombstone(stamp: stamp)
            #expect(step(state(deleted: true, present, enough)) == .remove(etag: "e"))
            #expect(step(state(deleted: true, base(Self.lower, etag: nil), enough)) == .read)
            #expect(step(state(deleted: true, .absent, enough)) == .nothing)
        }
    }

    @Test func `a delete of what the remote does not have still leaves a tombstone`() {
        #expect(step(state(deleted: true)) == .writeTombstone(.absent))
    }

    @Test func `a remote without tombstones is only asked to remove`() {
        #expect(step(state(deleted: true, base(Self.lower)), keeps: false) == .remove(etag: "e"))
        #expect(step(state(deleted: true), keeps: false) == .nothing)
    }

    @Test func `an acknowledgement makes the base, and ends being new`() {
        var state = state()
        state.newInRun = 3
        guard let sent = state.local else { return }
        let outcome = state.acknowledged(sent, etag: "n", key: nil)
        #expect(outcome == Outcome())
        #expect(state.remote?.stamp == Self.mine && state.remote?.etag == "n" && state.newInRun == nil)
        #expect(step(state) == .nothing)
    }

    @Test func `an edit made while its predecessor was on its way stays pending`() {
        var state = state()
        guard let sent = state.local else { return }
        state.local = Version(Content(fields: ["title": "B"]), Self.higher)
        _ = state.acknowledged(sent, etag: "n", key: nil)
        #expect(step(state) == .write(.matches(etag: "n")))
    }
}
