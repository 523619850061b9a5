import LocalStore
import SyncCore
import SyncModel
import Testing

/// Holds: nothing changes before the decision, and what each answer does (`docs/protocol.md` section 10).
struct BrakeTests {
    typealias Machine = MachineUnderTest

    private func numbers(_ count: UInt64) -> Range<UInt64> { 0..<count }

    /// An app deletes a film, and the stream tells.
    private func appDeletes(_ number: UInt64, _ machine: Machine) throws {
        machine.put(number, .absent)
        try machine.tell(Machine.id(number))
        try machine.settle()
    }

    // MARK: massDelete

    @Test func `deletes one by one are counted within a minute of the clock that only goes forward`() throws {
        let machine = try Machine.live(20)
        for number in numbers(5) { try appDeletes(number, machine) }
        #expect(try machine.counts().records == 15 && machine.holds().isEmpty)
        try appDeletes(5, machine)
        #expect(try machine.holds() == [.massDelete] && machine.title(5) == "F5")
        machine.wall += 7_200_000
        try appDeletes(6, machine)
        #expect(try machine.title(6) == "F6")
        // The reason tells how many wait now.
        #expect(try machine.read { try $0.holds().map(\.reason) } == ["the remote would delete 2 of 15 movies"])
        try machine.pass(60_000)
        try appDeletes(7, machine)
        #expect(try machine.title(7) == nil && machine.title(6) == "F6" && machine.holds() == [.massDelete])
        #expect(machine.titleThere(5) == nil && machine.titleThere(6) == nil)
    }

    @Test func `too many that are missing from a snapshot are not even asked for`() throws {
        let machine = try Machine.live(20)
        for number in numbers(8) { machine.put(number, .absent) }
        try machine.reconnect()
        let asked = machine.calls.count
        try machine.snapshot()
        #expect(machine.calls.count == asked)
        #expect(try machine.holds() == [.massDelete] && machine.counts().records == 20)
        // Everything else keeps flowing, and what is there again waits no more.
        try machine.edit(Machine.update(0, "mine"), Machine.update(10, "mine"))
        machine.put(1, Machine.film(1, "back", Machine.stamp(40_000)))
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(machine.titleThere(10) == "mine" && machine.titleThere(0) == nil)
        #expect(try machine.title(1) == "back" && machine.read { try $0.held(Machine.key(1)).isEmpty })
        #expect(try machine.read { try $0.holds().map(\.reason) } == ["the remote would delete 7 of 20 movies"])
        try machine.decide(.massDelete, approved: true)
        try machine.settle()
        #expect(try machine.title(2) == nil && machine.title(0) == "mine" && machine.counts().records == 14)
        #expect(machine.titleThere(0) == "mine")
    }

    @Test func `deletes with a stamped tombstone don't count`() throws {
        let machine = try Machine.live(20)
        for number in numbers(12) {
            let key = Machine.id(number).description
            machine.server.put(key, .tombstone(stamp: Machine.stamp(40_000), ended: nil), in: Machine.tombstones)
            machine.put(number, .absent)
        }
        try machine.reconnect(Machine.tombstones)
        try machine.snapshot(Machine.tombstones)
        try machine.reconnect()
        try machine.snapshot()
        try machine.settle()
        #expect(try machine.holds().isEmpty && machine.counts().records == 8)
    }

    @Test(arguments: [true, false])
    func `too many of a journal wait with the edits behind them`(isApproved: Bool) throws {
        let machine = try Machine.live(20)
        let deletes = numbers(8).map { Machine.delete($0) }
        try machine.edit(
            deletes[0], deletes[1], deletes[2], deletes[3], deletes[4], deletes[5], Machine.create(0, "again"))
        #expect(try machine.holds() == [.massDelete] && machine.counts().records == 20)
        #expect(machine.calls.isEmpty)
        try machine.decide(.massDelete, approved: isApproved)
        try machine.settle()
        #expect(machine.titleThere(0) == "again" && (machine.titleThere(1) == nil) == isApproved)
        #expect(try machine.counts().records == (isApproved ? 15 : 20) && machine.counts().pending == 0)
    }

