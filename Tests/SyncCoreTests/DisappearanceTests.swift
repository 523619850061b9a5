import SyncCore
import SyncModel
import Testing

/// What approving the disappearance of a record does (`docs/protocol.md` section 10).
struct DisappearanceTests {
    typealias Record = RecordUnderTest

    @Test func `an unedited record is deleted`() {
        var record = Record()
        _ = record.sees("A", Record.at(5))
        #expect(record.state.wouldBeDeletedWithoutTombstone)
        _ = record.state.disappearanceApproved(now: Record.at(2000, node: Record.me))
        #expect(record.state.local?.deleted == true && record.pending)
    }

    @Test func `an edit made since survives, and is written anew`() {
        var record = Record()
        _ = record.sees("A", Record.at(5))
        _ = record.edits("Edited", at: 1500)
        #expect(!record.state.wouldBeDeletedWithoutTombstone)
        let outcome = record.state.disappearanceApproved(now: Record.at(2000, node: Record.me))
        #expect(outcome == Outcome())
        #expect(record.title == "Edited" && record.pending)
        #expect(record.state.base == .absent)
    }

    @Test func `what an app wrote is deleted although it has no stamp`() {
        var record = Record()
        _ = record.seesForeign(["title": "A"])
        _ = record.state.disappearanceApproved(now: Record.at(2000, node: Record.me))
        #expect(record.state.local?.deleted == true)
    }
}
