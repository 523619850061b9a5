import LocalStore
import SyncCore
import SyncModel
import Testing

/// Trying again what is in quarantine.
struct RetryTests {
    @Test(arguments: [#"{"op":"create","fields":{"title":"A"#, MachineUnderTest.create(1, "A")])
    func `a line of which only the beginning was kept stays what it was`(beginning: String) throws {
        let machine = try MachineUnderTest()
        let defect = Defect(.lineTooLong, "a line of 2000000 bytes; the longest allowed is 1048576")
        try machine.read { book in
            var item = QuarantinedItem(.journal, defect, since: 1)
            item.payload = Array(beginning.utf8)
            try book.quarantine(item, machine.applier.context("movies"))
            let stored = try #require(try book.quarantined(after: 0, limit: 1).first)
            let isSettled = try machine.applier.retry(stored, in: book)
            #expect(!isSettled)
        }
        let left = try machine.read { try $0.quarantined(after: 0, limit: 9) }
        #expect(left.map(\.defect) == [defect] && left.first?.attempts == 2)
        #expect(try machine.title(1) == nil)
    }
}
