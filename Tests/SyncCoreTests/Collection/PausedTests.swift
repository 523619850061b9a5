import SyncCore
import SyncModel
import Testing

/// A pause holds for what is under way too.
struct PausedTests {
    typealias Machine = MachineUnderTest

    @Test func `a first load ends where the pull is paused, and begins anew`() throws {
        let machine = try Machine(pull: .incremental)
        machine.fill(2500)
        try machine.take(.start)
        try machine.take(.paused([.pull]))
        try machine.settle()
        #expect(machine.streams[Machine.records]?.after == nil)
        #expect(try machine.counts().records == 0)
        try machine.take(.paused([]))
        try machine.settle()
        #expect(try machine.counts().records == 2500)
        #expect(machine.streams[Machine.records]?.after != nil)
    }

    @Test func `a refused batch is not halved while the push is paused`() throws {
        let machine = try Machine.live(2)
        try machine.edit((10..<20).map { Machine.create($0, "new") })
        try machine.take(.paused([.push]))
        try machine.answer(RemoteError(.tooLarge, "too large"))
        #expect(machine.open.allSatisfy { !$0.call.isWrite })
        try machine.take(.paused([]))
        try machine.settleWithPauses()
        #expect(try machine.counts().pending == 0)
    }

    @Test func `no stray key is removed after the push is paused, and all are once it goes on`() throws {
        let machine = try Machine.live(3)
        for number: UInt64 in 0..<3 { machine.put(number, .absent) }
        for key in ["identifier", "title"] { machine.server.put(key, .record(fields: [:], stamps: nil)) }
        try machine.reconnect()
        try machine.snapshot()
        try machine.settle()
        #expect(try machine.holds() == [.rootIsOneRecord])
        try machine.decide(.rootIsOneRecord, approved: false)
        try machine.take(.retryNow)
        #expect(machine.open.contains { $0.call == .read("title", Machine.records) })
        try machine.take(.paused([.push]))
        try machine.settle()
        #expect(machine.server.keys().contains("title"))
        try machine.take(.paused([]))
        try machine.settleWithPauses()
        #expect(machine.server.keys() == (0..<3).map { Machine.id($0).description })
    }
}
