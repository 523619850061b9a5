import SyncCore
import SyncModel
import Testing

/// `pull: incremental`, and a remote that shows nothing of what it has in an older state than before.
struct SetBackTests {
    typealias Machine = MachineUnderTest

    private func write(_ machine: Machine, _ number: UInt64, _ title: String) throws {
        try machine.pass(20_000)
        machine.put(number, Machine.film(number, title, Machine.stamp(1000 - number)))
        try machine.tell(Machine.id(number))
    }

    private func delete(_ machine: Machine, _ number: UInt64) throws {
        try machine.pass(20_000)
        let key = Machine.id(number).description
        machine.server.put(key, .tombstone(stamp: Machine.stamp(500), ended: nil), in: Machine.tombstones)
        machine.put(number, .absent)
        try machine.tell(Machine.id(number), in: Machine.tombstones)
        try machine.tell(Machine.id(number))
        try machine.settle()
    }

    /// The stream goes down, the server is what it was then, and the streams are opened again.
    private func setBack(_ machine: Machine, to server: ServerUnderTest, restarting: Bool) throws {
        try machine.comeBack(to: server, restarting: restarting)
        try machine.showChanges()
        if machine.streams[Machine.records] != nil { try machine.settle() }
        if isSetBack(machine) { try machine.showChanges() }
    }

    private func isSetBack(_ machine: Machine) -> Bool { alarms(machine) > 0 }

    private func alarms(_ machine: Machine) -> Int {
        machine.notes.count { if case .setBack = $0 { true } else { false } }
    }

    @Test(arguments: [false, true])
    func `what it has in an older version is written again, and what it lacks waits`(restarting: Bool) throws {
        let machine = try Machine.live(12, .incremental)
        let copy = machine.server
        for number: UInt64 in 20...23 { try write(machine, number, "New") }
        try write(machine, 2, "Edited")
        try setBack(machine, to: copy, restarting: restarting)
        #expect(isSetBack(machine))
        #expect(machine.titleThere(2) == "Edited")
        #expect(try machine.holds() == [.massDelete] && machine.title(20) == "New")
    }

    @Test(arguments: [false, true])
    func `even one that it lacks waits where another is there in an older version`(restarting: Bool) throws {
        let machine = try Machine.live(12, .incremental)
        let copy = machine.server
        try write(machine, 20, "New")
        try write(machine, 2, "Edited")
        try setBack(machine, to: copy, restarting: restarting)
        #expect(try machine.holds() == [.massDelete] && machine.title(20) == "New")
        #expect(machine.titleThere(2) == "Edited")
        // Once that is decided a delete is one again.
        try machine.decide(.massDelete, approved: false)
        try machine.settle()
        machine.put(5, .absent)
        try machine.take(.reconcile)
        try machine.settle()
        #expect(try machine.holds() == [] && machine.title(5) == nil)
    }

    @Test(arguments: [false, true])
    func `what was acknowledged, and not shown yet, tells too`(restarting: Bool) throws {
        let machine = try Machine.live(12, .incremental)
        let copy = machine.server
        try machine.pass(20_000)
        let fresh: ClosedRange<UInt64> = 30...32
        try machine.edit(fresh.map { Machine.create($0, "fresh") })
        try machine.settle()
        #expect(fresh.allSatisfy { machine.titleThere($0) == "fresh" })
        try setBack(machine, to: copy, restarting: restarting)
        #expect(isSetBack(machine))
        #expect(try machine.holds() == [.massDelete] && fresh.allSatisfy { try machine.title($0) == "fresh" })
        try machine.decide(.massDelete, approved: false)
        try machine.settle()
        #expect(fresh.allSatisfy { machine.titleThere($0) == "fresh" })
    }

    @Test(arguments: [false, true])
    func `a delete that was acknowledged, and not shown yet, tells too`(restarting: Bool) throws {
        let machine = try Machine.live(12, .incremental)
        let copy = machine.server
        try machine.pass(20_000)
        try machine.edit(Machine.delete(3))
        try machine.settle()
        #expect(machine.titleThere(3) == nil)
        try setBack(machine, to: copy, restarting: restarting)
        #expect(isSetBack(machine))
        try machine.settle()
        #expect(try machine.titleThere(3) == nil && machine.title(3) == nil)
    }

