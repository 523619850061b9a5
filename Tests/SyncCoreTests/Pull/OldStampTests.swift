import JSONText
import SyncCore
import SyncModel
import TestSupport
import Testing

/// Apps that write a stamp of ours that they have read before: `docs/protocol.md` section 9.
struct OldStampTests {
    typealias Record = RecordUnderTest

    @Test(arguments: [false, true]) func `what an app wrote outlives an older copy of what it was written over`(
        byRecord: Bool
    ) {
        var record = RecordUnderTest(byRecord ? MergeRules(defaults: [:], byRecord: true) : RecordUnderTest.movies)
        _ = record.sees(["title": "A", "note": "n"], 500)
        _ = record.sees(["title": "B", "note": "n"], 900)
        _ = record.seesApp(["title": "C", "note": "n"])
        let outcome = record.sees(["title": "A", "note": "n"], 500)
        #expect(record.title == "C" && record.differs && outcome.change == nil)
        record.isWritten()
        #expect(record.title == "C" && !record.differs)
        // What is newer has seen it.
        _ = record.seesApp(["title": "D", "note": "n"])
        _ = record.sees(["title": "E", "note": "n"], 1 << 39)
        #expect(record.title == "E")
    }

    private func known() -> Record {
        var record = Record()
        _ = record.sees(["title": "A", "hasWatched": false, "note": "n"], 5)
        return record
    }

    @Test func `the base's stamp with new content is an app's write`() {
        var record = known()
        _ = record.sees(["title": "B", "hasWatched": false, "note": "n"], 5)
        #expect(record.title == "B" && record.state.observed?.stamp(of: "title") != nil)
        #expect(record.state.remote?.stamp == nil && record.state.remote?.lastStamp == Record.at(5))
        #expect(record.differs)
    }

    @Test func `so is an older stamp of ours with a value that no edit can have set`() {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n"], 5)
        _ = record.edits(.update(["note": "mine"]))
        record.isWritten()
        _ = record.sees(["title": "app's", "note": "n"], 5)
        #expect(record.fields == ["title": "app's", "note": "mine"] && record.differs)
    }

    @Test func `an older version as it was written is none, and what is known is written again`() {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n"], 5)
        _ = record.edits(.update(["note": "mine"]))
        record.isWritten()
        _ = record.sees(["title": "A", "note": "n"], 5)
        #expect(record.state.observed == nil && record.fields == ["title": "A", "note": "mine"] && record.differs)
    }

    @Test func `an older version that this node has never seen ends no later edit of its fields`() {
        var record = known()
        _ = record.edits(.update(["note": "mine"]))
        record.isWritten()
        // It was on the remote before that, until an app overwrote it; now an app puts it back.
        _ = record.sees(version(["title": "B", "hasWatched": false, "note": "n"], ["title": 7]), Record.at(7))
        #expect(record.fields == ["title": "B", "hasWatched": false, "note": "mine"] && record.differs)
        record.isWritten()
        #expect(record.stamp(of: "title") == Record.at(7, 1))
        _ = record.sees(version(["title": "C", "hasWatched": false, "note": "n"], ["title": 9]), Record.at(2000))
        #expect(record.fields == ["title": "C", "hasWatched": false, "note": "mine"])
    }

    @Test func `what another node has stamped of an app's write is a version that an older body may show`() {
        var record = known()
        _ = record.seesApp(["title": "app's", "hasWatched": false, "note": "n"])
        let stamped = version(["title": "app's", "hasWatched": false, "note": "n"], ["title": 1 << 31])
        record.wall = 1 << 32
        let shownAgain = record.sees(stamped, Record.at(1 << 31))
        #expect(shownAgain.change == nil && shownAgain.shownAgain == Record.at(1 << 31))
        // Once more it is known already, and so is an edit by its own stamp.
        #expect(record.sees(stamped, Record.at(1 << 31)).shownAgain == nil)
        _ = record.edits(.update(["note": "mine"]))
        record.isWritten()
        #expect(record.sees(version(["title": "app's", "note": "mine"], [:]), Record.at(1 << 31)).shownAgain == nil)
    }

    /// A day and more after the beginning of time: no stamp of a line whose time is unknown.
    private static func today(_ time: UInt64, _ counter: UInt16 = 0) -> Stamp { Record.at(1 << 30 + time, counter) }

    @Test func `in a later version, what stands under a stamp that is known with another value is an app's`() throws {
        let old: [String: JSONValue] = ["title": "A", "hasWatched": true, "note": "n"]
        let shown: [String: JSONValue] = ["title": "B", "hasWatched": false, "note": "n", "rating": 3]
        let stamps = FieldStamps(OldStampTests.today(5), named: ["rating": OldStampTests.today(7)])
        var record = Record()
        _ = record.sees(StampedContent(Content(fields: old), FieldStamps(stamps.common)), stamps.common)
        let outcome = record.sees(StampedContent(Content(fields: shown), stamps), OldStampTests.today(7))
        #expect(outcome.change == .update && outcome.before?.fields == old && outcome.conflicts.isEmpty)
        #expect(record.fields == shown && record.differs)
        #expect(record.state.remote?.stamp == nil && record.state.remote?.lastStamp == OldStampTests.today(7))
        record.isWritten()
        #expect(record.stamp(of: "rating") == OldStampTests.today(7) && record.stamp(of: "note") == stamps.common)
        for name in ["title", "hasWatched"] {
            #expect(try #require(record.stamp(of: name)) > OldStampTests.today(7))
        }
    }

