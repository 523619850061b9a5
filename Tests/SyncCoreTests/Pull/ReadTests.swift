import JSONText
import SyncCore
import SyncModel
import Testing

/// What a read shows: `docs/protocol.md` section 8, sentence by sentence.
struct ReadTests {
    typealias Record = RecordUnderTest

    @Test func `a read is the base even where it is lower, and what this node knows is written again`() {
        var record = Record()
        _ = record.sees(["title": "new"], 9)
        let outcome = record.sees(["title": "old"], 5)
        #expect(record.title == "new" && record.state.remote?.stamp == Record.at(5))
        #expect(outcome == Outcome())
        #expect(record.differs && record.step() == .write(.matches(etag: "e")))
    }

    @Test func `a stamped version is merged, and moves the clock`() {
        var record = Record()
        let outcome = record.sees(["title": "A"], 5000)
        #expect(outcome.change == .create && record.state.stamp == Record.at(5000) && !record.differs)
        let reading = record.clock.now(wall: 10)
        #expect(reading > Record.at(5000))
    }

    @Test func `a field can't be newer than the version it stands in`() {
        var record = Record()
        let version = StampedContent(
            Content(fields: ["title": "A"]), FieldStamps(Record.at(7), named: ["title": Record.at(9)]))
        _ = record.sees(version, Record.at(5))
        #expect(record.stamp(of: "title") == Record.at(5))
        #expect(record.state.known.fields?.newest == Record.at(5))
    }

    @Test func `an edit that loses to a version written while the fields counted each is in the ledger`() {
        var record = Record(MergeRules(byRecord: true))
        _ = record.sees(["title": "A", "note": "n"], 5)
        _ = record.edits(.update(["title": "mine"]))
        let own = record.stamp(of: "title") ?? .zero
        let later = Record.at(own.physical + 10)
        let version = StampedContent(
            Content(fields: ["title": "A", "note": "theirs"]), FieldStamps(Record.at(5), named: ["note": later]))
        let outcome = record.sees(version, later)
        #expect(record.title == "A")
        #expect(outcome.conflicts.map(\.fields) == [["note", "title"]])
    }

    @Test func `with merge by record the stamps of fields that another node wrote do not count`() {
        var record = Record(MergeRules(byRecord: true))
        let version = StampedContent(
            Content(fields: ["title": "A", "note": "n"]), FieldStamps(Record.at(9), named: ["title": Record.at(1)]))
        _ = record.sees(version, Record.at(9))
        #expect(record.stamp(of: "title") == Record.at(9))
    }

    // MARK: Gone

    @Test(arguments: [(nil, 5, 1), (4, 5, 1), (5, 5, 1), (9, 9, 0)] as [(UInt64?, UInt64, UInt16)])
    func `what a read finds gone was deleted with the higher of its tombstone and the successor of the base`(
        tombstone: UInt64?, time: UInt64, counter: UInt16
    ) {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        let gone = record.seesNothing(tombstone: tombstone)
        #expect(gone.change == .delete)
        #expect(record.state.version == Version(nil, Record.at(time, counter)))
        #expect(record.state.base == .absent)
        let reading = record.clock.now(wall: 1)
        #expect(reading > Record.at(time, counter))
    }

