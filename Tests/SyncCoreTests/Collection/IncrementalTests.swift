import LocalStore
import SyncCore
import SyncModel
import Testing

/// `pull: incremental`: the first load in pages, and a cursor that never is ahead of what it stands for.
struct IncrementalTests {
    typealias Machine = MachineUnderTest

    /// A machine whose first load is over.
    private func live(_ count: UInt64, keepsTombstones: Bool = true) throws -> Machine {
        let machine = try Machine(pull: .incremental, keepsTombstones: keepsTombstones)
        machine.fill(count)
        try machine.goLive()
        return machine
    }

    /// An app changes a film at this time of the server.
    private func app(_ machine: Machine, _ number: UInt64, _ title: String, at time: UInt64) {
        machine.server.time = time
        machine.put(number, Machine.film(number, title))
    }

    private func node(_ machine: Machine, _ number: UInt64, _ title: String, at time: UInt64) {
        machine.server.time = time
        machine.put(number, Machine.film(number, title, Machine.stamp(1000 - number)))
    }

    @Test func `the first cursor starts from the server's clock, which is asked for first`() throws {
        let machine = try Machine(pull: .incremental)
        machine.serverIsKnown = false
        machine.fill(3)
        try machine.take(.start)
        #expect(
            Set(machine.calls)
                == Set([Machine.records, Machine.tombstones].map { .readRange(from: nil, through: nil, limit: 1, $0) }))
        machine.serverIsKnown = true
        try machine.settle()
        #expect(machine.streams[Machine.records]?.after == machine.wall - 70_000)
        #expect(try machine.counts().records == 3)
    }

    @Test func `pages follow each other, and one that is too large is halved`() throws {
        let machine = try Machine(pull: .incremental, keepsTombstones: false)
        machine.fill(1500)
        try machine.take(.start)
        try machine.answer(RemoteError(.tooLarge, "more than fits"))
        try machine.answer(RemoteError(.tooLarge, "more than fits"))
        try machine.settle()
        let limits = machine.calls.compactMap { call -> Int? in
            if case .readRange(_, _, let limit, _) = call { limit } else { nil }
        }
        #expect(limits.prefix(3) == [1000, 500, 250] && limits.count <= 8)
        #expect(try machine.counts().records == 1500)
    }

    @Test func `the first cursor is stored only when all that the load hinted at is answered`() throws {
        let machine = try live(3)
        app(machine, 1, "app's", at: machine.wall)
        let known = try machine.cursor()
        // The state lost its cursors: everything is loaded again, over what is known.
        try machine.read { book in
            try book.removeValue("cursor.records.movies")
            try book.removeValue("cursor.tombstones.movies")
        }
        try machine.restart()
        try machine.take(.start)
        while case .readRange? = machine.open.first?.call { try machine.answer() }
        try machine.snapshotOfChanges()
        #expect(!machine.open.isEmpty)
        #expect(try known != nil && machine.cursor() == nil)
        try machine.settle()
        #expect(try machine.title(1) == "app's" && machine.cursor() != nil)
    }

    @Test func `within a snapshot, which is not in the order of times, the cursor does not move`() throws {
        let machine = try live(3)
        let before = try machine.cursor()
        try machine.reconnect()
        let now = machine.wall
        for (number, time) in [(0, now + 50), (1, now + 10)] as [(UInt64, UInt64)] {
            node(machine, number, "new", at: time)
        }
        let entries = [0, 1, 2].map { RemoteEvent.snapshotEntry(machine.server.entry(Machine.id($0).description)) }
        try machine.events([.snapshotBegan, entries[0]])
        #expect(try machine.title(0) == "new" && machine.cursor() == before)
        try machine.events([entries[1], entries[2], .snapshotEnded(entries: 3)])
        #expect(try machine.cursor() == now + 50)
    }

    @Test func `a time that is ahead of the server's clock moves nothing`() throws {
        let machine = try live(3)
        let (now, before) = (machine.wall, try machine.cursor())
        node(machine, 1, "ahead", at: 9_000_000_000_000_000)
        try machine.tell(Machine.id(1))
        machine.server.put(
            Machine.id(2).description, .tombstone(stamp: Machine.stamp(900), ended: nil), in: Machine.tombstones)
        try machine.tell(Machine.id(2), in: Machine.tombstones)
        try machine.settle()
        #expect(try machine.title(1) == "ahead" && machine.title(2) == nil && machine.cursor() == before)
        #expect(try machine.read { try $0.appliedTombstones(of: "movies") } <= now)
        node(machine, 0, "new", at: now + 50)
        try machine.tell(Machine.id(0))
        #expect(try machine.cursor() == now + 50)
    }

    @Test func `not even when it is past: what was written until then was perhaps not shown`() throws {
        let machine = try live(3)
        let (now, before) = (machine.wall, try machine.cursor())
        node(machine, 1, "ahead", at: now + 70_000)
        try machine.tell(Machine.id(1))
        // Written since, while the stream says nothing any more.
        node(machine, 0, "unshown", at: now + 30_000)
        try machine.pass(75_000)
        #expect(try machine.cursor() == before)
        try machine.reconnect()
        let after = try #require(machine.streams[Machine.records]?.after)
        #expect(after <= now + 30_000)
    }

    @Test func `while the clocks can't agree no time moves it`() throws {
        let machine = try live(3)
        let (now, before) = (machine.wall, try machine.cursor())
        machine.offset = 600_000
        node(machine, 1, "ahead", at: now + 600_000)
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(try machine.title(1) == "ahead" && machine.cursor() == before)
        machine.offset = 0
        node(machine, 0, "new", at: now + 50)
        try machine.tell(Machine.id(0))
        #expect(try machine.cursor() == now + 50)
    }

    @Test func `what is shown while the clocks can't agree moves it once they do`() throws {
        let machine = try live(3)
        let (now, before) = (machine.wall, try machine.cursor())
        machine.offset = 600_000
        node(machine, 1, "new", at: now + 50)
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(try machine.title(1) == "new" && machine.cursor() == before)
        machine.offset = 0
        try machine.pass(1000)
        #expect(try machine.cursor() == now + 50)
    }

    @Test func `also where many are, the latest counts`() throws {
        let machine = try live(300)
        let now = machine.wall
        machine.offset = 600_000
        for number in 0..<300 as Range<UInt64> { node(machine, number, "new", at: now + number) }
        try machine.tell(all: 0..<300)
        try machine.settle()
        machine.offset = 0
        try machine.pass(1000)
        #expect(try machine.cursor() == now + 299)
    }

    @Test func `what is ahead for a clock that is behind moves it once that is set`() throws {
        let machine = try live(0)
        try machine.restart()
        let (now, hour) = (machine.wall, 3_600_000 as UInt64)
        machine.wall -= hour
        machine.serverIsKnown = false
        try machine.goLive()
        let before = try machine.cursor()
        machine.server.time = now
        machine.put(9, Machine.film(9, "new", Machine.stamp(2 * hour)))
        try machine.tell(Machine.id(9))
        #expect(try machine.cursor() == before)
        machine.wall += hour
        machine.serverIsKnown = true
        try machine.pass(1000)
        #expect(try machine.cursor() == now)
    }

    @Test(arguments: [600_000, -600_000] as [Int64])
    func `the first load begins by the clock that is behind, where they can't agree`(offset: Int64) throws {
        let machine = try Machine(pull: .incremental)
        machine.offset = offset
        machine.fill(3)
        try machine.take(.start)
        try machine.settle()
        let behind = machine.wall - UInt64(max(0, -offset))
        #expect(machine.streams[Machine.records]?.after == behind - 70_000)
    }

    @Test func `it does not pass a hint before the hint is answered`() throws {
        let machine = try live(3)
        let now = machine.wall
        let before = try machine.cursor()
        app(machine, 1, "app's", at: now + 10)
        try machine.tell(Machine.id(1))
        node(machine, 2, "new", at: now + 50)
        try machine.tell(Machine.id(2))
        #expect(try machine.title(2) == "new")
        #expect(try (machine.cursor() ?? 0) <= now + 10 && machine.cursor() ?? 0 >= before ?? 0)
        // Killed here, the app's write is shown again.
        #expect(machine.open.count == 1)
        try machine.restart()
        try machine.take(.start)
        #expect(machine.streams[Machine.records]?.after ?? .max <= now + 10)
        try machine.snapshot()
        try machine.snapshot(Machine.tombstones)
        try machine.settle()
        #expect(try machine.title(1) == "app's" && machine.cursor() ?? 0 >= now + 50)
    }

    @Test func `it commits with what it stands for`() throws {
        let machine = try live(3)
        let now = machine.wall
        node(machine, 2, "new", at: now + 50)
        try machine.tell(Machine.id(2))
        #expect(try machine.cursor() == now + 50)
        try machine.restart()
        #expect(try machine.title(2) == "new")
        try machine.take(.start)
        // What was written before it is shown once more, too: one alone tells little.
        #expect(machine.streams[Machine.records]?.after == now)
    }

    @Test func `the keys of both sides are compared, so that a delete without a tombstone is found`() throws {
        let machine = try live(9)
        machine.put(1, .absent)
        machine.put(20, Machine.film(20, "never shown", Machine.stamp(40_000)))
        try machine.pass(86_400_000)
        try machine.settle()
        #expect(try machine.title(1) == nil && machine.title(20) == "never shown")
        #expect(machine.calls.contains(.keys(Machine.records)))
    }

    @Test func `what an app has put back before its deletion is approved is not left there alone`() throws {
        let machine = try live(20)
        for number: UInt64 in 0..<8 { machine.put(number, .absent) }
        try machine.pass(86_400_000)
        try machine.settle()
        #expect(try machine.holds() == [.massDelete])
        app(machine, 1, "Put back", at: machine.wall)
        try machine.decide(.massDelete, approved: true)
        try machine.settleWithPauses()
        #expect(try machine.title(1) == "Put back" && machine.titleThere(1) == "Put back")
        #expect(try machine.counts().records == 13)
    }

    @Test func `what was pushed since the keys were asked for is not missing from them`() throws {
        let machine = try live(0, keepsTombstones: false)
        try machine.edit(Machine.create(1, "Alien"))
        try machine.take(.reconcile)
        #expect(machine.open.map(\.call).last == .keys(Machine.records))
        try machine.answer()
        try machine.tell(Machine.id(1))
        try machine.answer(with: .keys([]))
        try machine.settle()
        #expect(try machine.holds() == [] && machine.title(1) == "Alien")
    }

    @Test(arguments: [PullMode.full, .incremental])
    func `the comparison of the keys knows a base that is one record`(pull: PullMode) throws {
        let machine = try pull == .incremental ? live(3) : Machine()
        if pull == .full {
            machine.fill(3)
            try machine.goLive()
        }
        for number: UInt64 in 0..<3 { machine.put(number, .absent) }
        for key in ["identifier", "title"] { machine.server.put(key, .record(fields: [:], stamps: nil)) }
        try machine.take(.reconcile)
        try machine.settle()
        #expect(try machine.holds() == [.rootIsOneRecord] && machine.counts().records == 3)
        try machine.decide(.rootIsOneRecord, approved: false)
        try machine.settle()
        #expect(machine.server.keys() == (0..<3).map { Machine.id($0).description })
        let asked = machine.calls.count { $0 == .keys(Machine.records) }
        try machine.pass(86_400_000)
        #expect(machine.calls.count { $0 == .keys(Machine.records) } == asked + (pull == .full ? 0 : 1))
    }

    @Test func `once a day they are compared without being asked for`() throws {
        let machine = try live(2)
        try machine.pass(86_400_000 - 1)
        #expect(!machine.calls.contains(.keys(Machine.records)))
        try machine.pass(1)
        #expect(machine.calls.contains(.keys(Machine.records)))
    }

    @Test func `without tombstones, whenever a stream was opened`() throws {
        let machine = try live(9, keepsTombstones: false)
        machine.put(1, .absent)
        try machine.reconnect()
        try machine.snapshotOfChanges()
        try machine.settle()
        #expect(try machine.title(1) == nil)
    }
}
