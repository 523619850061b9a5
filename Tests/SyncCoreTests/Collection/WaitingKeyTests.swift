import LocalStore
import SyncCore
import SyncModel
import Testing

/// Entries of the remote that can't be taken, each under its key: `docs/protocol.md` section 9.
struct WaitingKeyTests {
    typealias Machine = MachineUnderTest

    private let upper = Machine.id(1).description
    private let lower = Machine.id(1).description.lowercased()

    /// All keys are shown once more, in a snapshot or a list.
    private func look(_ machine: Machine, isList: Bool) throws {
        if isList {
            try machine.take(.reconcile)
        } else {
            try machine.reconnect()
            try machine.snapshot()
        }
        try machine.settle()
    }

    @Test(arguments: [false, true], [false, true])
    func `a second key that waited leaves quarantine when a snapshot or a list of keys shows it no more`(
        isAhead: Bool, isList: Bool
    ) throws {
        let machine = try Machine.live(2)
        let ahead = Stamp(physical: Machine.start + 180_000, counter: 0, node: Machine.other)
        let odd = RemoteValue.unreadable(Defect(.unreadableRecord, "text"))
        machine.server.put(lower, isAhead ? Machine.film(1, "ahead", ahead) : odd)
        try machine.tell(lower)
        try look(machine, isList: isList)
        #expect(try machine.quarantine() == [isAhead ? .futureStamp : .unreadableRecord])
        // It is read again when its time has come.
        let stamp = try machine.read { try $0.quarantined(after: 0, limit: 9).first?.stamp }
        #expect(stamp == (isAhead ? ahead : nil))
        machine.server.put(lower, .absent)
        try look(machine, isList: isList)
        #expect(try machine.quarantine().isEmpty && machine.title(1) == "F1")
    }

    @Test(arguments: [false, true])
    func `an edit of a record under its lower-case key waits for the upper-case one only as long as that is there`(
        isList: Bool
    ) throws {
        let machine = try Machine()
        machine.server.put(lower, Machine.film(1, "A"))
        try machine.goLive()
        try machine.pass(5000)
        try machine.settle()
        machine.server.put(upper, .unreadable(Defect(.unreadableRecord, "text")))
        try machine.tell(upper)
        try machine.edit(Machine.update(1, "mine"))
        try machine.settle()
        #expect(try machine.quarantine() == [.unreadableRecord] && machine.record(1).pending == .blocked)
        machine.server.put(upper, .absent)
        try look(machine, isList: isList)
        #expect(try machine.quarantine().isEmpty)
        #expect(try machine.record(1).pending == .no)
        #expect(machine.titleThere(lower) == "mine" && machine.server.keys() == [lower])
    }

    @Test func `a record and its tombstone wait each by themselves`() throws {
        let machine = try Machine.live(2)
        let odd = RemoteValue.unreadable(Defect(.unreadableRecord, "text"))
        machine.server.put(upper, odd, in: Machine.tombstones)
        try machine.tell(upper, in: Machine.tombstones)
        #expect(try machine.quarantine() == [.unreadableRecord])
        machine.server.put(upper, odd)
        try machine.tell(upper)
        #expect(try machine.quarantine() == [.unreadableRecord, .unreadableRecord])
        machine.put(1, Machine.film(1, "again"))
        try machine.tell(upper)
        try machine.settle()
        #expect(try machine.quarantine() == [.unreadableRecord], "its tombstone can't be read")
        machine.server.put(upper, .absent, in: Machine.tombstones)
        try machine.reconnect(Machine.tombstones)
        try machine.snapshot(Machine.tombstones)
        try machine.settle()
        #expect(try machine.quarantine().isEmpty && machine.title(1) == "again")
    }
}
