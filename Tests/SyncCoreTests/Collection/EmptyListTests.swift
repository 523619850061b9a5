import SyncCore
import SyncModel
import Testing

/// A list of keys that is empty: the hold `emptyRemote` (`docs/protocol.md` section 10).
struct EmptyListTests {
    typealias Machine = MachineUnderTest

    private func showsNothing(_ pull: PullMode) throws -> Machine {
        let machine = try Machine.live(9, pull: pull)
        try machine.take(.reconcile)
        try machine.answer(with: .keys([]))
        #expect(try machine.holds() == [.emptyRemote])
        return machine
    }

    @Test(arguments: [PullMode.full, .incremental])
    func `one that something else has shown is forgotten as soon as a record is read`(pull: PullMode) throws {
        let machine = try showsNothing(pull)
        try machine.settleWithPauses()
        #expect(try machine.holds().isEmpty && machine.counts().records == 9 && machine.counts().pending == 0)
    }

    @Test(arguments: [PullMode.full, .incremental])
    func `one that is true is a question`(pull: PullMode) throws {
        let machine = try showsNothing(pull)
        for number in UInt64(0)..<9 { machine.put(number, .absent) }
        let asked = machine.calls.count
        try machine.settleWithPauses()
        #expect(try machine.holds() == [.emptyRemote] && machine.counts().records == 9)
        #expect(machine.calls.count <= asked + 2)
    }
}
