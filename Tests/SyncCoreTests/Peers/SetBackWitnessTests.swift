import SyncCore
import SyncModel
import Testing

/// `pull: incremental`: several of the newest writes tell whether the remote was set back, for others may have written one of
/// them once more, or deleted it.
struct SetBackWitnessTests {
    typealias Machine = MachineUnderTest

    private func write(_ machine: Machine, _ number: UInt64, _ title: String, _ before: UInt64) throws {
        try machine.pass(20_000)
        machine.put(number, Machine.film(number, title, Machine.stamp(before)))
        try machine.tell(Machine.id(number))
    }

    /// Three films are edited, one after the other.
    private func edit(_ machine: Machine) throws {
        for number: UInt64 in [2, 3, 4] { try write(machine, number, "Edited", 1000 - number) }
        try machine.pass(20_000)
    }

    /// A film is edited twice, and another one made in between.
    ///
    /// - Returns: the remote as it was after the first edit, but for what this node has told of itself.
    private func editTwice(_ machine: Machine) throws -> ServerUnderTest {
        try write(machine, 5, "Before", 995)
        try write(machine, 2, "Once", 990)
        var copy = machine.server
        try write(machine, 20, "New", 980)
        try write(machine, 2, "Twice", 970)
        copy.peers = machine.server.peers
        return copy
    }

    private func isSetBack(_ machine: Machine) -> Bool {
        machine.notes.contains { if case .setBack = $0 { true } else { false } }
    }

    @Test(arguments: [false, true], [false, true])
    func `whoever writes the newest once more hides nothing`(restarting: Bool, keepsTombstones: Bool) throws {
        let machine = try Machine.live(12, .incremental, keepsTombstones: keepsTombstones)
        var copy = machine.server
        try edit(machine)
        copy.time = machine.wall
        copy.put(Machine.id(4).description, Machine.film(4, "Others", Machine.stamp(100)))
        try machine.setBack(to: copy, restarting: restarting)
        #expect(isSetBack(machine))
        #expect(machine.titleThere(2) == "Edited" && machine.titleThere(4) == "Others")
    }

    @Test(arguments: [false, true])
    func `what an app has deleted is none where what was written later is there`(restarting: Bool) throws {
        let machine = try Machine.live(12, .incremental)
        try edit(machine)
        machine.put(3, .absent)
        try machine.setBack(to: machine.server, restarting: restarting)
        #expect(!isSetBack(machine))
        machine.put(4, .absent)
        try machine.setBack(to: machine.server, restarting: restarting)
        #expect(isSetBack(machine))
    }

    @Test func `nor is it where what was written with it is there`() throws {
        let machine = try Machine.live(12, .incremental)
        try machine.pass(20_000)
        for number: UInt64 in [2, 3] { machine.put(number, Machine.film(number, "Edited", Machine.stamp(900))) }
        try machine.tell(all: [2, 3])
        machine.put(3, .absent)
        try machine.setBack(to: machine.server, restarting: true)
        #expect(!isSetBack(machine))
    }

    @Test func `nor where only the last one was edited once more`() throws {
        let machine = try Machine.live(12, .incremental)
        try edit(machine)
        machine.put(4, Machine.film(4, "Others", Machine.stamp(100)))
        try machine.setBack(to: machine.server, restarting: true)
        #expect(try !isSetBack(machine) && machine.title(4) == "Others")
    }

    /// The cursor lies below what is awaited, so that the changes may show an older version.
    @Test(arguments: [false, true])
    func `what is missing waits where the changes have shown an older version`(restarting: Bool) throws {
        let machine = try Machine.live(12, .incremental)
        let copy = try editTwice(machine)
        try machine.setBack(to: copy, restarting: restarting)
        #expect(try machine.holds() == [.massDelete] && machine.title(20) == "New")
        #expect(machine.titleThere(2) == "Twice")
    }

    @Test(arguments: [false, true])
    func `one that is shown as it was earlier is not shown`(restarting: Bool) throws {
        let machine = try Machine.live(12, .incremental)
        try write(machine, 5, "Before", 995)
        try write(machine, 2, "Once", 990)
        let copy = machine.server
        try write(machine, 2, "Twice", 970)
        try machine.setBack(to: copy, restarting: restarting)
        #expect(isSetBack(machine) && machine.titleThere(2) == "Twice")
    }

    @Test func `nor is one that was written here since it was shown`() throws {
        let machine = try Machine.live(12, .incremental)
        try write(machine, 2, "Others", 990)
        let copy = machine.server
        try machine.pass(20_000)
        for number: UInt64 in [3, 2] {
            try machine.edit(Machine.update(number, "Mine"))
            try machine.settle()
        }
        try machine.setBack(to: copy, restarting: true)
        #expect(isSetBack(machine) && machine.titleThere(3) == "Mine" && machine.titleThere(2) == "Mine")
    }

    @Test func `what was made since waits where only a tombstone is gone`() throws {
        let machine = try Machine.live(12, .incremental)
        var copy = machine.server
        try write(machine, 20, "New", 980)
        try machine.pass(20_000)
        machine.server.put(
            Machine.id(3).description, .tombstone(stamp: Machine.stamp(500), ended: nil), in: Machine.tombstones)
        machine.put(3, .absent)
        for keyspace in [Machine.tombstones, Machine.records] { try machine.tell(Machine.id(3), in: keyspace) }
        try machine.settle()
        copy.peers = machine.server.peers
        try machine.setBack(to: copy, restarting: true)
        #expect(try machine.holds() == [.massDelete] && machine.title(20) == "New")
        #expect(try machine.title(3) == nil && machine.titleThere(3) == nil)
    }

    @Test func `an own edit that was shown while something could not be read is none`() throws {
        let machine = try Machine.live(12, .incremental)
        try machine.pass(20_000)
        machine.put(50, .unreadable(Defect(.unreadableRecord, "text")))
        try machine.tell(Machine.id(50))
        try machine.settle()
        try machine.pass(20_000)
        try machine.edit(Machine.update(2, "Mine"))
        try machine.settle()
        try machine.tell(Machine.id(2))
        try machine.setBack(to: machine.server, restarting: true)
        #expect(try !isSetBack(machine) && machine.title(2) == "Mine")
    }

    /// The horizon is not known while the other stream is not open.
    @Test func `nothing is written over an older version before it is judged, also where the stream is cut`() throws {
        let machine = try Machine.live(12, .incremental)
        machine.server = try editTwice(machine)
        for keyspace in [Machine.tombstones, Machine.records] { try machine.reconnect(keyspace) }
        try machine.snapshotOfChanges()
        try machine.settle()
        #expect(machine.titleThere(2) == "Once")
        try machine.reconnect()
        for _ in 0..<2 { try machine.settleAndShow() }
        #expect(try machine.holds() == [.massDelete] && machine.title(20) == "New")
        #expect(machine.titleThere(2) == "Twice")
    }
}
