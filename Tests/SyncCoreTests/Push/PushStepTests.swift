import JSONText
import SyncCore
import SyncModel
import Testing

/// The next request for a record: `docs/protocol.md` section 7, row by row.
struct PushStepTests {
    typealias Record = RecordUnderTest

    private func made() -> Record {
        var record = Record()
        record.state.newInRun = 1
        _ = record.edits(.create(Record.film("A")))
        return record
    }

    @Test func `a random id first seen in this journal goes out in a batch, once`() {
        var record = made()
        #expect(record.step() == .insertInBatch)
        #expect(record.step(run: 2) == .write(.absent))
        record.state.attempted()
        #expect(record.step() == .write(.absent))
    }

    @Test func `an id that is derived from something goes out under a condition`() {
        var record = made()
        record.state = RecordState(RecordKey("movies", RecordID(high: 0x5011, low: 0b10 << 62)))
        record.state.newInRun = 1
        _ = record.edits(.create(Record.film("A")))
        #expect(record.step() == .write(.absent))
    }

    @Test func `so does one that has a tombstone, and one that wins over it`() {
        var record = made()
        _ = record.seesTombstone(Record.at(5))
        #expect(record.step() == .write(.absent))
        _ = record.edits(.delete)
        _ = record.edits(.create(Record.film("B")))
        #expect(record.step() == .write(.absent))
    }

    @Test func `where something stands the write names its ETag, which is read first where it is not known`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5, etag: nil)
        #expect(record.step() == .nothing)
        _ = record.edits(.update(["title": "B"]))
        #expect(record.step() == .read)
        _ = record.sees(["title": "A"], 5, etag: "e")
        #expect(record.step() == .write(.matches(etag: "e")))
    }

    @Test func `a delete writes its tombstone first, then removes`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        _ = record.edits(.delete)
        #expect(record.step() == .writeTombstone(.absent))
        record.state.tombstone = record.state.known.deletion.map { KnownTombstone(stamp: $0) }
        #expect(record.step() == .remove(etag: "e"))
        record.state.removed()
        #expect(record.step() == .nothing)
    }

    @Test func `without tombstones it only removes`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        _ = record.edits(.delete)
        #expect(record.step(keepsTombstones: false) == .remove(etag: "e"))
        record.state.removed()
        #expect(record.step(keepsTombstones: false) == .nothing)
    }

    @Test(arguments: [(5, true), (2000, false)] as [(UInt64, Bool)])
    func `a tombstone is written only upwards`(found: UInt64, isRaised: Bool) {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        _ = record.edits(.delete, at: 900)
        _ = record.seesTombstone(Record.at(found), etag: "t")
        #expect(record.step() == (isRaised ? .writeTombstone(.matches(etag: "t")) : .remove(etag: "e")))
        record.state.tombstone?.etag = nil
        #expect(record.step() == (isRaised ? .readTombstone : .remove(etag: "e")))
    }

    @Test func `a lower tombstone that is found is raised again, although the record is gone`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        _ = record.seesNothing(tombstone: 9)
        #expect(record.step() == .nothing)
        _ = record.seesTombstone(Record.at(7), etag: "t")
        #expect(record.step() == .writeTombstone(.matches(etag: "t")))
    }

    @Test func `with rules that guard everything goes out in batches`() {
        var record = made()
        #expect(record.step(.rules) == .guarded)
        record.isWritten()
        #expect(record.step(.rules) == .nothing)
        _ = record.edits(.delete)
        #expect(record.step(.rules) == .guarded)
    }

    @Test func `rules can't tell what an app made from nothing, so it is looked for where no stream tells`() {
        var record = made()
        #expect(record.step(.rules, isWatching: false) == .read)
        #expect(record.step(.rules) == .guarded)
        _ = record.seesNothing()
        #expect(record.step(.rules, isWatching: false) == .guarded)
    }

    @Test func `nor what an app made below a record that keeps its stamp`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5, etag: nil)
        _ = record.edits(.update(["title": "B"]), at: 900)
        #expect(record.step(.rules) == .guarded && record.step(.rules, isWatching: false) == .read)
        _ = record.sees(["title": "A"], 5, etag: "e")
        #expect(record.step(.rules, isWatching: false) == .write(.matches(etag: "e")))
        #expect(record.step(.rules) == .guarded)
    }

    @Test func `nor one body of an app from the next`() {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n"], 5)
        _ = record.seesApp(["title": "B"])
        #expect(record.step(.rules) == .write(.matches(etag: "f")))
    }

    @Test func `nor what stands where nothing is known, as long as no stream tells what apps write`() {
        var record = made()
        record.state.attempted()
        #expect(record.step(.rules, watchesApps: false) == .read && record.step(.rules) == .guarded)
        #expect(made().step(.rules, watchesApps: false) == .guarded)
    }

    @Test func `nor is that removed unread`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5, etag: nil)
        _ = record.edits(.delete)
        #expect(record.step(.rules) == .guarded && record.step(.rules, isWatching: false) == .read)
        _ = record.sees(["title": "A"], 5, etag: "e")
        #expect(record.step(.rules, isWatching: false) == .writeTombstone(.absent))
    }

    @Test func `a stamped version is not written again because it could be spelled otherwise`() {
        var record = Record()
        _ = record.sees(["title": "A", "hasWatched": 1], 5)
        #expect(record.step() == .nothing)
        _ = record.edits(.update(["title": "A"]), at: 3)
        #expect(record.step() == .nothing)
    }

    @Test func `stamps of fields that differ are written, also where the content is the same`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        _ = record.edits(.update(["title": "A"]), at: 900)
        #expect(record.differs)
    }

    @Test func `what nothing is known of is not written`() {
        #expect(Record().step() == .nothing)
        var record = Record()
        _ = record.seesNothing()
        #expect(record.step() == .nothing)
    }

    // MARK: Turns

    @Test func `the node that wrote the last stamped version stamps an app's write first`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        #expect(!record.state.isForeignTurnOfOthers(Record.me))
        _ = record.seesApp(["title": "B"])
        #expect(record.state.isForeignTurnOfOthers(Record.me) && !record.state.isForeignTurnOfOthers(Record.other))
        _ = record.edits(.update(["note": "waits too"]))
        #expect(record.state.isForeignTurnOfOthers(Record.me))
        _ = record.edits(.delete)
        #expect(!record.state.isForeignTurnOfOthers(Record.me))
    }

    @Test func `of a record that nobody stamped it is nobody's turn`() {
        var record = Record()
        _ = record.seesApp(["title": "B"], isComplete: false)
        #expect(record.state.isForeignTurnOfOthers(Record.me) && record.state.isForeignTurnOfOthers(Record.other))
    }
}
