import JSONText
import SyncCore
import SyncModel
import Testing

/// Lines of unknown time count up from what the remote was known to hold, and end with it: `docs/protocol.md` section 8.
struct CountedUpTests {
    typealias Record = RecordUnderTest

    /// A record as it was seen, and lines of unknown time after that.
    private func known(_ counters: [UInt16]) -> Record {
        var record = Record()
        let seen = StampedContent(Content(fields: ["title": "A", "hasWatched": true]), FieldStamps(Record.at(5)))
        _ = record.sees(seen, Record.at(5))
        for counter in counters {
            _ = record.state.edited(
                .update(["title": .string("r\(counter)")]), at: Record.at(5, counter), record.rules,
                clock: &record.clock, wall: record.wall)
        }
        return record
    }

    @Test(arguments: [[], [1], [1, 3]] as [[UInt16]])
    func `what ends with a disappearance counts towards the limit of deletes`(counters: [UInt16]) {
        var record = known(counters)
        #expect(record.state.wouldBeDeletedWithoutTombstone)
        _ = record.seesNothing()
        #expect(record.state.view == nil)
    }

    @Test func `an edit whose time is known outlives a disappearance, and counts as no delete`() {
        var record = known([1])
        _ = record.edits(.update(["title": "B"]))
        #expect(!record.state.wouldBeDeletedWithoutTombstone)
        _ = record.seesNothing()
        #expect(record.title == "B")
    }

    @Test(arguments: [[1], [1, 3]] as [[UInt16]])
    func `lines of unknown time end with a delete that another node has derived`(counters: [UInt16]) {
        var record = known(counters)
        _ = record.seesTombstone(Record.at(5, 1), etag: "t")
        #expect(record.state.view == nil)
    }
}