    @Test func `an edit newer than the base survives its disappearance, on purpose`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        _ = record.edits(.update(["title": "mine"]))
        let outcome = record.seesNothing()
        #expect(record.title == "mine" && record.differs && outcome.change == nil)
        #expect(record.step() == .write(.absent))
        #expect(record.state.stamp ?? .zero > Record.at(5).successor)
    }

    @Test func `after an app's write the last stamped version decides the stamp of the delete`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        _ = record.seesApp(["title": "B"])
        _ = record.seesNothing()
        #expect(record.state.version == Version(nil, Record.at(5).successor))
    }

    @Test func `what was never stamped ends without a trace`() {
        var record = Record()
        _ = record.seesApp(["title": "A"])
        let outcome = record.seesNothing()
        #expect(outcome.change == .delete && record.state.view == nil)
        #expect(record.state.known == KnownVersion() && !record.differs)
    }

    @Test func `the delete that is derived does not depend on who derives it`() {
        var one = Record()
        var other = Record()
        other.clock = HybridClock(node: NodeID(77), persisted: Record.at(99_999, node: NodeID(77)))
        for index in 0..<2 {
            var record = index == 0 ? one : other
            _ = record.sees(["title": "A", "note": "n"], 5)
            _ = record.seesNothing()
            if index == 0 { one = record } else { other = record }
        }
        #expect(one.state.known == other.state.known && one.state.known.deletion != nil)
    }

    // MARK: Tombstones

    @Test func `a tombstone not above the base means nothing, one above it deletes`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        #expect(record.seesTombstone(Record.at(5)) == Outcome() && record.title == "A")
        #expect(record.seesTombstone(Record.at(6)).change == .delete)
        #expect(record.step() == .remove(etag: "e"))
    }

    @Test func `over an app's write a tombstone is only remembered, and the read decides`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        _ = record.seesApp(["title": "B"])
        #expect(record.seesTombstone(Record.at(900_000)) == Outcome() && record.title == "B")
        _ = record.seesNothing(tombstone: 900_000)
        #expect(record.state.version == Version(nil, Record.at(900_000)))
    }

    @Test func `a tombstone that is gone is forgotten`() {
        var record = Record()
        _ = record.seesTombstone(Record.at(5))
        #expect(record.seesTombstone(nil) == Outcome() && record.state.tombstone == nil)
    }

    @Test func `an event without an ETag does not make a known one vanish`() {
        var record = Record()
        _ = record.seesTombstone(Record.at(5), etag: "t")
        _ = record.seesTombstone(Record.at(5))
        #expect(record.state.tombstone?.etag == "t")
        _ = record.seesTombstone(Record.at(6))
        #expect(record.state.tombstone?.etag == nil)
    }

    @Test func `a record with a stamp below its tombstone is removed, one above it stays`() {
        var record = Record()
        _ = record.seesTombstone(Record.at(9))
        #expect(record.sees(["title": "late insert"], 5).change == nil)
        #expect(record.title == nil && record.step() == .remove(etag: "e"))
        #expect(record.sees(["title": "later"], 12).change == .create)
        #expect(record.title == "later" && !record.differs)
    }

    // MARK: Acknowledged

    @Test func `an acknowledged write is the base, with the stamp that was sent`() {
        var record = Record()
        record.state.newInRun = 1
        _ = record.edits(.create(Record.film("A")))
        let sent = record.isWritten()
        #expect(record.state.remote?.stamped == sent && record.state.remote?.etag == "w" && !record.differs)
        #expect(record.state.newInRun == nil)
    }

    @Test func `an edit made while a write was on its way is still to be written`() throws {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        _ = record.edits(.update(["title": "B"]), at: 900)
        let (sent, stamp) = (try #require(record.state.outgoing(record.rules)), try #require(record.state.stamp))
        _ = record.edits(.update(["note": "n"]), at: 950)
        let outcome = record.state.acknowledged(sent, at: stamp, etag: "w", clock: &record.clock, record.context)
        #expect(outcome == Outcome() && record.differs)
        #expect(record.fields == ["title": "B", "note": "n"] && record.state.stamp ?? .zero > stamp)
    }

    @Test func `a delete made while a write was on its way still ends it`() throws {
        var record = Record()
        _ = record.edits(.create(Record.film("A")), at: 900)
        let (sent, stamp) = (try #require(record.state.outgoing(record.rules)), try #require(record.state.stamp))
        _ = record.edits(.delete, at: 950)
        _ = record.state.acknowledged(sent, at: stamp, etag: "w", clock: &record.clock, record.context)
        #expect(record.state.known.isDeleted && record.step() == .writeTombstone(.absent))
    }

    @Test func `a removal that was answered leaves nothing to do`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        record.state.remoteKey = record.state.key.id.description.lowercased()
        _ = record.seesTombstone(Record.at(6))
        record.state.removed()
        #expect(record.state.base == .absent && record.state.remoteKey == nil && !record.differs)
    }

    @Test func `a key that is made of fields stays what it is when the record is gone`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        record.state.remoteKey = "348/anna"
        record.state.removed()
        #expect(record.state.keyInRemote == "348/anna")
    }
}
