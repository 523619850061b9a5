import JSONText
import SyncCore
import SyncModel
import Testing

/// A record, a clock and a wall for tests, with short words for what happens to them.
struct RecordUnderTest {
    static let me = NodeID(1)
    static let other = NodeID(2)

    var state = RecordState(RecordKey("movies", RecordID(high: 0x4011, low: 0b10 << 62)))
    var clock = HybridClock(node: me)
    var wall: UInt64 = 1000

    static func at(_ time: UInt64, _ counter: UInt16 = 0, node: NodeID = other) -> Stamp {
        Stamp(physical: time, counter: counter, node: node)
    }

    static func content(_ title: String) -> Content { Content(fields: ["title": .string(title), "hasWatched": false]) }

    mutating func sees(_ title: String, _ stamp: Stamp, etag: String? = "e") -> Outcome {
        state.read(.stamped(Self.content(title), stamp), etag: etag, clock: &clock, wall: wall)
    }

    mutating func seesForeign(_ fields: [String: JSONValue]) -> Outcome {
        state.read(
            .foreign(named: fields, defaults: ["hasWatched": false].filter { fields[$0.key] == nil }), etag: "f",
            clock: &clock, wall: wall)
    }

    mutating func seesNothing(tombstone: Stamp? = nil) -> Outcome {
        state.read(
            .absent, etag: "null_etag", tombstone: tombstone.map { KnownTombstone(stamp: $0, etag: "t") },
            clock: &clock, wall: wall)
    }

    mutating func seesTombstone(_ stamp: Stamp?) -> Outcome {
        state.readTombstone(stamp.map { KnownTombstone(stamp: $0) }, clock: &clock, wall: wall)
    }

    mutating func edits(_ title: String?, at time: UInt64? = nil) -> Outcome {
        let stamp = time.map { Self.at($0, node: Self.me) } ?? clock.now(wall: wall)
        return state.edited(Version(title.map(Self.content), stamp))
    }

    var title: String? { state.local?.content?.fields["title"]?.text }
    var pending: Bool { state.pending(keepsTombstones: true) }
}

/// `docs/protocol.md` sections 8 and 9, sentence by sentence.
struct RecordStateTests {
    typealias Record = RecordUnderTest

    // MARK: Events

    @Test func `an event is applied only with a stamp above a base that is stamped or absent`() {
        var record = Record()
        let film = Record.content("A")
        #expect(record.state.verdict(on: .stamped(film, Record.at(5))) == .apply)
        _ = record.sees("A", Record.at(5))
        #expect(record.state.verdict(on: .stamped(film, Record.at(5))) == .echo)
        #expect(record.state.verdict(on: .stamped(film, Record.at(6))) == .apply)
        #expect(record.state.verdict(on: .stamped(film, Record.at(4))) == .hint)
        #expect(record.state.verdict(on: .stamped(Record.content("B"), Record.at(5))) == .hint)
        #expect(record.state.verdict(on: .foreign(named: film.fields, defaults: [:])) == .hint)
        #expect(record.state.verdict(on: .absent) == .hint)
        _ = record.seesForeign(["title": "C"])
        #expect(record.state.verdict(on: .stamped(film, Record.at(900_000))) == .hint)
        #expect(record.state.verdict(on: .foreign(named: ["title": "C"], defaults: ["hasWatched": false])) == .echo)
        _ = record.seesNothing()
        #expect(record.state.verdict(on: .absent) == .echo)
        #expect(record.state.verdict(on: .stamped(film, Record.at(1))) == .apply)
    }

    @Test func `a tombstone is an echo only when it is known`() {
        var record = Record()
        #expect(record.state.verdict(onTombstone: nil) == .echo)
        let found = KnownTombstone(stamp: Record.at(5))
        #expect(record.state.verdict(onTombstone: found) == .apply)
        _ = record.seesTombstone(Record.at(5))
        #expect(record.state.verdict(onTombstone: found) == .echo)
        #expect(record.state.verdict(onTombstone: nil) == .apply)
        let forgotten = record.seesTombstone(nil)
        #expect(forgotten.change == nil)
        #expect(record.state.tombstone == nil)
    }

    // MARK: Stamped reads

