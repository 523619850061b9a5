import LocalStore
import SyncCore
import SyncModel
import Testing

/// What is dated two days ahead, wherever it is met: `docs/protocol.md` section 3.
struct FutureTests {
    typealias Machine = MachineUnderTest

    static let days: UInt64 = 2 * 86_400_000
    private let ahead = Stamp(physical: Machine.start + days, counter: 0, node: Machine.other)

    /// Nothing has moved the clock, all waits in quarantine, and nothing is written over it.
    private func expectWaiting(_ machine: Machine, writes: Int = 0) throws {
        #expect(try machine.clock().physical < Machine.start + 60_000)
        #expect(try machine.quarantine() == [.futureStamp])
        #expect(machine.calls.count(where: \.isWrite) == writes && machine.open.isEmpty)
    }

    /// A stream shows a delete of film 1 from the future.
    private func tellOfDelete(_ machine: Machine) throws {
        machine.server.put(
            Machine.id(1).description, .tombstone(stamp: ahead, ended: nil), in: Machine.tombstones)
        try machine.tell(Machine.id(1), in: Machine.tombstones)
    }

    private func waitForIt(_ machine: Machine) throws {
        try machine.pass(Self.days)
        try machine.take(.readAgain([Machine.id(1)]))
        try machine.settle()
    }

    @Test func `a record that a stream shows waits, with what this node has for its key`() throws {
        let machine = try Machine()
        machine.put(1, Machine.film(1, "ahead", ahead))
        try machine.goLive()
        try machine.edit(Machine.create(1, "mine"))
        try expectWaiting(machine)
        #expect(try machine.title(1) == "mine" && machine.record(1).pending == .blocked)
        try waitForIt(machine)
        #expect(try machine.quarantine().isEmpty && machine.title(1) == "ahead")
        #expect(try machine.counts().conflicts == 1 && machine.record(1).pending == .no)
    }

