import JSONText
import SyncModel
import Testing

@testable import SyncCore

/// Edits made here: `docs/protocol.md` sections 3 and 4, sentence by sentence.
struct EditTests {
    typealias Record = RecordUnderTest

    @Test func `an update stamps the fields it names, and no others`() {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n", "year": 1979], 5)
        let outcome = record.edits(.update(["note": "mine", "year": nil]), at: 900)
        #expect(outcome.change == .update && outcome.conflicts.isEmpty)
        #expect(record.fields == ["title": "A", "note": "mine"])
        #expect(record.stamp(of: "title") == Record.at(5))
        #expect(record.stamp(of: "note") == Record.mine(900) && record.stamp(of: "year") == Record.mine(900))
    }

    @Test func `a create stamps all fields it names, and the removal of all others`() {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n"], 5)
        _ = record.edits(.create(["title": "B"]), at: 900)
        #expect(record.fields == ["title": "B"])
        #expect(record.stamp(of: "title") == Record.mine(900) && record.stamp(of: "note") == Record.mine(900))
        _ = record.sees(["title": "A", "note": "n"], 800)
        #expect(record.fields == ["title": "B"])
    }

    @Test func `what a create leaves at its default is nobody's choice`() {
        var record = Record()
        _ = record.edits(.create(Record.film("A")), at: 900)
        #expect(record.stamp(of: "hasWatched") == .zero)
        _ = record.sees(Record.film("A", watched: true), 5)
        #expect(record.fields == Record.film("A", watched: true))
        #expect(record.stamp(of: "hasWatched") == Record.at(5))
    }

    @Test func `but it is a choice where it takes back what its author saw`() {
        var record = Record()
        _ = record.sees(Record.film("A", watched: true), 5)
        _ = record.edits(.create(Record.film("A")), at: 900)
        #expect(record.fields == Record.film("A") && record.stamp(of: "hasWatched") == Record.mine(900))
    }

    @Test func `an update that names a default chooses it`() {
        var record = Record()
        _ = record.edits(.create(Record.film("A")), at: 900)
        _ = record.edits(.update(["hasWatched": false]), at: 901)
        #expect(record.stamp(of: "hasWatched") == Record.mine(901))
        _ = record.sees(Record.film("A", watched: true), 5)
        #expect(record.fields == Record.film("A"))
    }

    private static let numbers = MergeRules(fields: ["best": .max, "first": .min])

    @Test(arguments: [3, 5, nil] as [JSONValue?])
    func `a number with a rule is not taken back by an edit either`(_ value: JSONValue?) throws {
        var record = Record(EditTests.numbers)
        _ = record.sees(["title": "A", "best": 5, "first": 5], 5)
        let outcome = record.edits(.update(["title": "B", "best": value]), at: 900)
        #expect(record.fields == ["title": "B", "best": 5, "first": 5])
        #expect(record.stamp(of: "best") == (value == 5 ? Record.mine(900) : Record.at(5)))
        #expect(outcome.conflicts.map(\.rule) == (value == 5 ? [] : [.fieldRule]))
        let loser = value == 5 ? nil : Content(fields: value.map { ["best": $0] } ?? [:])
        #expect(outcome.conflicts.first?.loser.content == loser)
        _ = record.edits(.create(["title": "C", "best": 2, "first": 9]), at: 901)
        #expect(record.fields == ["title": "C", "best": 5, "first": 5])
    }

    @Test func `a number that is spelled otherwise has not lost to itself`() {
        var record = Record(EditTests.numbers)
        let outcome = record.edits(.create(["title": "A", "best": .number(5), "first": .number(5)]), at: 900)
        #expect(outcome.conflicts.isEmpty && record.fields == ["title": "A", "best": 5, "first": 5])
    }

    @Test func `an edit of nothing but a worse number writes nothing`() {
        var record = Record(EditTests.numbers)
        _ = record.sees(["title": "A", "best": 5, "first": 5], 5)
        let outcome = record.edits(.update(["best": 4, "first": 6]), at: 900)
        #expect(outcome.change == nil && outcome.conflicts.map(\.fields) == [["best", "first"]])
        #expect(!record.differs)
        _ = record.edits(.update(["best": 6, "first": 4]), at: 901)
        #expect(record.fields == ["title": "A", "best": 6, "first": 4] && record.differs)
    }

    @Test(arguments: [(7, 9), (11, 11)] as [(Int64, JSONValue)])
    func `nor is one that an app has written`(_ mine: Int64, _ left: JSONValue) {
        var record = Record(EditTests.numbers)
        _ = record.sees(["title": "A", "best": 5], 5)
        _ = record.seesApp(["title": "A", "best": 9])
        _ = record.edits(.update(["best": .integer(mine)]))
        #expect(record.fields == ["title": "A", "best": left])
        record.isWritten()
        #expect(record.fields == ["title": "A", "best": left])
    }

