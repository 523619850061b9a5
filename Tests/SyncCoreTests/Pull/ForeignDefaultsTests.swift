import JSONText
import SyncCore
import SyncModel
import Testing

/// What an app's record has at its defaults: nobody need have chosen it.
struct ForeignDefaultsTests {
    typealias Record = RecordUnderTest

    @Test(arguments: [["title": "A"], ["title": "A", "hasWatched": false]] as [[String: JSONValue]])
    func `a default in what is new says nothing, for others may know more`(_ body: [String: JSONValue]) {
        var record = Record()
        _ = record.seesApp(body, isComplete: false)
        let written = record.isWritten()
        #expect(written?.stamps.stamp(of: "hasWatched", value: false, record.rules) == .zero)
        #expect(written?.stamps.stamp(of: "title", value: "A", record.rules).physical == 1000)
        _ = record.sees(
            Record.version(
                ["title": "A", "hasWatched": true], .zero, ["hasWatched": Record.at(500), "title": Record.at(400)]),
            Record.at(2000))
        #expect(record.fields == ["title": "A", "hasWatched": true])
    }

    @Test(arguments: [["title": "A"], ["title": "A", "hasWatched": false]] as [[String: JSONValue]])
    func `an earlier edit of it, which waited for the record, counts`(_ body: [String: JSONValue]) {
        var record = Record()
        _ = record.seesApp(body, isComplete: false)
        let outcome = record.edits(.update(["hasWatched": true, "title": "mine"]), at: 900)
        #expect(record.fields == ["title": "A", "hasWatched": true] && outcome.conflicts.map(\.fields) == [["title"]])
        let written = record.isWritten()
        #expect(written?.content.fields == record.fields)
        #expect(written?.stamps.stamp(of: "hasWatched", value: true, record.rules) == Record.mine(900))
    }

    /// It was made by an app, so that its default has no stamp; the stamp of the version is another field's.
    @Test func `a choice that an app makes below a version that was not seen before is the app's`() {
        var record = RecordUnderTest()
        _ = record.sees(
            RecordUnderTest.version(RecordUnderTest.film("A"), .zero, ["title": RecordUnderTest.at(5)]),
            RecordUnderTest.at(5))
        _ = record.sees(
            RecordUnderTest.version(
                RecordUnderTest.film("B", watched: true), .zero, ["title": RecordUnderTest.at(900)]),
            RecordUnderTest.at(900))
        #expect(record.fields == RecordUnderTest.film("B", watched: true) && record.differs)
        #expect(record.state.observed?.stamp(of: "hasWatched") != nil)
        #expect(record.isWritten()?.content.fields["hasWatched"] == true && !record.differs)
    }
}
