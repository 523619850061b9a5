import SyncCore
import SyncModel
import Testing

/// Who stamps what an app wrote: `docs/protocol.md` section 9.
struct TurnTests {
    typealias Machine = MachineUnderTest

    /// A machine before which an app has changed a film that another node wrote last.
    private func changed(random: Double = 0.5) throws -> Machine {
        let machine = try Machine()
        machine.random = random
        machine.fill(3)
        try machine.goLive()
        machine.put(1, Machine.film(1, "app's"))
        try machine.tell(Machine.id(1))
        try machine.settle()
        return machine
    }

    private func stampThere(_ machine: Machine) -> Stamp? {
        guard case .record(_, let stamps) = machine.server.entry(Machine.id(1).description).value else { return nil }
        return stamps?.version
    }

    @Test func `the node that wrote the last stamped version stamps it at once`() throws {
        let machine = try Machine()
        machine.fill(3)
        try machine.goLive()
        try machine.edit(Machine.update(1, "mine"))
        try machine.settle()
        machine.put(1, Machine.film(1, "app's"))
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(machine.titleThere(1) == "app's")
        #expect(stampThere(machine)?.node == Machine.me)
    }

    @Test(arguments: [172_800_000, -172_800_000, 30_000])
    func `where this machine's clock is wrong, by the server's`(ahead: Int64) throws {
        let machine = try changed()
        let server = Int64(machine.wall)
        (machine.wall, machine.offset) = (UInt64(server + ahead), -ahead)
        machine.put(1, Machine.film(1, "again"))
        try machine.tell(Machine.id(1))
        try machine.settle()
        try machine.pass(3500)
        try machine.settle()
        let stamp = try #require(stampThere(machine))
        #expect(abs(Int64(stamp.physical) - server) <= 60_000 && stamp.node == Machine.me)
    }

    @Test(arguments: [0, 0.5, 0.999])
    func `the others after two seconds and jitter`(random: Double) throws {
        let machine = try changed(random: random)
        #expect(try machine.title(1) == "app's")
        try machine.pass(1999)
        #expect(machine.open.isEmpty && stampThere(machine) == nil)
        try machine.pass(1501)
        try machine.settle()
        #expect(stampThere(machine)?.node == Machine.me && machine.titleThere(1) == "app's")
    }

    @Test func `their own waiting edits included`() throws {
        let machine = try changed()
        try machine.edit(Machine.update(1, "mine"))
        try machine.pass(1999)
        #expect(machine.open.isEmpty)
        try machine.pass(1501)
        try machine.settle()
        #expect(machine.titleThere(1) == "mine")
    }

    @Test func `not at all when another node did`() throws {
        let machine = try changed()
        let stamp = Machine.stamp(0)
        machine.put(1, Machine.film(1, "app's", stamp))
        try machine.pass(1000)
        try machine.tell(Machine.id(1))
        try machine.settle()
        for _ in 0..<10 { try machine.pass(1000) }
        #expect(machine.calls.count(where: \.isWrite) == 0 && stampThere(machine) == stamp)
        #expect(try machine.title(1) == "app's" && machine.record(1).pending == .no)
    }

    @Test func `an edit over what the app wrote goes above the stamp that another node gave it`() throws {
        let machine = try changed()
        try machine.edit(Machine.update(1, "mine"))
        let stamp = Stamp(physical: machine.wall + 30_000, counter: 0, node: Machine.other)
        machine.put(1, Machine.film(1, "app's", stamp))
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(machine.titleThere(1) == "mine")
        #expect(stampThere(machine) ?? .zero > stamp)
    }

    /// A machine that has stamped nothing of a film that lacks something, whose ETag no stream has shown.
    private func incomplete() throws -> Machine {
        let machine = try Machine()
        machine.put(1, .record(fields: ["title": "app's"], stamps: nil))
        try machine.goLive()
        #expect(machine.calls.isEmpty)
        return machine
    }

    @Test func `where the ETag is not known, the film is read in its turn, and written at once`() throws {
        let machine = try incomplete()
        try machine.pass(3500)
        try machine.settle()
        #expect(machine.calls.map(\.isWrite) == [false, true])
        #expect(stampThere(machine)?.node == Machine.me)
    }

    @Test func `unless the read shows that an app has written again`() throws {
        let machine = try incomplete()
        machine.put(1, .record(fields: ["title": "again"], stamps: nil))
        try machine.pass(3500)
        try machine.settle()
        #expect(machine.calls.count == 1 && stampThere(machine) == nil)
        try machine.pass(3500)
        try machine.settle()
        #expect(stampThere(machine)?.node == Machine.me && machine.titleThere(1) == "again")
    }

    @Test func `a film that only apps wrote, and that lacks nothing, is left as it is`() throws {
        let machine = try Machine()
        machine.put(1, Machine.film(1, "app's"))
        try machine.goLive()
        for _ in 0..<10 { try machine.pass(1000) }
        #expect(machine.calls.isEmpty && stampThere(machine) == nil)
    }
}