    @Test func `an old edit changes only the fields it is above, and the ledger has the rest`() {
        var record = Record()
        let shown = StampedContent(
            Content(fields: ["title": "A", "note": "n"]), FieldStamps(Record.at(5), named: ["note": Record.at(500)]))
        _ = record.sees(shown, Record.at(500))
        let outcome = record.edits(.update(["title": "B", "note": "mine"]), at: 100)
        #expect(record.fields == ["title": "B", "note": "n"])
        let lost = outcome.conflicts.first
        #expect(outcome.conflicts.count == 1 && lost?.fields == ["note"] && lost?.rule == .laterStamp)
        #expect(lost?.winner == Version(Content(fields: ["note": "n"]), Record.at(500)))
        #expect(lost?.loser == Version(Content(fields: ["note": "mine"]), Record.mine(100)))
    }

    @Test func `the version's stamp is above all that is in it, so that a later version has the higher one`() {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n"], 500)
        _ = record.edits(.update(["note": "mine"]), at: 2000)
        #expect(record.state.stamp == Record.mine(2000))
        _ = record.sees(["title": "B", "note": "n"], 3000)
        #expect(record.state.stamp == nil || record.state.stamp ?? .zero >= Record.at(3000))
        #expect(record.fields == ["title": "B", "note": "n"] && !record.differs)
    }

    @Test func `where both sides have something the merged version is above both, and written`() {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n"], 500)
        _ = record.edits(.update(["note": "mine"]), at: 4000)
        let version = StampedContent(
            Content(fields: ["title": "B", "note": "n"]), FieldStamps(Record.at(500), named: ["title": Record.at(3000)])
        )
        _ = record.sees(version, Record.at(5000))
        #expect(record.fields == ["title": "B", "note": "mine"])
        #expect(record.differs)
        #expect(record.state.stamp ?? .zero > Record.at(5000))
        #expect(record.stamp(of: "note") == Record.mine(4000) && record.stamp(of: "title") == Record.at(3000))
    }

    @Test func `ten edits that end where they began are still the latest edit of their field`() {
        var record = Record()
        _ = record.sees(["title": "A"], 500)
        _ = record.edits(.update(["title": "B"]), at: 2000)
        _ = record.edits(.update(["title": "A"]), at: 2001)
        #expect(record.differs && record.stamp(of: "title") == Record.mine(2001))
    }

    // MARK: Deletes

    @Test func `a delete ends a version all of whose fields are below it`() {
        var record = Record()
        _ = record.sees(["title": "A"], 500)
        #expect(record.edits(.delete, at: 600).change == .delete)
        #expect(record.state.version == Version(nil, Record.mine(600)) && record.differs)
        #expect(record.sees(["title": "A", "note": "n"], 550).change == nil)
        #expect(record.state.view == nil)
    }

    @Test func `an edit above the delete brings the whole record back as its author saw it`() {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n"], 500)
        _ = record.edits(.update(["note": "mine"]), at: 900)
        let outcome = record.seesTombstone(Record.at(700))
        #expect(outcome.change == nil)
        #expect(record.fields == ["title": "A", "note": "mine"] && record.differs)
    }

    @Test func `an old delete of a newer version does nothing, and the ledger has it`() {
        var record = Record()
        _ = record.sees(["title": "A"], 500)
        let outcome = record.edits(.delete, at: 100)
        #expect(outcome.change == nil && record.title == "A")
        #expect(outcome.conflicts.map(\.loser) == [Version(nil, Record.mine(100))])
        #expect(!record.differs)
    }

    @Test func `an update below a delete loses to it, and the ledger has it`() {
        var record = Record()
        _ = record.sees(["title": "A"], 500)
        _ = record.edits(.delete, at: 900)
        let outcome = record.edits(.create(["title": "B"]), at: 800)
        #expect(record.state.view == nil)
        #expect(outcome.conflicts.map(\.loser) == [Version(Content(fields: ["title": "B"]), Record.mine(800))])
    }

    @Test func `a delete of an unknown record leaves a tombstone`() {
        var record = Record()
        #expect(record.edits(.delete, at: 900).change == nil)
        #expect(record.state.known.isDeleted && record.differs)
        #expect(record.step() == .writeTombstone(.absent))
        #expect(!record.state.differs(keepsTombstones: false))
    }

    @Test func `a create after a delete is the record anew, without what was deleted`() {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n"], 500)
        _ = record.edits(.delete, at: 900)
        let outcome = record.edits(.create(["title": "B"]), at: 901)
        #expect(outcome.change == .create && record.fields == ["title": "B"])
    }

    @Test func `also where it says the default of what it was before`() {
        var record = Record()
        _ = record.edits(.create(["title": "A", "hasWatched": true]), at: 900)
        _ = record.edits(.delete, at: 901)
        _ = record.edits(.create(["title": "B", "hasWatched": false]), at: 902)
        #expect(record.fields == ["title": "B", "hasWatched": false])
    }

    // MARK: Other rules

