import LocalStore
import SyncModel
import Testing

@testable import SyncCore

/// The hold `massForeignChange` of what no stream has shown as a whole.
struct ForeignPagesTests {
    typealias Machine = MachineUnderTest

    private func change(_ machine: Machine, _ count: UInt64) {
        for number in 0..<count { machine.put(number, Machine.film(number, "app's")) }
    }

    @Test(arguments: [true, false])
    func `what is loaded in pages is judged as a whole`(isMost: Bool) throws {
        let machine = try Machine(pull: .incremental)
        machine.fill(1500)
        try machine.goLive()
        change(machine, isMost ? 1400 : 1100)
        try machine.read { try $0.setText(CollectionMachine.cursorName(Machine.records), "") }
        try machine.restart()
        try machine.goLive()
        try machine.settleWithPauses()
        #expect(try machine.holds() == (isMost ? [.massForeignChange] : []))
        #expect(try machine.title(0) == (isMost ? "F0" : "app's"))
    }

    @Test(arguments: [true, false])
    func `what a comparison reads again is judged with all else that it has found`(isMost: Bool) throws {
        let machine = try Machine.live(150, pull: .incremental)
        change(machine, isMost ? 130 : 90)
        try machine.take(.readKeys((0..<(isMost ? 130 : 90)).map { Machine.id($0).description }))
        try machine.settleWithPauses()
        #expect(try machine.holds() == (isMost ? [.massForeignChange] : []))
        #expect(try machine.title(0) == (isMost ? "F0" : "app's"))
    }
}
