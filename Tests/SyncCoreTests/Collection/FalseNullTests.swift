import SyncCore
import SyncModel
import Testing

/// A `null` without the ETag that was asked for is nobody's delete: `docs/protocol.md` section 8.
struct FalseNullTests {
    typealias Machine = MachineUnderTest

    private func says(noETag machine: Machine) -> Bool {
        machine.notes.contains { if case .failed(let error, _) = $0 { error.code.word == "noETag" } else { false } }
    }

    /// Answers for ten minutes, and gives how often was asked.
    private func tenMinutes(_ machine: Machine) throws -> Int {
        let before = machine.calls.count
        for _ in 0..<600 {
            try machine.settle()
            try machine.pass(1000)
        }
        return machine.calls.count - before
    }

    @Test func `a film whose reading is answered with it stays, and is read again`() throws {
        let machine = try Machine.live(2)
        machine.server.answersNull = true
        machine.put(1, Machine.film(1, "app's"))
        try machine.tell(Machine.id(1))
        #expect(try tenMinutes(machine) < 30 && says(noETag: machine))
        #expect(try machine.title(1) == "F1" && machine.holds().isEmpty)
        #expect(machine.server.keys(Machine.tombstones).isEmpty)
        machine.server.answersNull = false
        try machine.pass(60_000)
        try machine.settle()
        #expect(try machine.title(1) == "app's")
    }

    @Test func `a film that is gone is deleted when the answer has its ETag`() throws {
        let machine = try Machine.live(2)
        machine.server.hidesETags = true
        machine.put(1, .absent)
        try machine.tell(Machine.id(1))
        #expect(try tenMinutes(machine) < 30 && machine.title(1) == "F1")
        machine.server.hidesETags = false
        try machine.pass(60_000)
        try machine.settle()
        #expect(try machine.title(1) == nil && machine.title(0) == "F0")
    }

    @Test func `a tombstone that nobody sees is not taken for none`() throws {
        let machine = try Machine.live(2)
        let deleted = Machine.stamp(10_000)
        machine.put(1, .absent)
        machine.server.put(
            Machine.id(1).description, .tombstone(stamp: deleted, ended: nil), in: Machine.tombstones)
        try machine.tell(Machine.id(1))
        try machine.answer()
        machine.server.answersNull = true
        try machine.answer()
        #expect(try machine.title(1) == "F1")
        machine.server.answersNull = false
        try machine.pass(60_000)
        try machine.settle()
        #expect(try machine.record(1).state.known.deletion == deleted)
    }

    @Test func `of a page that shows nothing every film is read by itself`() throws {
        let machine = try Machine.live(100)
        for number in 0..<90 as Range<UInt64> { machine.put(number, Machine.film(number, "app's")) }
        try machine.reconnect()
        try machine.snapshot()
        machine.server.answersNull = true
        try machine.settle()
        #expect(machine.calls.contains { if case .readRange = $0 { true } else { false } })
        #expect(try machine.counts().records == 100 && machine.holds().isEmpty)
        machine.server.answersNull = false
        try machine.pass(60_000)
        try machine.settle()
        #expect(try machine.title(89) == "app's" && machine.counts().records == 100)
    }

    @Test func `a horizon that nobody sees is asked for again before anything is pushed`() throws {
        let machine = try Machine(key: .uuid)
        machine.server.answersNull = true
        try machine.goLive()
        try machine.edit(Machine.create(1, "A"))
        try machine.settle()
        #expect(machine.server.keys().isEmpty && says(noETag: machine))
        machine.server.answersNull = false
        try machine.pass(60_000)
        try machine.settle()
        #expect(machine.titleThere(1) == "A")
    }
}