    @Test func `with merge by record all fields carry the version's stamp, and the later version wins whole`() {
        var record = Record(MergeRules(defaults: ["hasWatched": false], byRecord: true))
        _ = record.sees(["title": "A", "note": "n", "hasWatched": true], 500)
        _ = record.edits(.update(["note": "mine"]), at: 900)
        #expect(record.stamp(of: "title") == Record.mine(900))
        _ = record.sees(["title": "B", "hasWatched": false], 800)
        #expect(record.fields == ["title": "A", "note": "mine", "hasWatched": true])
        _ = record.sees(["title": "C", "hasWatched": false], 950)
        #expect(record.fields == ["title": "C", "hasWatched": false])
    }

    @Test(arguments: [false, true])
    func `with merge by record an edit over what an app has written holds that, whoever stamps it`(isStamped: Bool) {
        var record = Record(MergeRules(byRecord: true))
        _ = record.sees(["title": "A", "n": 2], 500)
        _ = record.seesApp(["title": "A", "n": "app"])
        _ = record.edits(.update(["title": "mine"]))
        if isStamped { _ = record.sees(["title": "A", "n": "app"], 600) }
        #expect(record.fields == ["title": "mine", "n": "app"] && record.differs)
    }

    @Test func `with merge by record the next edit goes above the version that an older one has become`() throws {
        var record = Record(MergeRules(byRecord: true))
        _ = record.seesApp(["title": "A"])
        _ = record.edits(.update(["note": "mine"]), at: 800)
        let stamp = try #require(record.state.stamp)
        #expect(stamp > Record.mine(800) && record.state.ownStamp == stamp)
    }

    @Test func `with merge by record an edit of a field has its own stamp where all that an app wrote is older`() {
        var record = Record(MergeRules(byRecord: true))
        _ = record.seesApp(["title": "A", "note": "n"])
        for (time, note) in [(1100, "mine"), (1110, "later")] as [(UInt64, String)] {
            record.wall = 2000
            _ = record.edits(.update(["note": .string(note)]), at: time)
            #expect(record.state.stamp == Record.mine(time) && record.state.ownStamp == Record.mine(time))
        }
        #expect(record.fields == ["title": "A", "note": "later"] && record.differs)
        _ = record.sees(["title": "B", "note": "theirs"], 1200)
        #expect(record.fields == ["title": "B", "note": "theirs"] && !record.differs)
    }

    @Test func `tags that two nodes add to a film that has none are both there`() throws {
        let rules = MergeRules(fields: ["tags": .set])
        var one = Record(rules)
        var other = Record(rules)
        for time in [500, 501] as [UInt64] {
            _ = one.sees(["title": "A"], time)
            _ = other.sees(["title": "A"], time)
        }
        _ = one.edits(.update(["tags": ["a"]]), at: 900)
        _ = other.edits(.update(["tags": ["b"]]), at: 950)
        let (mine, theirs) = (try #require(one.state.known.fields), try #require(other.state.known.fields))
        #expect(StampedContent.merged(mine, theirs, rules).content.fields["tags"] == ["a", "b"])
    }

    @Test func `a tag that was removed while another was added stays removed`() {
        let rules = MergeRules(fields: ["tags": .set])
        var record = Record(rules)
        _ = record.sees(["tags": ["a", "b"]], 500)
        _ = record.edits(.update(["tags": ["b"]]), at: 900)
        let added = StampedContent(
            Content(fields: ["tags": ["a", "b", "c"]]), FieldStamps(Record.at(500), named: ["tags/c": Record.at(800)]))
        _ = record.sees(added, Record.at(800))
        #expect(record.fields == ["tags": ["b", "c"]])
    }

    @Test(arguments: [true, false])
    func `fields of before a delete do not come back with an edit of what an app has made anew`(isOwn: Bool) {
        var record = Record()
        _ = record.sees(["title": "A", "year": 1999], 5)
        if isOwn { _ = record.edits(.delete, at: 900) }
        _ = record.seesNothing()
        _ = record.seesApp(["title": "B"])
        _ = record.edits(.update(["title": "C"]))
        #expect(record.fields?["title"] == "C" && record.fields?["year"] == nil)
    }

    @Test func `who changed a set last is who added or removed a member`() throws {
        var record = Record(MergeRules(fields: ["tags": .set]))
        _ = record.edits(.create(["title": "A", "tags": ["p", "q"]]), at: 900)
        record.isWritten()
        let before = record.state.view
        var stamps = try #require(record.state.known.fields?.stamps)
        stamps.named[FieldStamps.member("q", of: "tags")] = Record.at(1000)
        _ = record.sees(StampedContent(Content(fields: ["title": "A", "tags": ["p"]]), stamps), Record.at(1000))
        let past = try #require(ChangePast(before: before, after: record.state, record.rules))
        #expect(past.was.keys.sorted() == ["tags"] && past.authors.isEmpty)
        #expect(record.state.known.fields?.stamps.latest(of: "tags", to: ["p"], record.rules) == Record.at(1000))
    }
}
