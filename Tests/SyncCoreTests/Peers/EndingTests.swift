import LocalStore
import SyncCore
import SyncModel
import Testing

/// Tombstones end when they are old and every node has applied them.
struct EndingTests {
    private let machine: MachineUnderTest

    private static let day: UInt64 = 86_400_000

    /// A node that has deleted film 1, and has seen that the remote has its tombstone.
    init() throws {
        machine = try MachineUnderTest()
        try machine.goLive()
        try machine.edit(MachineUnderTest.create(1, "Alien"), MachineUnderTest.create(2, "Brazil"))
        try machine.settle()
        try machine.tell(MachineUnderTest.id(1))
        try machine.edit(MachineUnderTest.delete(1))
        try machine.settle()
        try machine.tell(MachineUnderTest.id(1))
        try machine.tell(MachineUnderTest.id(1), in: MachineUnderTest.tombstones)
        try machine.settle()
        #expect(tombstones == 1)
    }

    private var tombstones: Int { machine.server.keys(MachineUnderTest.tombstones).count }

    private func age(_ milliseconds: UInt64) throws {
        try machine.pass(milliseconds)
        try machine.settle()
    }

    private func lag(seen: UInt64, applied: UInt64) {
        machine.server.peers["b"] = RemotePeer(
            node: "b", name: "b", version: "1", seenAt: seen, applied: ["movies": applied])
    }

    @Test func `an old tombstone ends, and the horizon stands for it`() throws {
        let deletion = try #require(try machine.record(1).state.known.deletion)
        try age(machine.keep - 60_000)
        #expect(tombstones == 1)
        machine.answersBeside = false
        let before = machine.calls.count
        try age(120_000)
        #expect(tombstones == 0)
        #expect(machine.server.horizon == deletion)
        #expect(try machine.record(1).row == nil)
        #expect(try machine.counts() == CollectionCounts(records: 1))
        let order = machine.calls[before...].compactMap { call -> String? in
            switch call {
            case .raiseHorizon: "raise"
            case .remove: "remove"
            case .peers: "nodes"
            default: nil
            }
        }
        #expect(order == ["nodes", "raise", "remove"])
        // The stream says so too, which is nothing new.
        try machine.tell(MachineUnderTest.id(1), in: MachineUnderTest.tombstones)
        try machine.settle()
        #expect(tombstones == 0)
        #expect(try machine.record(1).row == nil)
    }

    @Test func `nothing is raised after the push is paused, and the tombstone ends another day`() throws {
        machine.answersBeside = false
        try machine.pass(machine.keep + 60_000)
        while let next = machine.open.first, next.call != .horizon("movies") || tombstones == 0 { try machine.answer() }
        #expect(machine.open.first?.call == .horizon("movies"))
        try machine.take(.paused([.push]))
        try machine.settle()
        #expect(machine.server.horizon == nil && tombstones == 1)
        try machine.take(.paused([]))
        try age(Self.day)
        try age(Self.day)
        #expect(machine.server.horizon != nil && tombstones == 0)
    }

    @Test func `a horizon that went back with the remote is raised before the next one ends`() throws {
        try age(machine.keep + 60_000)
        let horizon = try #require(machine.server.horizon)
        try machine.edit(MachineUnderTest.delete(2))
        try machine.settle()
        try machine.tell(MachineUnderTest.id(2), in: MachineUnderTest.tombstones)
        try machine.settle()
        machine.server.horizon = nil
        try age(machine.keep + 60_000)
        #expect(tombstones == 0)
        #expect(try #require(machine.server.horizon) > horizon)
    }

    @Test func `a horizon that is read lower than it is known is raised again`() throws {
        try age(machine.keep + 60_000)
        let horizon = try #require(machine.server.horizon)
        machine.server.horizon = nil
        try machine.restart()
        try machine.goLive()
        try machine.settle()
        #expect(machine.server.horizon == horizon)
        // One that others have raised further stays.
        let raised = Stamp(physical: horizon.physical + 1, counter: 0, node: NodeID(9))
        machine.server.horizon = raised
        try machine.restart()
        try machine.goLive()
        try machine.settle()
        #expect(machine.server.horizon == raised)
    }

    @Test func `a node that has not applied it is waited for until it was away for too long`() throws {
        try age(machine.keep / 2)
        lag(seen: machine.wall, applied: 5)
        try age(machine.keep / 2 + 20_000)
        #expect(tombstones == 1)
        #expect(machine.server.horizon == nil)
        try age(3_600_000)
        #expect(machine.callsBeside.count { $0 == .peers } == 1, "nobody asks again before something can have changed")
        for _ in 0..<46 { try age(Self.day) }
        #expect(tombstones == 0)
    }

    @Test func `a node that has applied it is not waited for`() throws {
        lag(seen: machine.wall, applied: machine.wall)
        try age(machine.keep + 20_000)
        #expect(tombstones == 0)
    }

