import JSONText
import SyncCore
import SyncModel
import TestSupport
import Testing

/// Writers without stamps: `docs/protocol.md` section 9, sentence by sentence.
struct ForeignTests {
    typealias Record = RecordUnderTest

    private func known(_ fields: [String: JSONValue] = ["title": "A", "hasWatched": false, "note": "n"]) -> Record {
        var record = Record()
        _ = record.sees(fields, 5)
        return record
    }

    @Test func `what the app names is taken, and what it dropped is kept`() {
        var record = known()
        let outcome = record.seesApp(["title": "B", "hasWatched": true])
        #expect(outcome.change == .update && outcome.conflicts.isEmpty)
        #expect(record.fields == ["title": "B", "hasWatched": true, "note": "n"])
        #expect(record.differs && record.step() == .write(.matches(etag: "f")))
        let written = record.isWritten()
        #expect(written?.stamps.stamp(of: "note", value: "n", record.rules) == Record.at(5))
        #expect(written?.stamps.stamp(of: "title", value: "B", record.rules).physical == 1000)
        #expect(!record.differs && record.fields == ["title": "B", "hasWatched": true, "note": "n"])
    }

    @Test func `what it shows unchanged keeps its stamp`() {
        var record = known()
        _ = record.seesApp(Record.film("A", watched: true))
        guard case .fields(let names) = record.state.observed else {
            Issue.record("nothing was observed")
            return
        }
        #expect(Set(names.keys) == ["hasWatched"])
        #expect(record.isWritten()?.stamps.stamp(of: "title", value: "A", record.rules) == Record.at(5))
    }

    @Test func `what it shows as known already is not the app's`() {
        var record = known()
        _ = record.edits(.update(["title": "mine"]))
        _ = record.seesApp(Record.film("mine"))
        #expect(record.state.observed == nil && record.stamp(of: "title")?.node == Record.me)
    }

    @Test func `nor is a value that this node itself has sent since its base`() {
        var record = known()
        _ = record.edits(.update(["title": "first"]))
        let sent = record.state.outgoing(record.rules)
        _ = record.edits(.update(["title": "second"]))
        let outcome = record.seesApp(Record.film("first"), sent: sent.map { [$0] } ?? [])
        #expect(record.state.observed == nil && record.title == "second" && outcome.conflicts.isEmpty)
        #expect(record.differs)
    }

    @Test func `a number that does not count is no change, is written back, and is in the ledger`() {
        var record = Record(MergeRules(fields: ["best": .max, "first": .min]))
        _ = record.sees(["title": "A", "best": 5, "first": 5], 5)
        let outcome = record.seesApp(["title": "B", "best": 2, "first": 9])
        #expect(record.fields == ["title": "B", "best": 5, "first": 5] && outcome.change == .update)
        #expect(outcome.conflicts.map(\.rule) == [.fieldRule])
        #expect(outcome.conflicts.first?.winner.content?.fields == ["best": 5, "first": 5])
        #expect(outcome.conflicts.first?.loser.content?.fields == ["best": 2, "first": 9])
        let again = record.seesApp(["title": "C", "best": 2, "first": 9])
        #expect(again.conflicts.isEmpty && record.fields == ["title": "C", "best": 5, "first": 5])
        #expect(record.isWritten()?.content.fields == ["title": "C", "best": 5, "first": 5])
        let alone = record.seesApp(["title": "C", "best": 4, "first": 5])
        #expect(alone.change == nil && alone.conflicts.count == 1 && record.differs)
        #expect(record.isWritten()?.content.fields["best"] == 5 && !record.differs)
    }

    @Test func `an app's write of an unknown record is all observed, and left as it is`() {
        var record = Record()
        let outcome = record.seesApp(Record.film("A"))
        #expect(outcome.change == .create && record.fields == Record.film("A"))
        #expect(record.state.known == KnownVersion() && !record.differs)
    }

    @Test func `unless something is missing there that other apps expect`() {
        var record = Record()
        _ = record.seesApp(["title": "A"], isComplete: false)
        #expect(record.differs)
        #expect(record.isWritten()?.content == Content(fields: Record.film("A")))
        #expect(!record.differs)
    }

    @Test func `of what it lacks, such a write says nothing: others may know more`() throws {
        var record = Record()
        _ = record.seesApp(["title": "A"], isComplete: false)
        let sent = record.isWritten()
        #expect(try #require(sent).stamps.common == .zero)
        let known = StampedContent(
            Content(fields: ["title": "A", "hasWatched": false, "note": "theirs"]), FieldStamps(Record.at(5)))
        try record.merges(known, Record.at(5))
        #expect(record.fields?["note"] == "theirs")
    }