    @Test func `a read is the base even where it is lower, and what this node holds is pushed again`() {
        var record = Record()
        _ = record.sees("new", Record.at(9))
        let outcome = record.sees("old", Record.at(5))
        #expect(record.title == "new")
        #expect(record.state.remote?.stamp == Record.at(5))
        #expect(outcome.change == nil && outcome.conflicts.isEmpty)
        #expect(record.pending)
    }

    @Test func `an edit that loses goes to the ledger with both sides, one that was sent does not`() {
        var record = Record()
        _ = record.sees("base", Record.at(5))
        _ = record.edits("mine")
        let mine = record.state.local
        let outcome = record.sees("theirs", Record.at(2000))
        #expect(record.title == "theirs")
        #expect(outcome.change == .update)
        #expect(outcome.conflicts.map(\.loser) == [mine])
        #expect(outcome.conflicts.first?.rule == .laterStamp)
        _ = record.edits("again")
        if let sent = record.state.local { _ = record.state.acknowledged(sent, etag: "x", key: nil) }
        let later = record.sees("later", Record.at(9000))
        #expect(later.conflicts.isEmpty)
    }

    @Test func `a stamp that was read moves the clock`() {
        var record = Record()
        _ = record.sees("A", Record.at(5000))
        let reading = record.clock.now(wall: 10)
        #expect(reading > Record.at(5000))
    }

    // MARK: Deletes

    @Test func `what a read finds gone was deleted with the successor of the base's stamp`() {
        var record = Record()
        _ = record.sees("A", Record.at(5))
        let gone = record.seesNothing()
        #expect(gone.change == .delete)
        #expect(record.state.local == Version(nil, Record.at(5).successor))
    }

    @Test(arguments: [(UInt64(4), false), (9, true)])
    func `or with its tombstone's, where that is higher`(tombstone: UInt64, higher: Bool) {
        var record = Record()
        _ = record.sees("A", Record.at(5))
        _ = record.seesNothing(tombstone: Record.at(tombstone))
        #expect(record.state.local?.stamp == (higher ? Record.at(9) : Record.at(5).successor))
    }

    @Test func `an edit newer than the base survives its disappearance, on purpose`() {
        var record = Record()
        _ = record.sees("A", Record.at(5))
        _ = record.edits("mine")
        _ = record.seesNothing()
        #expect(record.title == "mine")
        #expect(record.pending)
    }

    @Test func `after a foreign write the last stamped version decides the delete's stamp`() {
        var record = Record()
        _ = record.sees("A", Record.at(5))
        _ = record.seesForeign(["title": "B"])
        _ = record.seesNothing()
        #expect(record.state.local == Version(nil, Record.at(5).successor))
    }

    @Test func `a tombstone not above the base means nothing, one above it deletes`() {
        var record = Record()
        _ = record.sees("A", Record.at(5))
        let low = record.seesTombstone(Record.at(5))
        #expect(low.change == nil)
        #expect(record.title == "A")
        let high = record.seesTombstone(Record.at(6))
        #expect(high.change == .delete)
        #expect(record.state.step(.init(run: 1, emptyAtStart: false, keepsTombstones: true)) == .remove(etag: "e"))
    }

    @Test func `a record with a stamp below its tombstone is removed, one above it is written`() {
        var record = Record()
        _ = record.seesTombstone(Record.at(9))
        _ = record.sees("late insert", Record.at(5))
        #expect(record.title == nil)
        #expect(record.state.step(.init(run: 1, emptyAtStart: false, keepsTombstones: true)) == .remove(etag: "e"))
        _ = record.edits("back again", at: 2000)
        #expect(record.title == "back again")
    }

    // MARK: Foreign writes

