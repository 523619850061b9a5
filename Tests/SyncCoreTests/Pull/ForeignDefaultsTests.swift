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
}
