import LocalStore
import SyncCore
import SyncModel
import Testing

/// What stands beside the records, and is none.
struct StrayTests {
    /// They are no whole record, and nothing is at stake: nobody is asked about them.
    @Test(arguments: [0, 3] as [UInt64], [["title"], ["hasWatched", "identifier"]])
    func `what a record has inside is said to stand beside the records`(films: UInt64, keys: [String]) throws {
        let machine = try MachineUnderTest.live(films)
        for key in keys {
            machine.server.put(key, .unreadable(Defect(.unreadableRecord, "text")))
            try machine.tell(key)
        }
        #expect(try machine.quarantine().count == keys.count && machine.holds().isEmpty)
        for key in keys {
            machine.server.put(key, .absent)
            try machine.tell(key)
        }
        #expect(try machine.quarantine().isEmpty)
    }

    typealias Machine = MachineUnderTest

    @Test func `a key that is no UUID leaves the quarantine when it is gone, whoever has seen that`() throws {
        let machine = try Machine.live(3)
        func strays(_ keys: String...) {
            for key in ["stray", "", "_v"] { machine.server.put(key, .absent) }
            for key in keys { machine.server.put(key, .unreadable(Defect(.unreadableRecord, "text"))) }
        }
        strays("stray", "other")
        try machine.reconnect()
        try machine.snapshot()
        #expect(try machine.quarantine() == [.unreadableRecord, .unreadableRecord])
        strays("other")
        try machine.reconnect()
        try machine.snapshot()
        #expect(try machine.quarantine() == [.unreadableRecord])
        machine.server.put("other", .absent)
        try machine.take(.reconcile)
        try machine.settle()
        #expect(try machine.quarantine().isEmpty)
    }

    @Test func `so does a key among the tombstones that is none`() throws {
        let machine = try Machine.live(1)
        for value in [RemoteValue.unreadable(Defect(.unreadableRecord, "text")), .absent] {
            try machine.events([.changed(RemoteEntry(key: "stray", value: value))], in: Machine.tombstones)
            #expect(try machine.quarantine().count == (value == .absent ? 0 : 1))
        }
    }

    @Test func `what a person drops of it while it is there stays`() throws {
        let machine = try Machine.live(1)
        machine.server.put("stray", .unreadable(Defect(.unreadableRecord, "text")))
        try machine.tell("stray")
        _ = try machine.store.writeNow { book in
            for item in try book.quarantined(after: 0, limit: 9) { try book.drop(item, machine.applier) }
        }
        #expect(try machine.quarantine() == [.unreadableRecord])
        machine.server.put("stray", .absent)
        try machine.tell("stray")
        #expect(try machine.quarantine().isEmpty)
    }

    @Test func `a value at the base leaves it when records stand there again`() throws {
        let machine = try Machine.live(1)
        machine.put(0, .absent)
        machine.server.put("", .unreadable(Defect(.unreadableRecord, "text")))
        try machine.reconnect()
        try machine.snapshot()
        #expect(try machine.quarantine() == [.unreadableRecord])
        machine.server.put("", .absent)
        machine.put(0, Machine.film(0, "F0"))
        try machine.tell(Machine.id(0))
        #expect(try machine.quarantine().isEmpty)
    }
}