    @Test func `one record that a journal deletes and makes again all the time waits for nobody`() throws {
        let machine = try Machine(key: KeyTemplate([.init("film"), .init("uid")]))
        try machine.goLive()
        for _ in 0..<12 {
            try machine.edit(#"{"op":"create","fields":{"title":"T","film":"1","uid":"local"}}"#)
            try machine.settle()
            #expect(machine.titleThere("1/local") == "T")
            try machine.edit(#"{"op":"delete","id":"1/local"}"#)
            try machine.settle()
            #expect(try machine.holds().isEmpty && machine.titleThere("1/local") == nil)
        }
    }

    @Test func `what another node has edited since a journal's delete was held stays`() throws {
        let machine = try Machine.live(20)
        let deletes = numbers(8).map { Machine.delete($0) }
        try machine.edit(deletes[0], deletes[1], deletes[2], deletes[3], deletes[4], deletes[5])
        #expect(try machine.holds() == [.massDelete])
        machine.put(1, Machine.film(1, "theirs", Machine.stamp(0)))
        try machine.tell(Machine.id(1))
        try machine.decide(.massDelete, approved: true)
        try machine.settle()
        #expect(machine.titleThere(1) == "theirs" && machine.titleThere(2) == nil)
        #expect(try machine.title(1) == "theirs" && machine.counts().pending == 0)
    }

    // MARK: emptyRemote

    @Test(arguments: [true, false])
    func `a snapshot that is empty changes nothing before a decision`(isApproved: Bool) throws {
        let machine = try Machine.live(9)
        for number in numbers(9) { machine.put(number, .absent) }
        try machine.reconnect()
        try machine.snapshot()
        try machine.edit(Machine.create(20, "new"), Machine.update(1, "mine"))
        try machine.settle()
        #expect(try machine.holds() == [.emptyRemote] && machine.counts().records == 10)
        #expect(machine.server.keys() == [Machine.id(20).description])
        try machine.decide(.emptyRemote, approved: isApproved)
        try machine.settle()
        let left: [UInt64] = isApproved ? [1, 20] : Array(numbers(9)) + [20]
        #expect(machine.server.keys() == left.map { Machine.id($0).description })
        #expect(try machine.title(1) == "mine" && machine.titleThere(1) == "mine")
        #expect(try machine.counts().records == left.count && machine.counts().pending == 0)
    }

    @Test func `an empty remote that nothing is known of is just empty`() throws {
        let machine = try Machine.live(0)
        try machine.reconnect()
        try machine.snapshot()
        #expect(try machine.holds().isEmpty)
    }

    // MARK: Holds that end

    @Test func `an edit from the future holds back the record until its time has come, then is pushed`() throws {
        let machine = try Machine.live(2)
        let at = RFC3339.text(Machine.start + 7_200_000)
        try machine.edit(#"{"op":"update","id":"\#(Machine.id(1))","fields":{"title":"later"},"at":"\#(at)"}"#)
        try machine.edit(Machine.update(1, "behind it"))
        #expect(try machine.holds() == [.futureEdit] && machine.title(1) == "F1")
        #expect(machine.calls.isEmpty)
        try machine.pass(7_200_000)
        try machine.read { try Deadlines.expire(in: $0, machine.applier) }
        try machine.take(.edited([Machine.id(1)]))
        try machine.settle()
        #expect(try machine.title(1) == "behind it" && machine.holds().isEmpty)
        #expect(machine.titleThere(1) == "behind it")
    }

    @Test func `what a hold names is not pushed, and is when the hold ends`() throws {
        let machine = try Machine.live(2)
        let context = BookContext(merge: MergeRules(), keepsTombstones: true, time: machine.policy)
        let hold = try machine.read { book in
            let hold = try book.raise(Hold(.sessionEnded, .push, reason: "old", since: 1))
            try book.attach(Machine.key(5), to: hold, context)
            return hold
        }
        try machine.edit(Machine.create(5, "A"), Machine.create(6, "B"))
        try machine.settle()
        #expect(machine.titleThere(5) == nil && machine.titleThere(6) == "B")
        #expect(try machine.record(5).pending == .blocked)
        _ = try machine.read { try $0.end(hold: hold) { _ in context } }
        try machine.take(.edited([Machine.id(5)]))
        try machine.settle()
        #expect(machine.titleThere(5) == "A")
    }
}
