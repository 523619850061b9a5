import JSONText
import SyncCore
import SyncModel
import Testing

/// What the ledger has of this node's deletes that an edit elsewhere brought back.
struct DeleteLedgerTests {
    typealias Record = RecordUnderTest

    private func at(_ time: UInt64) -> Stamp { Record.at(time, node: Record.me) }

    @Test func `an edit elsewhere that brought back what this node had just deleted`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        _ = record.edits(.delete, at: 900)
        let outcome = record.sees(["title": "theirs"], 950)
        #expect(outcome.change == .create)
        #expect(outcome.conflicts.map(\.loser) == [Version(nil, at(900))])
    }

    @Test func `not a record that was made anew after this node's delete had been written`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        _ = record.edits(.delete, at: 900)
        _ = record.seesTombstone(at(900))
        record.state.removed()
        #expect(record.sees(["title": "B"], 2000).conflicts.isEmpty)
        #expect(record.title == "B")
    }

    @Test func `but one whose author had not seen it, though it had been written`() {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n"], 5)
        _ = record.edits(.delete, at: 900)
        _ = record.seesTombstone(at(900))
        record.state.removed()
        let theirs = StampedContent(
            Content(fields: ["title": "B", "note": "n"]), FieldStamps(Record.at(5), named: ["title": Record.at(2000)]))
        let conflicts = record.sees(theirs, Record.at(2000)).conflicts
        #expect(record.title == "B" && conflicts.map(\.loser) == [Version(nil, at(900))])
    }
}
