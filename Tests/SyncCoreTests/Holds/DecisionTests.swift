import JSONText
import SyncCore
import SyncModel
import Testing

/// What a person's decisions do to a record: `docs/protocol.md` section 10.
struct DecisionTests {
    typealias Record = RecordUnderTest

    private let now = Record.at(5000, node: Record.me)

    private func known() -> Record {
        var record = Record()
        _ = record.sees(["title": "A", "hasWatched": false], 5)
        return record
    }

    // MARK: Approved

    @Test func `an approved disappearance is a delete stamped now`() {
        var record = known()
        let outcome = record.state.disappearanceApproved(at: now, clock: &record.clock, record.context)
        #expect(outcome.change == .delete && record.state.version == Version(nil, now))
        #expect(record.state.base == .absent && record.step() == .writeTombstone(.absent))
    }

    @Test func `an edit made since the remote last held it survives, and is written anew`() {
        var record = known()
        _ = record.edits(.update(["title": "mine"]))
        let outcome = record.state.disappearanceApproved(at: now, clock: &record.clock, record.context)
        #expect(outcome == Outcome() && record.title == "mine" && record.step() == .write(.absent))
    }

    @Test func `a reader hears that what an app had put into a record that survives is gone`() {
        var record = known()
        _ = record.seesApp(["title": "A", "hasWatched": true])
        _ = record.edits(.update(["title": "mine"]))
        #expect(record.state.view?.fields["hasWatched"] == true)
        let outcome = record.state.disappearanceApproved(at: now, clock: &record.clock, record.context)
        #expect(outcome.change == .update && outcome.before?.fields["hasWatched"] == true)
        #expect(record.title == "mine" && record.state.view?.fields["hasWatched"] == false)
    }

    @Test func `with merge by record it is written with one stamp`() throws {
        var record = Record(MergeRules(byRecord: true))
        _ = record.seesApp(["title": "A"])
        _ = record.edits(.update(["note": "mine"]), at: 900)
        _ = record.state.disappearanceApproved(at: now, clock: &record.clock, record.context)
        let sent = try #require(record.state.outgoing(record.rules))
        #expect(sent.stamps == FieldStamps(try #require(record.state.stamp)))
        #expect(record.title == "A" && record.step() == .write(.absent))
    }

    @Test func `a delete made here since then keeps its stamp`() {
        var record = known()
        _ = record.edits(.delete, at: 900)
        let decided = record.state.version
        let outcome = record.state.disappearanceApproved(at: now, clock: &record.clock, record.context)
        #expect(outcome == Outcome() && record.state.version == decided && record.state.base == .absent)
    }

    @Test func `only what the remote held unedited, and no tombstone explains, counts as deleted`() {
        var record = known()
        #expect(record.state.wouldBeDeletedWithoutTombstone)
        var edited = record
        _ = edited.edits(.update(["title": "mine"]))
        #expect(!edited.state.wouldBeDeletedWithoutTombstone)
        var explained = record
        explained.state.tombstone = KnownTombstone(stamp: Record.at(6))
        #expect(!explained.state.wouldBeDeletedWithoutTombstone)
        explained.state.tombstone = KnownTombstone(stamp: Record.at(5))
        #expect(explained.state.wouldBeDeletedWithoutTombstone)
        _ = record.seesNothing()
        #expect(!record.state.wouldBeDeletedWithoutTombstone)
        #expect(!Record().state.wouldBeDeletedWithoutTombstone)
        var app = Record()
        _ = app.seesApp(["title": "A"])
        #expect(app.state.wouldBeDeletedWithoutTombstone)
    }

    // MARK: Rejected

    @Test func `what is kept is above every delete until now, and ends no edit that this node has not seen`() {
        var record = known()
        record.state.kept(at: now, clock: &record.clock, record.context)
        #expect(record.fields == ["title": "A", "hasWatched": false])
        #expect(record.state.ownStamp == now && record.differs)
        _ = record.seesTombstone(Record.at(4000))
        #expect(record.title == "A")
        _ = record.sees(["title": "A", "hasWatched": false, "note": "theirs"], now.physical - 1)
        #expect(record.fields?["note"] == "theirs")
    }

    @Test func `of what an app wrote in its place it wins field by field`() {
        var record = known()
        let shown = Content(fields: ["title": "App", "hasWatched": false, "note": "app's"])
        record.state.kept(over: shown, at: now, clock: &record.clock, record.context)
        #expect(record.stamp(of: "title") == now && record.stamp(of: "note") == now)
        #expect(record.stamp(of: "hasWatched") ?? now < now)
    }

    @Test func `what an app had changed is kept with it`() {
        var record = known()
        _ = record.seesApp(["title": "B"])
        record.state.kept(at: now, clock: &record.clock, record.context)
        #expect(record.title == "B" && record.state.observed == nil && record.stamp(of: "title") == now)
    }

    @Test func `a delete stays what it is`() {
        var record = known()
        _ = record.edits(.delete, at: 900)
        let before = record.state
        record.state.kept(at: now, clock: &record.clock, record.context)
        #expect(record.state == before)
    }

    // MARK: Dropped

