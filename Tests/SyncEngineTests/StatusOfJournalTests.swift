import ControlAPI
import SyncModel
import Testing

@testable import SyncEngine

@Suite struct StatusOfJournalTests {
    @Test func `a batch that hears of the disk after the next one takes nothing back`() {
        var facts = EngineStatus.Facts(journal: JournalStatus(path: "/j"))
        facts.read(lines: 47, upTo: 4_700, of: 4_700, at: Moment(milliseconds: 2))
        facts.read(lines: 40, upTo: 4_000, of: 4_700, at: Moment(milliseconds: 3))
        #expect(facts.journal.lines == 47 && facts.journal.offset == 4_700)
        #expect(facts.journal.lastReadAt == Moment(milliseconds: 3))
        // Another file begins.
        facts.read(lines: 48, upTo: 100, of: 200, at: Moment(milliseconds: 4))
        #expect(facts.journal.lines == 48 && facts.journal.offset == 100 && facts.journal.size == 200)
    }
}