    @Test(arguments: [false, true])
    func `nor does what the stream has shown before the answer came`(isRemoval: Bool) throws {
        let machine = try Machine.live(12, .incremental)
        try machine.pass(20_000)
        try machine.edit(isRemoval ? Machine.delete(3) : Machine.create(30, "fresh"))
        while !machine.open.isEmpty {
            let request = machine.take(open: 0)
            let answer = machine.server.answer(request.call)
            for keyspace in [Machine.tombstones, Machine.records] {
                try machine.tell(Machine.id(isRemoval ? 3 : 30), in: keyspace)
            }
            try machine.take(.answered(request: request.number, answer))
        }
        try write(machine, 40, "New")
        try delete(machine, 5)
        try machine.settle()
        for restarting in [false, true] { try setBack(machine, to: machine.server, restarting: restarting) }
        #expect(!isSetBack(machine))
    }

    @Test func `what was shown since tells nothing`() throws {
        let machine = try Machine.live(12, .incremental)
        try machine.pass(20_000)
        try machine.edit(Machine.create(30, "fresh"))
        try machine.settle()
        try machine.tell(Machine.id(30))
        machine.put(30, .absent)
        machine.server.put(
            Machine.id(30).description, .tombstone(stamp: Machine.stamp(5_000), ended: nil), in: Machine.tombstones)
        try setBack(machine, to: machine.server, restarting: true)
        #expect(try !isSetBack(machine) && machine.title(30) == nil)
    }

    @Test(arguments: [false, true])
    func `where no tombstones are kept, what stands there and was not shown tells`(restarting: Bool) throws {
        let machine = try Machine.live(12, .incremental, keepsTombstones: false)
        let copy = machine.server
        try write(machine, 20, "New")
        try write(machine, 2, "Edited")
        try setBack(machine, to: copy, restarting: restarting)
        #expect(isSetBack(machine))
        #expect(machine.titleThere(2) == "Edited")
    }

    @Test func `where none are kept, a delete by others is nothing of that`() throws {
        let machine = try Machine.live(12, .incremental, keepsTombstones: false)
        try write(machine, 2, "Edited")
        machine.put(2, .absent)
        try setBack(machine, to: machine.server, restarting: true)
        #expect(try !isSetBack(machine) && machine.title(2) == nil)
    }

    @Test func `a delete that it has forgotten tells too`() throws {
        let machine = try Machine.live(12, .incremental)
        let copy = machine.server
        try delete(machine, 2)
        try setBack(machine, to: copy, restarting: true)
        #expect(try machine.title(2) == nil && machine.titleThere(2) == nil)
        #expect(machine.server.keys(Machine.tombstones) == [Machine.id(2).description])
        // Once is enough.
        try setBack(machine, to: machine.server, restarting: true)
        try setBack(machine, to: machine.server, restarting: false)
        #expect(alarms(machine) == 1)
    }

    @Test(arguments: [false, true])
    func `tombstones that it has forgotten are written again, also of what was made since`(restarting: Bool) throws {
        let machine = try Machine.live(12, .incremental)
        let copy = machine.server
        try write(machine, 20, "New")
        for number: UInt64 in [20, 3, 4] { try delete(machine, number) }
        try setBack(machine, to: copy, restarting: restarting)
        #expect(machine.server.keys(Machine.tombstones).count == 3 && machine.server.keys().count == 10)
        #expect(try machine.counts().records == 10)
        try setBack(machine, to: machine.server, restarting: true)
        #expect(alarms(machine) == 1)
    }

    @Test(arguments: [false, true])
    func `a stream that is cut before the other one is there changes nothing of that`(isKilled: Bool) throws {
        let machine = try Machine.live(12, .incremental)
        var copy = machine.server
        for number: UInt64 in 20...23 { try write(machine, number, "New") }
        // What this node has told of itself says nothing here.
        copy.peers = machine.server.peers
        machine.server = copy
        for keyspace in [Machine.tombstones, Machine.records] { try machine.reconnect(keyspace) }
        try machine.snapshotOfChanges()
        // Another node writes meanwhile.
        try write(machine, 5, "Others")
        if isKilled { try machine.restart() } else { try machine.reconnect() }
        if isKilled { try machine.take(.start) }
        try machine.showChanges()
        #expect(isSetBack(machine))
    }

