import SyncCore
import SyncModel
import Testing

/// A collection that is kept at another place now: tombstones and their horizon are those of a place.
struct MovedTests {
    typealias Machine = MachineUnderTest

    private func move(_ machine: Machine) throws {
        for kept in ["a", "b"] { try machine.read { try CollectionMachine.note(["movies": kept], in: $0) } }
        try machine.restart()
    }

    @Test(arguments: [PullMode.full, .incremental])
    func `what is deleted at a new place has its tombstone there first`(pull: PullMode) throws {
        let machine = try Machine(pull: pull)
        machine.fill(5)
        try machine.goLive()
        let elsewhere = machine.server
        try machine.edit(Machine.delete(3))
        try machine.settle()
        #expect(machine.server.keys().count == 4)
        machine.server = elsewhere
        try move(machine)
        let before = machine.calls.count
        try machine.goLive()
        let key = Machine.id(3).description
        #expect(machine.server.keys().count == 4 && machine.server.keys(Machine.tombstones) == [key])
        let changes = machine.calls[before...].compactMap { call in
            switch call {
            case .write(_, let keyspace, _), .remove(_, let keyspace, _): keyspace
            default: nil
            }
        }
        #expect(changes == [Machine.tombstones, Machine.records])
    }

    @Test func `the horizon of one place is none at another`() throws {
        let machine = try Machine()
        machine.server.horizon = Machine.stamp(500_000)
        try machine.goLive()
        machine.server.horizon = nil
        try move(machine)
        try machine.goLive()
        let old = RFC3339.text(Machine.start - 1_000_000)
        try machine.edit(#"{"op":"create","id":"\#(Machine.id(1))","fields":{"title":"Old"},"at":"\#(old)"}"#)
        try machine.settle()
        #expect(try machine.holds() == [] && machine.titleThere(1) == "Old")
    }
}
