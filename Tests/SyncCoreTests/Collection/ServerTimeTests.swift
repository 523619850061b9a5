import LocalStore
import SyncCore
import SyncModel
import Testing

/// `pull: incremental` where clocks were ahead for a time.
struct ServerTimeTests {
    typealias Machine = MachineUnderTest

    private func told(_ machine: Machine) -> Bool {
        machine.notes.contains { if case .serverTimeSetBack = $0 { true } else { false } }
    }

    /// Another node writes a film at this time of the server.
    private func node(_ machine: Machine, _ title: String, at time: UInt64, stamp: Stamp = Machine.stamp(900)) {
        machine.server.time = time
        machine.put(1, Machine.film(1, title, stamp))
    }

    @Test(arguments: [(8_000, true), (50_000, true), (0, false)] as [(Int64, Bool)], [true, false])
    func `a server whose clock is set back behind what it has written is compared with`(
        back: (by: Int64, isNoticed: Bool), isRestart: Bool
    ) throws {
        let machine = try Machine.live(3, .incremental)
        node(machine, "before", at: machine.wall)
        try machine.tell(Machine.id(1))
        try machine.settle()
        machine.offset -= back.by
        // Written while no stream was open.
        node(machine, "after", at: UInt64(Int64(machine.wall) - back.by), stamp: Machine.stamp(800))
        if isRestart {
            try machine.restart()
            try machine.take(.start)
        } else {
            try machine.reconnect()
        }
        try machine.settleAndShow()
        try machine.settleWithPauses()
        #expect(told(machine) == back.isNoticed)
        #expect(try machine.title(1) == "after")
    }

    @Test func `so it is after a stop before that is done, when the server has reached the time again`() throws {
        let machine = try Machine.live(3, .incremental)
        node(machine, "before", at: machine.wall)
        try machine.tell(Machine.id(1))
        try machine.settle()
        machine.offset -= 20_000
        node(machine, "after", at: machine.wall - 20_000, stamp: Machine.stamp(800))
        for keyspace in machine.settings.keyspaces(of: "movies") { try machine.reconnect(keyspace) }
        try machine.settle()
        for keyspace in machine.settings.keyspaces(of: "movies") { try machine.snapshotOfChanges(keyspace) }
        #expect(told(machine) && !machine.open.isEmpty)
        machine.offset = 0
        try machine.restart()
        try machine.take(.start)
        try machine.settleAndShow()
        #expect(try machine.title(1) == "after")
    }

    @Test func `a remote whose data was set back with its clock is asked about`() throws {
        let machine = try Machine.live(6, .incremental)
        machine.server.time = machine.wall - 20
        machine.put(5, .absent)
        let key = Machine.id(5).description
        let copy = machine.server
        machine.server.time = machine.wall - 10
        machine.server.put(key, .tombstone(stamp: Machine.stamp(100), ended: nil), in: Machine.tombstones)
        try machine.tell(Machine.id(5), in: Machine.tombstones)
        try machine.tell(Machine.id(5))
        machine.server.time = machine.wall
        machine.put(7, Machine.film(7, "new", Machine.stamp(90)))
        try machine.tell(Machine.id(7))
        try machine.settle()
        machine.offset -= 40_000
        try machine.setBack(to: copy)
        try machine.settleWithPauses()
        #expect(try machine.holds() == [.massDelete] && machine.title(7) == "new")
    }

    @Test func `what could not be read twice, and then can be, keeps the cursor no more`() throws {
        let machine = try Machine.live(3, .incremental)
        let (now, defect) = (machine.wall, Defect(.unreadableRecord, "text"))
        for time in [now + 10, now + 20] {
            machine.server.time = time
            machine.put(1, .unreadable(defect))
            try machine.tell(Machine.id(1))
            #expect(try machine.cursor() ?? 0 < time)
        }
        node(machine, "mended", at: now + 30)
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(try machine.cursor() == now + 30 && machine.title(1) == "mended")
    }

    @Test func `a time that is ahead a little takes no cursor ahead`() throws {
        let machine = try Machine.live(3, .incremental)
        let now = machine.wall
        node(machine, "ahead", at: now + 55_000)
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(try machine.cursor() ?? .max <= now && machine.title(1) == "ahead")
        try machine.reconnect()
        try machine.settleAndShow()
        #expect(!told(machine))
    }

    @Test(arguments: [true, false])
    func `a comparison of keys that was noted by a clock that was ahead is done anew`(isAhead: Bool) throws {
        let machine = try Machine.live(3, .incremental)
        let noted = isAhead ? machine.wall + 30 * 86_400_000 : machine.wall
        try machine.read { try $0.setText("reconciled.movies", String(noted)) }
        try machine.restart()
        let before = machine.calls.count
        try machine.take(.start)
        try machine.settleAndShow()
        #expect(machine.calls.dropFirst(before).contains(.keys(Machine.records)) == isAhead)
        #expect(try machine.read { try $0.text("reconciled.movies") } == String(machine.wall))
    }
}