    @Test func `so is what an app wrote over a write whose answer never came`() throws {
        var record = Record()
        record.wall = 1 << 31
        let old = StampedContent(Content(fields: ["title": "A", "note": "n"]), FieldStamps(OldStampTests.today(5)))
        _ = record.sees(old, old.newest)
        _ = record.edits(.update(["title": "mine"]))
        let (sent, stamp) = (try #require(record.state.outgoing(record.rules)), try #require(record.state.stamp))
        let shown = Content(fields: ["title": "app's", "note": "app's"])
        _ = record.sees(StampedContent(shown, sent.stamps), stamp)
        #expect(record.fields == shown.fields && record.differs)
    }

    @Test func `stamps that are derived, or of lines of unknown time, may be given twice`() {
        for stamp in [OldStampTests.today(5, 1), Record.at(5)] {
            var record = Record()
            _ = record.sees(StampedContent(Content(fields: ["title": "A"]), FieldStamps(stamp)), stamp)
            let stamps = FieldStamps(stamp, named: ["note": OldStampTests.today(7)])
            _ = record.sees(
                StampedContent(Content(fields: ["title": "B", "note": "n"]), stamps), OldStampTests.today(7))
            #expect(record.state.observed == nil && record.state.remote?.stamp == OldStampTests.today(7))
        }
    }

    /// A version all of whose fields were set at 5, but for those that are named.
    private func version(_ fields: [String: JSONValue], _ times: [String: UInt64]) -> StampedContent {
        StampedContent(
            Content(fields: fields), FieldStamps(Record.at(5), named: times.mapValues { Record.at($0) }))
    }

    @Test func `an older version with a lower number or fewer tags is none either`() {
        let rules = MergeRules(fields: ["rating": .max, "tags": .set])
        var record = Record(rules)
        _ = record.sees(["rating": 5, "tags": ["a"]], 5)
        _ = record.sees(["rating": 3, "tags": ["b"]], 8)
        _ = record.sees(["rating": 5, "tags": ["b"]], 9)
        _ = record.sees(["rating": 3, "tags": ["b"]], 8)
        #expect(record.state.observed == nil && record.fields?["rating"] == 5)
    }

    /// A film, edits of it, and an app that writes an older version back with changes of its own: each field is what the
    /// latest edit has set; what the app has changed in a version that this node knows is dated now.
    @Test func `whatever was seen of it, the app's part of an older version is told from what nodes have set`() throws {
        var random = SeededRandom(27)
        for round in 0..<3000 {
            let story = Story(&random)
            var record = Record()
            _ = record.sees(version(Story.old, [:]), Record.at(5))
            if story.isSeen { _ = record.sees(version(story.shown, story.times), Record.at(8)) }
            // At 1000: above the version that is put back.
            _ = record.edits(.update(story.mine.merging(["x": 1]) { $1 }.mapValues(Optional.some)))
            record.isWritten()
            record.wall = 2000
            _ = record.sees(version(story.shown.merging(story.apps) { $1 }, story.times), Record.at(8))
            record.isWritten()
            // Another node knows all edits but those of this one and the app's.
            let last = story.shown.merging(story.later) { $1 }.merging(["x": 1]) { $1 }
            let times = story.times.merging(story.later.mapValues { _ in 9 }) { $1 }
            _ = record.sees(version(last, times), Record.at(3000))
            for name in Story.names {
                #expect(record.fields?[name] == story.expected(name), "\(name), round \(round)")
            }
        }
    }

    /// What happens to the fields of a film.
    private struct Story {
        static let names = ["title", "note", "year"]
        static let old = Dictionary(uniqueKeysWithValues: names.map { ($0, JSONValue.string("\($0) old")) })

        /// Whether this node has seen the version that the app puts back.
        let isSeen: Bool
        var shown = Story.old
        /// When its fields were edited, where not at 5.
        var times: [String: UInt64] = [:]
        var mine: [String: JSONValue] = [:]
        var apps: [String: JSONValue] = [:]
        /// Edited at 9.
        var later: [String: JSONValue] = [:]

        init(_ random: inout SeededRandom) {
            isSeen = random.chance(50)
            for name in Story.names {
                if random.chance(50) { (shown[name], times[name]) = (.string("\(name) shown"), 7) }
                if random.chance(20) { mine[name] = .string("\(name) mine") }
                if random.chance(30) { apps[name] = .string("\(name) app") }
                if random.chance(30) { later[name] = .string("\(name) later") }
            }
        }

        func expected(_ name: String) -> JSONValue? {
            if let mine = mine[name] { return mine }
            if let app = apps[name], isSeen || times[name] == nil { return app }
            return later[name] ?? apps[name] ?? shown[name]
        }
    }
}