    @Test func `what the app names is taken, what it dropped is kept`() {
        var record = Record()
        let full = Content(fields: ["title": "A", "hasWatched": false, "note": "mine", "year": 1979])
        _ = record.state.read(.stamped(full, Record.at(5)), etag: "e", clock: &record.clock, wall: 1000)
        let outcome = record.seesForeign(["title": "B", "hasWatched": true])
        #expect(outcome.change == .update)
        #expect(
            record.state.local?.content
                == Content(fields: ["title": "B", "hasWatched": true, "note": "mine", "year": 1979]))
        #expect(record.state.provisional)
        #expect(record.state.local?.stamp == Record.at(1000, node: Record.me))
        #expect(record.pending)
        #expect(
            record.state.step(.init(run: 1, emptyAtStart: false, keepsTombstones: true)) == .write(.matches(etag: "f")))
    }

    @Test func `an old stamp with new content is a foreign write`() {
        var record = Record()
        _ = record.sees("A", Record.at(5))
        _ = record.sees("B", Record.at(5))
        #expect(record.title == "B")
        #expect(record.state.provisional)
        #expect(record.state.remote?.stamp == nil && record.state.remote?.lastStamp == Record.at(5))
    }

    @Test func `a node without a stamped base and nothing to add leaves it as it is`() {
        var record = Record()
        let found = record.seesForeign(["title": "A"])
        #expect(found.change == .create)
        #expect(record.state.provisional)
        #expect(!record.pending)
    }

    @Test func `equal content alone never causes a write`() {
        var record = Record()
        _ = record.sees("A", Record.at(5))
        let outcome = record.seesForeign(["title": "A", "hasWatched": false])
        #expect(outcome == Outcome())
        #expect(!record.pending)
    }

    @Test(arguments: [3, 900_000] as [UInt64])
    func `any stamped version found later replaces a provisional one, whatever its stamp`(time: UInt64) {
        var record = Record()
        _ = record.seesForeign(["title": "A"])
        _ = record.sees("B", Record.at(time))
        #expect(record.state.local == Version(Record.content("B"), Record.at(time)))
        #expect(!record.state.provisional && !record.pending)
    }

    @Test func `but a tombstone above that stamp wins`() {
        var record = Record()
        _ = record.seesForeign(["title": "A"])
        _ = record.seesTombstone(Record.at(9))
        #expect(record.title == "A")
        let outcome = record.sees("A", Record.at(5))
        #expect(record.state.local == Version(nil, Record.at(9)))
        #expect(outcome.change == .delete && outcome.conflicts.count == 1)
        #expect(record.pending)
    }

    @Test func `an unsent edit made over a provisional version goes above the stamp that one gets`() {
        var record = Record()
        _ = record.seesForeign(["title": "A"])
        _ = record.edits("mine")
        #expect(record.state.overProvisional)
        _ = record.sees("A", Record.at(900_000))
        #expect(record.title == "mine")
        #expect(record.state.local.map { $0.stamp > Record.at(900_000) } ?? false)
        #expect(record.state.ownStamp == record.state.local?.stamp)
        #expect(record.pending)
    }

    @Test(arguments: [(UInt64(1), true), (900_000, false)])
    func `an unsent edit that lost to it is kept, and compared with the stamp it gets`(time: UInt64, wins: Bool) {
        var record = Record()
        _ = record.sees("base", Record.at(1))
        record.wall = 2000
        _ = record.edits("mine")
        record.wall = 3000
        _ = record.seesForeign(["title": "A"])
        #expect(record.title == "A" && record.state.shadowedEdit != nil)
        let outcome = record.sees("A2", Record.at(time + 1))
        #expect(record.title == (wins ? "mine" : "A2"))
        #expect(record.state.shadowedEdit == nil)
        #expect(outcome.conflicts.count == 1)
    }

    @Test func `so is one that lost to what this node writes back itself`() {
        var record = Record()
        _ = record.edits("mine", at: 500)
        _ = record.seesForeign(["title": "A"])
        #expect(record.state.shadowedEdit?.stamp.physical == 500)
        #expect(record.pending)
        guard let written = record.state.local else { return }
        let outcome = record.state.acknowledged(written, etag: "w", key: nil)
        #expect(outcome.conflicts.map(\.loser.stamp.physical) == [500])
        #expect(record.state.shadowedEdit == nil && !record.state.provisional && !record.pending)
    }

    @Test func `a node put back with exactly the content its tombstone ended is a stale app`() {
        var record = Record()
        _ = record.seesTombstone(Record.at(9))
        record.state.tombstone?.contentHash = Record.content("A").hash
        _ = record.seesNothing()
        let outcome = record.seesForeign(["title": "A", "hasWatched": false])
        #expect(outcome == Outcome())
        #expect(record.state.local?.deleted == true)
        #expect(record.state.step(.init(run: 1, emptyAtStart: false, keepsTombstones: true)) == .remove(etag: "f"))
    }

    @Test func `a node put back with other content is an edit`() {
        var record = Record()
        _ = record.seesTombstone(Record.at(9))
        _ = record.seesNothing()
        let back = record.seesForeign(["title": "B"])
        #expect(back.change == .create)
        #expect(record.state.local.map { $0.stamp > Record.at(9) } ?? false)
    }
}
