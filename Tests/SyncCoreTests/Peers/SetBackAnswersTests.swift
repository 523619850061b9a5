import SyncCore
import SyncModel
import Testing

/// Who answers whether what a remote lacks, since it was set back, was deleted. A node that comes after this one has written
/// back what was older can't see any more that it was set back, and takes what is missing for deleted.
struct SetBackAnswersTests {
    typealias Machine = MachineUnderTest

    /// One that asks about a film which the remote lacks.
    private func asking(_ pull: PullMode) throws -> Machine {
        let machine = try Machine.live(30, pull)
        let copy = machine.server
        try makeFilm(machine)
        try machine.setBack(to: copy)
        #expect(try machine.holds() == [.massDelete])
        return machine
    }

    /// Another node makes a film, a minute before the remote is set back.
    private func makeFilm(_ machine: Machine) throws {
        machine.put(40, Machine.film(40, "New", Machine.stamp(140)))
        try machine.tell(Machine.id(40))
        try machine.settle()
        try machine.pass(60_000)
    }

    /// Another node tells that the film was deleted.
    private func tellDelete(_ machine: Machine, _ stamp: Stamp) throws {
        machine.server.put(Machine.id(40).description, .tombstone(stamp: stamp, ended: nil), in: Machine.tombstones)
        try machine.tell(Machine.id(40), in: Machine.tombstones)
        try machine.settleAndShow()
    }

    @Test(arguments: [PullMode.full, .incremental], [false, true])
    func `a person does, not a node that has taken it for deleted`(pull: PullMode, approved: Bool) throws {
        let machine = try asking(pull)
        try tellDelete(machine, Machine.stamp(140).successor)
        #expect(try machine.holds() == [.massDelete] && machine.title(40) == "New")
        try machine.setBack(to: machine.server, restarting: true)
        #expect(try machine.holds() == [.massDelete] && machine.title(40) == "New")
        try machine.decide(.massDelete, approved: approved)
        try machine.settleAndShow()
        #expect(try machine.holds() == [] && machine.title(40) == (approved ? nil : "New"))
        #expect(try machine.titleThere(40) == machine.title(40))
    }

    @Test(arguments: [PullMode.full, .incremental])
    func `whoever has deleted it knowingly does, too`(pull: PullMode) throws {
        let machine = try asking(pull)
        try tellDelete(machine, Machine.stamp(100))
        #expect(try machine.holds() == [] && machine.title(40) == nil)
    }

    @Test(arguments: [false, true])
    func `what shows that it was set back is left for others to see until all of it is judged`(isLong: Bool) throws {
        let machine = try Machine.live(30, .full)
        let copy = machine.server
        machine.put(2, Machine.film(2, "Edited", Machine.stamp(140)))
        machine.put(40, Machine.film(40, "New", Machine.stamp(140)))
        try machine.tell(all: [2, 40])
        try machine.settle()
        machine.server = copy
        for keyspace in [Machine.records, Machine.tombstones] { try machine.reconnect(keyspace) }
        try machine.snapshot()
        try machine.settle()
        #expect(try machine.title(2) == "Edited" && machine.titleThere(2) == "F2")
        if isLong {
            // The tombstones do not come: the others have had their time.
            try machine.pass(20_000)
            try machine.settle()
            #expect(machine.titleThere(2) == "Edited")
        }
        try machine.snapshot(Machine.tombstones)
        try machine.settle()
        #expect(try machine.titleThere(2) == "Edited" && machine.holds() == [.massDelete])
    }

    /// An app has removed many before: that is another question, which another node may have answered.
    @Test(arguments: [PullMode.full, .incremental])
    func `nor does it where a person is asked about other deletes already`(pull: PullMode) throws {
        let machine = try Machine.live(30, pull)
        for number in UInt64(0)..<12 { machine.put(number, .absent) }
        try machine.take(.reconcile)
        if pull == .full { try machine.tell(all: Array(0..<12)) }
        try machine.settle()
        #expect(try machine.holds() == [.massDelete])
        let copy = machine.server
        try makeFilm(machine)
        try machine.setBack(to: copy)
        #expect(try machine.holds() == [.massDelete, .massDelete])
        try tellDelete(machine, Machine.stamp(140).successor)
        #expect(try machine.holds() == [.massDelete, .massDelete] && machine.title(40) == "New")
    }

    /// The remote was emptied, or one record written over all, and an older copy of it was put back.
    @Test(arguments: [PullMode.full, .incremental], [HoldKind.emptyRemote, .rootIsOneRecord])
    func `nor about what is missing from a copy that was put back over what was lost`(
        pull: PullMode, kind: HoldKind
    ) throws {
        let machine = try Machine.live(30, pull)
        let copy = machine.server
        try makeFilm(machine)
        var lost = copy
        for key in lost.keys() { lost.put(key, .absent) }
        if kind == .rootIsOneRecord {
            for key in ["identifier", "title"] { lost.put(key, .unreadable(Defect(.unreadableRecord, "text"))) }
        }
        try machine.setBack(to: lost)
        #expect(try machine.holds() == [kind])
        try machine.setBack(to: copy)
        #expect(try machine.holds() == [kind] && machine.title(3) == "F3")
        // The keys that stood in the place of all are gone again.
        try machine.pass(20_000)
        let left = kind == .rootIsOneRecord ? HoldKind.massDelete : kind
        try tellDelete(machine, Machine.stamp(140).successor)
        #expect(try machine.holds() == [left] && machine.title(40) == "New")
        try machine.decide(left, approved: false)
        try machine.settleAndShow()
        #expect(try machine.holds() == [] && machine.titleThere(40) == "New")
    }
}
