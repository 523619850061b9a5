import LocalStore
import SyncCore
import SyncModel
import Testing

/// `pull: incremental`: the lists of keys that are compared with the base.
struct KeyListTests {
    typealias Machine = MachineUnderTest

    private func live(_ count: UInt64, keepsTombstones: Bool) throws -> Machine {
        let machine = try Machine(pull: .incremental, keepsTombstones: keepsTombstones)
        machine.fill(count)
        try machine.goLive()
        return machine
    }

    private func lists(_ machine: Machine) -> Int { machine.calls.count { $0 == .keys(Machine.records) } }

    @Test func `one is asked for at a time, and what was pushed meanwhile is missing from none`() throws {
        let machine = try live(20, keepsTombstones: false)
        let before = lists(machine)
        try machine.take(.reconcile)
        let old = CollectionMachine.Answer.keys(machine.server.keys())
        let list = try #require(machine.open.lastIndex { $0.call == .keys(Machine.records) })
        let request = machine.take(open: list)
        try machine.take(.reconcile)
        #expect(lists(machine) == before + 1)
        for number: UInt64 in 30..<54 { try machine.edit(Machine.create(number, "new")) }
        try machine.settle()
        try machine.take(.answered(request: request.number, .success(old)))
        #expect(lists(machine) == before + 2)
        try machine.settleWithPauses()
        #expect(try machine.holds().isEmpty && machine.counts().records == 44 && machine.server.keys().count == 44)
    }

    @Test func `what one shows again leaves the hold that says it is gone`() throws {
        let machine = try live(20, keepsTombstones: true)
        for number: UInt64 in 0..<8 { machine.put(number, .absent) }
        try machine.take(.reconcile)
        try machine.settle()
        #expect(try machine.holds() == [.massDelete])
        for number: UInt64 in 0..<8 { machine.put(number, Machine.film(number, "F\(number)", Machine.stamp(50_000))) }
        try machine.take(.reconcile)
        try machine.settleWithPauses()
        #expect(try machine.holds().isEmpty && machine.counts().records == 20)
    }

    @Test func `a list that comes while the stream is being opened anew tells of no database that was set back`() throws
    {
        let machine = try live(20, keepsTombstones: false)
        machine.put(1, Machine.film(1, "newest", Machine.stamp(1)))
        try machine.tell(Machine.id(1))
        try machine.settleWithPauses()
        try machine.take(.reconcile)
        let list = try #require(machine.open.lastIndex { $0.call == .keys(Machine.records) })
        let request = machine.take(open: list)
        try machine.reconnect()
        try machine.take(.answered(request: request.number, .success(.keys(machine.server.keys()))))
        try machine.snapshot()
        try machine.settleWithPauses()
        let warnings = machine.notes.count { if case .setBack = $0 { true } else { false } }
        #expect(warnings == 0)
    }

    private func isPage(_ request: CollectionMachine.Request) -> Bool {
        if case .readRange = request.call { true } else { false }
    }

    @Test func `one that is answered while everything is loaded anew is asked for again`() throws {
        let machine = try live(12, keepsTombstones: true)
        try machine.showChanges()
        let copy = machine.server
        for number: UInt64 in 20...23 {
            try machine.pass(20_000)
            machine.put(number, Machine.film(number, "new", Machine.stamp(1000 - number)))
            try machine.tell(Machine.id(number))
        }
        try machine.take(.reconcile)
        let old = CollectionMachine.Answer.keys(machine.server.keys())
        let request = machine.take(open: try #require(machine.open.lastIndex { $0.call == .keys(Machine.records) }))
        try machine.comeBack(to: copy, restarting: false)
        try machine.showChanges()
        while let place = machine.open.firstIndex(where: { !isPage($0) }) { try machine.answer(number: place) }
        try machine.take(.answered(request: request.number, .success(old)))
        let asked = lists(machine)
        try machine.settle()
        try machine.showChanges()
        try machine.settleWithPauses()
        #expect(lists(machine) == asked + 1)
        try machine.edit(Machine.create(40, "later"))
        try machine.settleWithPauses()
        #expect(machine.titleThere(40) == "later")
    }

    /// With tombstones their stream tells of what nodes delete.
    @Test(arguments: [false, true])
    func `who waits until both sides are equal waits for their keys, where nothing else tells of deletes`(
        keepsTombstones: Bool
    ) throws {
        let machine = try Machine(pull: .incremental, keepsTombstones: keepsTombstones)
        machine.fill(12)
        try machine.goLive()
        machine.server.put(Machine.id(3).description, .absent)
        let before = lists(machine)
        try machine.take(.retryNow)
        #expect(machine.machine.unconfirmed == (keepsTombstones ? 0 : 1))
        // Somebody else asks while the first answer is on its way.
        try machine.take(.retryNow)
        if !keepsTombstones {
            try machine.answer()
            #expect(machine.machine.unconfirmed > 0)
        }
        try machine.settle()
        #expect(lists(machine) == before + (keepsTombstones ? 0 : 2) && machine.machine.unconfirmed == 0)
        #expect(try machine.title(3) == (keepsTombstones ? "F3" : nil))
    }
}