    @Test(arguments: [false, true])
    func `what waits goes on waiting while the clocks can't agree, whatever is shown, unless the server's is approved`(
        isApproved: Bool
    ) throws {
        let machine = try Machine()
        let near = Stamp(physical: Machine.start + 3_600_000, counter: 0, node: Machine.other)
        machine.put(1, Machine.film(1, "ahead", near))
        try machine.goLive()
        let at = RFC3339.text(near.physical)
        try machine.edit(Machine.create(2, "mine"))
        try machine.edit(#"{"op":"update","id":"\#(Machine.id(2))","fields":{"title":"later"},"at":"\#(at)"}"#)
        machine.offset = 3 * 3_600_000
        try machine.read { _ = try ClockWrong.check(machine.policy, serverIsKnown: true, in: $0) }
        if isApproved { try machine.decide(.clockWrong, approved: true) }
        let due = try machine.read { try Deadlines().next(of: ["movies"], machine.policy, in: $0) }
        #expect(due.isHoldDue == isApproved && due.readable.isEmpty == !isApproved)
        try machine.read { try Deadlines.expire(in: $0, machine.applier) }
        try machine.tell(Machine.id(1))
        // What is above it is as far ahead.
        machine.put(3, Machine.film(3, "above it", near.successor))
        try machine.tell(Machine.id(3))
        try machine.settle()
        let titles = try [UInt64(1), 2, 3].map { try machine.title($0) }
        #expect(titles == (isApproved ? ["ahead", "later", "above it"] : [nil, "mine", nil]))
        guard !isApproved else { return }
        #expect(try machine.quarantine() == [.futureStamp, .futureStamp])
        #expect(try machine.clock().physical < Machine.start + 60_000)
        machine.offset = 0
        try waitForIt(machine)
        #expect(try machine.title(1) == "ahead")
    }

    @Test func `a delete that is dropped comes back while it stands there`() throws {
        let machine = try Machine()
        machine.fill(2)
        try machine.goLive()
        try tellOfDelete(machine)
        try expectWaiting(machine)
        try machine.read { transaction in
            for item in try transaction.quarantined(after: 0, limit: 9) {
                try transaction.release(item, machine.applier.context("movies"))
            }
        }
        #expect(try machine.quarantine().isEmpty)
        try machine.take(.readAgain([Machine.id(1)], tombstones: true))
        try machine.settle()
        try expectWaiting(machine)
    }

    @Test func `a known record that becomes one stays as it was`() throws {
        let machine = try Machine()
        machine.fill(2)
        try machine.goLive()
        machine.put(1, Machine.film(1, "ahead", ahead))
        try machine.tell(Machine.id(1))
        try machine.edit(Machine.update(1, "mine"))
        try expectWaiting(machine)
        #expect(try machine.title(1) == "mine")
        try waitForIt(machine)
        #expect(try machine.title(1) == "ahead")
    }

    @Test func `an old tombstone of the same record does not end the wait`() throws {
        let machine = try Machine()
        try machine.goLive()
        machine.put(1, Machine.film(1, "ahead", ahead))
        try machine.tell(Machine.id(1))
        let old = RemoteValue.tombstone(stamp: Machine.stamp(90_000), ended: nil)
        machine.server.put(Machine.id(1).description, old, in: Machine.tombstones)
        try machine.tell(Machine.id(1), in: Machine.tombstones)
        try machine.settle()
        try expectWaiting(machine)
        try waitForIt(machine)
        #expect(try machine.quarantine().isEmpty && machine.title(1) == "ahead")
    }

    @Test func `a tombstone that waits is not forgotten where the record comes back`() throws {
        let machine = try Machine()
        machine.fill(2)
        try machine.goLive()
        let soon = Stamp(physical: Machine.start + 120_000, counter: 0, node: Machine.other)
        machine.server.put(
            Machine.id(1).description, .tombstone(stamp: soon, ended: nil), in: Machine.tombstones)
        try machine.tell(Machine.id(1), in: Machine.tombstones)
        machine.put(1, Machine.film(1, "back"))
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(try machine.quarantine() == [.futureStamp])
        try machine.pass(180_000)
        try machine.take(.readAgain([Machine.id(1)]))
        try machine.settle()
        #expect(try machine.quarantine().isEmpty && machine.record(1).state.tombstone?.stamp == soon)
    }

    @Test func `a tombstone of a stream deletes nothing before its time`() throws {
        let machine = try Machine()
        machine.fill(2)
        try machine.goLive()
        try tellOfDelete(machine)
        try expectWaiting(machine)
        #expect(try machine.title(1) == "F1")
    }

    @Test(arguments: [PullMode.full, .incremental], [false, true])
    func `one that ends before its time deletes what is gone with it`(pull: PullMode, byStream: Bool) throws {
        let machine = try Machine(pull: pull)
        machine.fill(9)
        try machine.goLive()
        try tellOfDelete(machine)
        machine.put(1, .absent)
        if byStream { try machine.tell(Machine.id(1)) }
        try machine.settle()
        #expect(try machine.quarantine() == [.futureStamp] && machine.title(1) == "F1")
        machine.server.put(Machine.id(1).description, .absent, in: Machine.tombstones)
        try machine.tell(Machine.id(1), in: Machine.tombstones)
        try machine.settle()
        #expect(try machine.quarantine().isEmpty && machine.title(1) == nil)
    }

    @Test func `and when that has come it deletes the record, also where that is still there`() throws {
        let machine = try Machine()
        machine.fill(2)
        try machine.goLive()
        try tellOfDelete(machine)
        try waitForIt(machine)
        #expect(try machine.quarantine().isEmpty && machine.title(1) == nil)
        #expect(machine.titleThere(1) == nil)
    }

    @Test func `nor does the record's absence end its wait, also for a moment`() throws {
        let machine = try Machine()
        machine.fill(2)
        try machine.goLive()
        try tellOfDelete(machine)
        machine.put(1, .absent)
        try machine.tell(Machine.id(1))
        #expect(try machine.quarantine() == [.futureStamp])
        try machine.settle()
        #expect(try machine.quarantine() == [.futureStamp])
    }

    @Test func `nor one that is read after an absence`() throws {
        let machine = try Machine()
        machine.fill(9)
        try machine.goLive()
        machine.server.put(
            Machine.id(1).description, .tombstone(stamp: ahead, ended: nil), in: Machine.tombstones)
        machine.put(1, .absent)
        try machine.tell(Machine.id(1))
        try machine.settle()
        try expectWaiting(machine)
        #expect(try machine.title(1) == "F1")
        try waitForIt(machine)
        #expect(try machine.title(1) == nil && machine.quarantine().isEmpty)
        #expect(try machine.record(1).state.known.deletion == ahead)
    }

    @Test func `a refused write that shows one is not repeated`() throws {
        let machine = try Machine()
        machine.fill(2)
        try machine.goLive()
        try machine.edit(Machine.update(1, "mine"))
        try machine.answer()
        machine.put(1, Machine.film(1, "ahead", ahead))
        try machine.settle()
        try expectWaiting(machine, writes: 1)
        #expect(try machine.title(1) == "mine")
        try waitForIt(machine)
        #expect(try machine.title(1) == "ahead")
    }

    @Test func `a refused tombstone that shows one is not repeated`() throws {
        let machine = try Machine()
        machine.fill(2)
        try machine.goLive()
        try machine.edit(Machine.delete(1))
        machine.server.put(
            Machine.id(1).description, .tombstone(stamp: ahead, ended: nil), in: Machine.tombstones)
        try machine.settle()
        try expectWaiting(machine, writes: 1)
        #expect(machine.titleThere(1) == "F1")
    }
}
