import LocalStore
import SyncCore
import SyncModel
import Testing

/// What time alone ends: `docs/protocol.md` section 3.
struct DeadlinesTests {
    typealias Machine = MachineUnderTest

    private static let (minute, tenMinutes): (UInt64, UInt64) = (60_000, 600_000)

    private func look(_ deadlines: inout Deadlines, _ machine: Machine) throws -> [RecordID] {
        deadlines = try machine.read { [deadlines] in try deadlines.next(of: ["movies"], machine.policy, in: $0) }
        return deadlines.readable.map(\.id)
    }

    @Test func `what is from the future no more is read once, and again only after a long time`() throws {
        let machine = try Machine()
        let ahead = Stamp(physical: Machine.start + 3 * Self.minute, counter: 0, node: Machine.other)
        machine.put(1, Machine.film(1, "ahead", ahead))
        try machine.goLive()
        #expect(try machine.quarantine() == [.futureStamp])
        var deadlines = Deadlines()
        #expect(try look(&deadlines, machine).isEmpty && deadlines.wait == Self.minute)
        try machine.pass(2 * Self.minute)
        #expect(try look(&deadlines, machine) == [Machine.id(1)] && deadlines.wait == Self.minute)
        // Something else has changed what waits: that is no reason to ask again.
        #expect(try look(&deadlines, machine).isEmpty && deadlines.wait == Self.minute)
        try machine.pass(Self.tenMinutes + 5)
        #expect(try look(&deadlines, machine) == [Machine.id(1)])
    }

    @Test func `nothing has its time before the server has said what time it has`() throws {
        let machine = try Machine.live(1)
        let at = RFC3339.text(Machine.start + Self.tenMinutes)
        try machine.edit(
            #"{"op":"update","id":"\#(Machine.id(0))","at":"\#(at)","fields":{"title":"later"}}"#)
        var policy = machine.policy
        policy.wall += 2 * Self.tenMinutes
        policy.serverIsKnown = false
        let looked = try machine.read { try Deadlines().next(of: ["movies"], policy, in: $0) }
        #expect(!looked.isHoldDue && looked.wait == Self.minute)
        policy.serverIsKnown = true
        #expect(try machine.read { try Deadlines().next(of: ["movies"], policy, in: $0) }.isHoldDue)
    }

    @Test func `an edit from the future waits no longer than is allowed now`() throws {
        let machine = try Machine.live(1)
        let at = RFC3339.text(Machine.start + Self.tenMinutes)
        try machine.edit(
            #"{"op":"update","id":"\#(Machine.id(0))","at":"\#(at)","fields":{"title":"later"}}"#)
        var policy = machine.policy
        let wait = try machine.read { try Deadlines().next(of: ["movies"], policy, in: $0) }
        #expect(!wait.isHoldDue)
        policy.maxAhead = 2 * Self.tenMinutes
        let due = try machine.read { try Deadlines().next(of: ["movies"], policy, in: $0) }
        #expect(due.isHoldDue)
    }

    @Test func `a tombstone whose time has come leaves quarantine, also where the record has a key that can't be read`()
        throws
    {
        let machine = try Machine()
        try machine.goLive()
        let key = Machine.id(1).description.lowercased()
        machine.server.put(key, Machine.film(1, "lower"))
        try machine.tell(key)
        try machine.settle()
        let ahead = RemoteValue.tombstone(
            stamp: Stamp(physical: Machine.start + 3 * Self.minute, counter: 0, node: Machine.other), ended: nil)
        machine.server.put(Machine.id(1).description, ahead, in: Machine.tombstones)
        try machine.tell(Machine.id(1), in: Machine.tombstones)
        #expect(try machine.quarantine() == [.futureStamp])
        machine.server.put(key, .unreadable(Defect(.unreadableRecord, "text")))
        try machine.tell(key)
        try machine.settle()
        #expect(try machine.quarantine() == [.futureStamp, .unreadableRecord])
        try machine.pass(3 * Self.minute)
        try machine.take(.readAgain([Machine.id(1)]))
        try machine.settle()
        #expect(try machine.quarantine() == [.unreadableRecord])
    }
}
