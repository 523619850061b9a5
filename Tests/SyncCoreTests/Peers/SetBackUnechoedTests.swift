import LocalStore
import SyncCore
import SyncModel
import Testing

/// What was acknowledged, and shown by no stream since, when the remote is set back to an older state (`docs/protocol.md`
/// section 10).
struct SetBackUnechoedTests {
    typealias Machine = MachineUnderTest

    private func live() throws -> Machine {
        let machine = try Machine()
        machine.fill(12)
        try machine.goLive()
        return machine
    }

    /// Films of another node's that are shown.
    private func write(_ machine: Machine, _ numbers: ClosedRange<UInt64>) throws {
        for number in numbers {
            machine.put(number, Machine.film(number, "new", Machine.stamp(1000 - number)))
            try machine.tell(Machine.id(number))
        }
    }

    /// Two films that the stream shows no more.
    private func create(_ machine: Machine) throws {
        try machine.edit(Machine.create(30, "fresh"), Machine.create(31, "fresh"))
        try machine.settle()
        #expect(machine.titleThere(30) == "fresh" && machine.titleThere(31) == "fresh")
    }

    private func reopen(_ machine: Machine, _ server: ServerUnderTest? = nil) throws {
        try machine.comeBack(to: server ?? machine.server, restarting: false)
        try machine.snapshot(Machine.tombstones)
        try machine.snapshot()
        try machine.settleWithPauses()
    }

    @Test func `waits with what else is missing`() throws {
        let machine = try live()
        let copy = machine.server
        try write(machine, 20...23)
        try create(machine)
        try reopen(machine, copy)
        #expect(try machine.holds() == [.massDelete] && machine.read { try $0.holds() }.map(\.count) == [6])
        #expect(try machine.title(30) == "fresh" && machine.title(20) == "new")
        try machine.decide(.massDelete, approved: false)
        try machine.settleWithPauses()
        #expect(machine.titleThere(30) == "fresh" && machine.titleThere(31) == "fresh")
        #expect(machine.titleThere(20) == "new")
    }

    @Test func `also where nothing else is missing, and a record is there in an older version`() throws {
        let machine = try live()
        let copy = machine.server
        machine.put(2, Machine.film(2, "edited", Machine.stamp(1000)))
        try machine.tell(Machine.id(2))
        try create(machine)
        try reopen(machine, copy)
        #expect(try machine.holds() == [.massDelete] && machine.title(30) == "fresh" && machine.title(31) == "fresh")
    }

    @Test func `is deleted where nothing looks set back, as ever`() throws {
        let machine = try live()
        try create(machine)
        machine.put(30, .absent)
        try reopen(machine)
        #expect(try machine.holds().isEmpty && machine.title(30) == nil && machine.title(31) == "fresh")
    }
}