    @Test func `an edit below a delete does not strand what an app wrote after it`() throws {
        var record = known()
        _ = record.edits(.delete, at: 900)
        #expect(record.seesApp(Record.film("B")).change == .create)
        _ = record.edits(.update(["title": "late"]), at: 800)
        #expect(record.title == "B" && record.differs)
        let sent = record.isWritten()
        #expect(try #require(sent).content.fields["title"] == "B")
        #expect(!record.differs)
    }

    @Test func `a second look at the same body observes nothing anew`() {
        var record = known()
        _ = record.seesApp(Record.film("B"))
        let before = record
        record.wall = 5000
        #expect(record.seesApp(Record.film("B")) == Outcome())
        #expect(record.state == before.state && record.clock == before.clock)
    }

    @Test func `a third write keeps the time at which an unchanged field was observed`() {
        var record = known()
        _ = record.seesApp(Record.film("B"))
        let seen = record.state.observed?.stamp(of: "title")
        record.wall = 5000
        _ = record.seesApp(Record.film("B", watched: true))
        #expect(record.state.observed?.stamp(of: "title") == seen && seen?.physical == 1000)
        #expect(record.state.observed?.stamp(of: "hasWatched")?.physical == 5000)
    }

    @Test func `an observation ends with the body it was read from`() {
        var record = known()
        _ = record.seesApp(Record.film("B"))
        _ = record.sees(["title": "C", "hasWatched": false, "note": "n"], 7)
        #expect(record.title == "C" && record.state.observed == nil)
        _ = record.seesApp(Record.film("D"))
        _ = record.seesNothing()
        #expect(record.state.view == nil)
    }

    @Test(arguments: [3, 900_000] as [UInt64])
    func `a stamped version that is found later replaces an app's record, whatever its stamp`(time: UInt64) {
        var record = Record()
        _ = record.seesApp(Record.film("A"))
        _ = record.sees(Record.film("B"), time)
        #expect(record.fields == Record.film("B") && !record.differs)
        #expect(record.state.known.fields?.newest == Record.at(time))
    }

    // MARK: Edits over observations

    @Test(arguments: [500, 900_000] as [UInt64])
    func `an edit made over an observation goes above the stamp that the value gets`(time: UInt64) {
        var record = known()
        _ = record.seesApp(Record.film("B"))
        _ = record.edits(.update(["title": "mine"]))
        _ = record.sees(
            StampedContent(
                Content(fields: ["title": "B", "hasWatched": false, "note": "n"]),
                FieldStamps(Record.at(5), named: ["title": Record.at(time)])), Record.at(time))
        #expect(record.title == "mine" && record.differs)
        #expect(record.stamp(of: "title") ?? .zero > Record.at(time))
    }

    @Test func `an edit to the very value that was observed raises nothing, and brings back nothing`() {
        var record = Record()
        _ = record.seesApp(Record.film("A"))
        _ = record.edits(.create(Record.film("B")))
        _ = record.seesNothing()
        let edited = record.stamp(of: "title")
        _ = record.isWritten()
        #expect(record.stamp(of: "hasWatched") ?? .zero <= edited ?? .zero)
        #expect(!record.differs)
    }

    @Test func `but not above the stamp of another value`() {
        var record = known()
        _ = record.seesApp(Record.film("B"))
        _ = record.edits(.update(["title": "mine"]))
        _ = record.sees(Record.film("C"), 900_000)
        #expect(record.title == "C")
    }

    @Test func `a delete made over an observation goes above its stamp too`() {
        var record = Record()
        _ = record.seesApp(Record.film("B"))
        _ = record.edits(.delete)
        #expect(record.state.view == nil)
        // As another node dates it that knew nothing of it.
        _ = record.sees(Record.version(Record.film("B"), .zero, ["title": Record.at(900_000)]), Record.at(900_000))
        #expect(record.state.view == nil && record.differs)
        #expect(record.state.known.deletion ?? .zero > Record.at(900_000))
    }

    // MARK: Put back

    @Test func `a record put back with just the content its tombstone ended is a stale app, and removed`() {
        var record = Record()
        _ = record.seesNothing(tombstone: 9, ended: Content(fields: Record.film("A")).hash)
        #expect(record.seesApp(Record.film("A")) == Outcome())
        #expect(record.state.known.isDeleted && record.step() == .remove(etag: "f"))
    }