    @Test func `where the keys can't be listed, what was loaded has to do`() throws {
        let machine = try Machine.live(12, .incremental)
        let copy = machine.server
        try write(machine, 20, "New")
        try write(machine, 2, "Edited")
        machine.server = copy
        for keyspace in [Machine.tombstones, Machine.records] { try machine.reconnect(keyspace) }
        try machine.showChanges()
        for keyspace in [Machine.tombstones, Machine.records] {
            try machine.snapshotOfChanges(keyspace)
        }
        #expect(machine.open.contains { $0.call == .keys(Machine.records) })
        while machine.open.first?.call != .keys(Machine.records) { try machine.answer() }
        try machine.answer(RemoteError(.denied, "no lists"))
        try machine.settle()
        try machine.pass(60_000)
        try machine.settle()
        #expect(machine.titleThere(2) == "Edited")
    }

    @Test(arguments: [false, true])
    func `also by a node that has seen nothing but its first load`(restarting: Bool) throws {
        let machine = try Machine(pull: .incremental)
        machine.fill(12)
        var copy = machine.server
        try machine.pass(60_000)
        for number: UInt64 in 20...23 { machine.put(number, Machine.film(number, "New", Machine.stamp(1000 - number))) }
        copy.time = machine.server.time
        try machine.take(.start)
        try machine.settle()
        try machine.showChanges()
        #expect(try machine.counts().records == 16 && !isSetBack(machine))
        try setBack(machine, to: copy, restarting: restarting)
        #expect(try isSetBack(machine) && machine.holds() == [.massDelete])
    }

    @Test func `one that has become empty is noticed`() throws {
        let machine = try Machine.live(12, .incremental)
        try write(machine, 2, "Edited")
        try setBack(machine, to: ServerUnderTest(), restarting: false)
        #expect(try machine.holds() == [.emptyRemote] && machine.counts().records == 12)
    }

    @Test func `a daemon that is killed meanwhile begins again`() throws {
        let machine = try Machine.live(12, .incremental)
        let copy = machine.server
        for number: UInt64 in 20...23 { try write(machine, number, "New") }
        machine.server = copy
        try machine.restart()
        try machine.take(.start)
        try machine.showChanges()
        #expect(isSetBack(machine))
        try machine.snapshotOfChanges()
        #expect(machine.machine.unconfirmed > 0)
        try setBack(machine, to: copy, restarting: true)
        #expect(try machine.holds() == [.massDelete])
    }

    @Test(arguments: [false, true])
    func `an edit or a delete before the stream went down is nothing of that`(isDelete: Bool) throws {
        let machine = try Machine.live(12, .incremental)
        try write(machine, 3, "Edited")
        if isDelete { try delete(machine, 3) }
        try setBack(machine, to: machine.server, restarting: true)
        try setBack(machine, to: machine.server, restarting: false)
        #expect(!isSetBack(machine))
        #expect(try machine.holds() == [])
    }

    @Test func `a delete that others made while the stream was down is none either`() throws {
        let machine = try Machine.live(12, .incremental)
        try write(machine, 3, "Edited")
        var server = machine.server
        server.put(Machine.id(3).description, .absent)
        server.time = machine.wall + 1000
        server.put(
            Machine.id(3).description, .tombstone(stamp: Machine.stamp(500), ended: nil), in: Machine.tombstones)
        try setBack(machine, to: server, restarting: true)
        #expect(try !isSetBack(machine) && machine.title(3) == nil)
    }

    @Test func `a tombstone that has ended is none`() throws {
        let machine = try Machine.live(12, .incremental)
        try delete(machine, 3)
        var server = machine.server
        server.put(Machine.id(3).description, .absent, in: Machine.tombstones)
        server.horizon = Machine.stamp(400)
        try setBack(machine, to: server, restarting: false)
        #expect(!isSetBack(machine))
    }
}