    @Test func `a version that the remote refused gives way to what stands there`() {
        var record = known()
        _ = record.edits(.update(["title": "mine"]))
        let outcome = record.state.refusedVersionDropped(at: now, clock: &record.clock, record.context)
        #expect(record.title == "A" && !record.differs && outcome.change == .update)
        #expect(outcome.conflicts.map(\.rule) == [.dropped] && outcome.conflicts.first?.fields == ["title"])
        #expect(outcome.conflicts.first?.loser.content?.fields["title"] == "mine")
    }

    @Test func `so does a refused delete`() {
        var record = known()
        _ = record.edits(.delete)
        let outcome = record.state.refusedVersionDropped(at: now, clock: &record.clock, record.context)
        #expect(record.title == "A" && !record.differs && outcome.change == .create)
    }

    @Test func `where the tombstone of a refused delete stands the record is put above it`() {
        var record = known()
        _ = record.edits(.delete, at: 900)
        record.state.tombstone = KnownTombstone(stamp: Record.at(900, node: Record.me))
        let outcome = record.state.refusedVersionDropped(at: now, clock: &record.clock, record.context)
        #expect(record.title == "A" && outcome.change == .create && outcome.conflicts.map(\.rule) == [.dropped])
        #expect(record.differs && record.state.stamp == now)
        _ = record.seesTombstone(Record.at(900, node: Record.me))
        #expect(record.title == "A")
        // Where that is refused, too, nothing more is stamped.
        _ = record.state.refusedVersionDropped(at: Record.at(6000), clock: &record.clock, record.context)
        #expect(record.title == "A" && !record.differs)
    }

    @Test func `over an app's record it is the app's again`() {
        var record = known()
        _ = record.seesApp(["title": "B"])
        _ = record.edits(.update(["title": "mine"]))
        _ = record.state.refusedVersionDropped(at: now, clock: &record.clock, record.context)
        #expect(record.title == "B")
    }

    @Test func `a record that the remote perhaps has by now is deleted, and that given up if it is refused too`() {
        var record = Record()
        _ = record.edits(.create(Record.film("A")), at: 900)
        let outcome = record.state.refusedVersionDropped(at: now, clock: &record.clock, record.context)
        #expect(outcome.change == .delete && record.state.version == Version(nil, now) && record.differs)
        let again = record.state.refusedVersionDropped(at: Record.at(6000), clock: &record.clock, record.context)
        #expect(again == Outcome() && record.state.version == nil && !record.differs)
    }

    @Test func `a record that the remote never had is forgotten`() {
        var record = Record()
        record.state.newInRun = 1
        _ = record.edits(.create(Record.film("A")), at: 900)
        let outcome = record.state.refusedVersionDropped(at: now, clock: &record.clock, record.context)
        #expect(outcome.change == .delete && record.state.version == nil && !record.differs)
        #expect(record.state.known == KnownVersion() && record.state.newInRun == nil)
        #expect(outcome.conflicts.map(\.rule) == [.dropped])
        #expect(outcome.conflicts.first?.loser.content?.fields["title"] == "A")
        // Its next edit is above the one that was given up.
        _ = record.edits(.create(Record.film("B")))
        #expect(record.stamp(of: "title") ?? .zero > Record.at(900, node: Record.me))
    }

    @Test func `of a refused delete that the remote has in an older version, that counts again`() {
        var record = Record()
        _ = record.seesTombstone(Record.at(5))
        _ = record.edits(.delete, at: 900)
        _ = record.state.refusedVersionDropped(at: now, clock: &record.clock, record.context)
        #expect(record.state.version == Version(nil, Record.at(5)) && !record.differs)
    }

    // MARK: Restored

    private func entry(_ fields: [String], _ loser: Version) -> LedgerEntry {
        LedgerEntry(
            number: 1, key: Record().state.key, at: 1, rule: "laterStamp", fields: fields,
            winner: Version(nil, Record.at(9)), loser: loser)
    }

    @Test func `fields that lost are an edit made now, of them alone`() throws {
        var record = known()
        let lost = Version(Content(fields: ["title": "mine"]), Record.at(3))
        let outcome = try record.state.restored(
            entry(["note", "title"], lost), at: now, clock: &record.clock, record.context, by: { $0 })
        #expect(outcome.change == .update && record.title == "mine")
        #expect(record.stamp(of: "title") == now && record.stamp(of: "hasWatched") == .zero && record.differs)
    }

    @Test func `a record that was deleted comes back as it was`() throws {
        var record = known()
        _ = record.seesNothing(tombstone: 9)
        let lost = Version(Content(fields: ["title": "mine", "note": "n"]), Record.at(3))
        let outcome = try record.state.restored(
            entry([], lost), at: now, clock: &record.clock, record.context, by: { $0 })
        #expect(outcome.change == .create && record.fields == ["title": "mine", "note": "n"] && record.differs)
    }

    @Test func `a delete that lost deletes now`() throws {
        var record = known()
        let outcome = try record.state.restored(
            entry([], Version(nil, Record.at(3))), at: now, clock: &record.clock, record.context, by: { $0 })
        #expect(outcome.change == .delete && record.state.version == Version(nil, now))
    }
}