    @Test(arguments: [(2000, "A", true), (2000, "B", false), (500, "A", false)] as [(UInt64, String, Bool)])
    func `what a later tombstone names as it still stands there is deleted`(
        time: UInt64, title: String, isDeleted: Bool
    ) {
        var record = Record()
        _ = record.seesApp(Record.film("A"))
        _ = record.seesTombstone(Record.at(time), ended: Content(fields: Record.film(title)).hash)
        let outcome = record.seesApp(Record.film("A"))
        #expect((record.state.view == nil) == isDeleted && (outcome.change == .delete) == isDeleted)
        #expect(record.step() == (isDeleted ? .remove(etag: "f") : .write(.matches(etag: "f"))))
    }

    @Test func `what a later tombstone does not name goes above it`() throws {
        var record = Record()
        _ = record.seesApp(Record.film("A"))
        _ = record.seesTombstone(Record.at(5000), ended: Content(fields: Record.film("B")).hash)
        _ = record.seesApp(Record.film("A"))
        let sent = record.isWritten()
        let written = try #require(sent)
        #expect(written.newest > Record.at(5000) && record.title == "A" && !record.differs)
    }

    @Test func `a tombstone that was only remembered ends what gets a stamp below it`() {
        var record = Record()
        _ = record.seesApp(Record.film("A"))
        _ = record.seesTombstone(Record.at(5000))
        #expect(record.title == "A")
        #expect(record.sees(Record.film("A"), 3000).change == .delete)
        #expect(record.state.version == Version(nil, Record.at(5000)) && record.step() == .remove(etag: "e"))
    }

    @Test func `so is one with all that such an app knows of what was deleted`() {
        var record = known()
        let ended = record.state.view?.hash
        _ = record.seesNothing(tombstone: 9, ended: ended)
        #expect(record.seesApp(Record.film("A")) == Outcome() && record.step() == .remove(etag: "f"))
    }

    @Test func `what an app writes after a delete ends no edit that was made in between`() throws {
        var record = known()
        _ = record.edits(.delete, at: 900)
        #expect(record.seesApp(Record.film("B")).change == .create)
        let sent = record.isWritten()
        let written = try #require(sent)
        #expect(written.stamps.stamp(of: "title", value: "B", record.rules) > Record.at(950))
        let update = StampedContent(
            Content(fields: ["title": "A", "note": "new"]), FieldStamps(Record.at(5), named: ["note": Record.at(950)]))
        try record.merges(update, Record.at(950))
        #expect(record.fields?["title"] == "B" && record.fields?["note"] == "new")
    }

    @Test func `one with other content is an edit`() {
        var record = Record()
        _ = record.seesNothing(tombstone: 9, ended: Content(fields: Record.film("A")).hash)
        #expect(record.seesApp(Record.film("B")).change == .create)
        #expect(record.state.stamp ?? .zero > Record.at(9) && record.differs)
        #expect(record.isWritten()?.newest ?? .zero > Record.at(9))
    }

    // MARK: Any order

    @Test func `an app's whole PUT keeps what it did not change`() throws {
        var random = SeededRandom(8)
        let names = ["title", "hasWatched", "note", "year", "x"]
        for round in 0..<2000 {
            var record = Record()
            func value(_ name: String) -> JSONValue {
                name == "hasWatched" ? .bool(random.chance(50)) : .integer(Int64(random.below(4)))
            }
            _ = record.sees(Dictionary(uniqueKeysWithValues: names.map { ($0, value($0)) }), 5)
            let base = try #require(record.state.remote).content.fields
            var edited: [String: JSONValue] = [:]
            for name in names where random.chance(30) { edited[name] = value(name) }
            if !edited.isEmpty { _ = record.edits(.update(edited.mapValues(Optional.some))) }
            let (before, stamps) = (try #require(record.fields), names.map { record.stamp(of: $0) })
            // The app has read the base, changes something, and knows three of the fields.
            var body = base.filter { ["title", "hasWatched", "note"].contains($0.key) }
            let changed = body.keys.sorted().filter { _ in random.chance(40) }
            for name in changed { body[name] = value(name) }
            record.wall = 2000
            _ = record.seesApp(body)
            let written = try #require(record.state.outgoing(record.rules))
            for (name, stamp) in zip(names, stamps) {
                let isApps = body[name] != nil && body[name] != base[name] && body[name] != before[name]
                let expected = isApps ? body[name] : before[name]
                #expect(written.content.fields[name] == expected, "\(name), round \(round)")
                #expect(record.fields?[name] == expected, "\(name), round \(round)")
                let stampNow = written.stamps.stamp(of: name, value: expected, record.rules)
                #expect(isApps ? stampNow.physical == 2000 : stampNow == stamp, "\(name), round \(round)")
            }
            #expect((record.state.stamp ?? .zero) >= written.newest, "round \(round)")
        }
    }
}