    @Test func `a delete with an old stamp is kept as long as any`() throws {
        // Made long ago, and sent only now.
        machine.server.put(
            MachineUnderTest.id(5).description, .tombstone(stamp: MachineUnderTest.stamp(machine.keep * 2), ended: nil),
            in: MachineUnderTest.tombstones)
        try machine.tell(MachineUnderTest.id(5), in: MachineUnderTest.tombstones)
        try age(60_000)
        #expect(tombstones == 2)
        #expect(machine.server.horizon == nil)
        for _ in 0..<92 { try age(Self.day) }
        #expect(tombstones == 0)
    }

    @Test func `one that was from the future ends like any other, though no later one comes`() throws {
        let ahead = Stamp(physical: machine.wall + 2 * Self.day, counter: 0, node: MachineUnderTest.other)
        machine.server.put(
            MachineUnderTest.id(5).description, .tombstone(stamp: ahead, ended: nil), in: MachineUnderTest.tombstones)
        try machine.tell(MachineUnderTest.id(5), in: MachineUnderTest.tombstones)
        try age(2 * Self.day)
        try machine.take(.readAgain([MachineUnderTest.id(5)]))
        try machine.settle()
        #expect(try machine.record(5).state.tombstone?.stamp == ahead)
        try age(machine.keep + 60_000)
        #expect(tombstones == 0)
    }

    @Test func `a tombstone that somebody raised meanwhile stays`() throws {
        machine.keep = 1000
        let raised = Stamp(physical: machine.wall + 3000, counter: 0, node: MachineUnderTest.other)
        try machine.pass(2000)
        // Read, and then raised before it is removed.
        try machine.answer()
        machine.server.put(
            MachineUnderTest.id(1).description, .tombstone(stamp: raised, ended: nil), in: MachineUnderTest.tombstones)
        try machine.settle()
        #expect(tombstones == 1)
        #expect(try machine.record(1).state.tombstone?.stamp == raised)
    }

    @Test func `one that was raised over a record whose disappearance waits explains it`() throws {
        for number: UInt64 in 10..<22 { machine.put(number, MachineUnderTest.film(number, "F")) }
        try machine.edit(MachineUnderTest.create(1, "Alien again"))
        try machine.tell(all: 10..<22)
        try machine.settle()
        try machine.tell(MachineUnderTest.id(1))
        for number: UInt64 in [1] + Array(10..<22) { machine.put(number, .absent) }
        try machine.reconnect()
        try machine.snapshot()
        try machine.settle()
        #expect(try machine.holds() == [.massDelete] && machine.title(1) == "Alien again")
        // The stream did not tell of it.
        let raised = Stamp(physical: machine.wall + 3000, counter: 0, node: MachineUnderTest.other)
        machine.server.put(
            MachineUnderTest.id(1).description, .tombstone(stamp: raised, ended: nil), in: MachineUnderTest.tombstones)
        try age(machine.keep + 60_000)
        #expect(try machine.title(1) == nil)
        let named = try machine.read { book in try book.holds().flatMap { try book.held(by: $0.number) } }
        #expect(named.count == 12 && !named.contains { $0.key == MachineUnderTest.key(1) })
    }

    @Test(arguments: [RemoteError(.unreachable, "x"), RemoteError(.denied, "x"), RemoteError(.outcomeUnknown, "x")])
    func `what fails is tried again after an hour`(error: RemoteError) throws {
        machine.keep = 1000
        try machine.pass(2000)
        try machine.answer(error)
        try machine.settle()
        #expect(tombstones == 1)
        try age(120_000)
        #expect(tombstones == 1)
        try age(3_600_000)
        #expect(tombstones == 0)
    }

    @Test func `nothing ends by a clock that is wrong, also where it is wrong only in the answer`() throws {
        machine.offset = Int64(machine.keep + Self.day)
        try age(60_000)
        #expect(tombstones == 1 && machine.server.horizon == nil && !machine.callsBeside.contains(.peers))
        machine.offset = 0
        machine.answersBeside = false
        try machine.pass(machine.keep + 20_000)
        machine.offset = Int64(machine.keep)
        try machine.settle()
        #expect(tombstones == 1 && machine.server.horizon == nil && machine.calls.contains(.peers))
        machine.offset = 0
        try age(3_600_000)
        #expect(tombstones == 0)
    }

    @Test func `while nothing is old nobody is asked`() throws {
        try age(120_000)
        let (asked, beside) = (machine.calls.count, machine.callsBeside.count)
        for _ in 0..<20 { try age(Self.day) }
        // Once a day the node says that it is there.
        let calls = machine.callsBeside[beside...]
        #expect(calls.allSatisfy { if case .announce = $0 { true } else { false } })
        #expect(calls.count == 20)
        #expect(machine.calls.count == asked)
    }
}
