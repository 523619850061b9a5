import JSONText
import SyncCore
import SyncModel
import Testing

/// A record that somebody moves to another key of the same UUID.
struct RenamedKeyTests {
    typealias Machine = MachineUnderTest

    private static func lower(_ number: UInt64) -> String { Machine.id(number).description.lowercased() }

    /// Moves films, with all that stands there; the stream shows that when `isShown`.
    private func move(_ numbers: some Collection<UInt64>, on machine: Machine, isShown: Bool = true) throws {
        for number in numbers {
            let upper = Machine.id(number).description
            machine.server.put(Self.lower(number), machine.server.entry(upper).value)
            machine.server.put(upper, .absent)
        }
        guard isShown else { return }
        // As in one event: the upper-case keys come first.
        let names = numbers.map { Machine.id($0).description } + numbers.map(Self.lower)
        try machine.events(names.map { .changed(machine.server.entry($0)) })
    }

    @Test(arguments: [1, 20] as [UInt64]) func `what moves to its lower-case key is not deleted`(count: UInt64) throws {
        let machine = try Machine.live(40)
        try move(0..<count, on: machine)
        try machine.settleWithPauses()
        #expect(try machine.counts().records == 40 && machine.holds().isEmpty)
        #expect(machine.titleThere(Self.lower(0)) == "F0")
        try machine.edit(Machine.update(0, "edited"))
        try machine.settleWithPauses()
        #expect(machine.titleThere(Self.lower(0)) == "edited")
    }

    @Test func `what is gone from there, too, is deleted`() throws {
        let machine = try Machine.live(4)
        try move([1], on: machine)
        machine.server.put(Self.lower(1), .absent)
        try machine.settleWithPauses()
        #expect(try machine.counts().records == 3 && machine.title(1) == nil)
    }

    @Test func `where the old key was read before the new one was shown nothing is deleted either`() throws {
        let machine = try Machine.live(4)
        try move([1], on: machine, isShown: false)
        try machine.tell(Machine.id(1).description)
        #expect(!machine.open.isEmpty)
        try machine.tell(Self.lower(1))
        try machine.settleWithPauses()
        #expect(try machine.counts().records == 4 && machine.titleThere(Self.lower(1)) == "F1")
    }
}

extension RenamedKeyTests {
    @Test func `what is gone from both keys counts as a delete, also where the second one waits`() throws {
        let machine = try Machine.live(40)
        try machine.take(.paused([.push]))
        let numbers: [UInt64] = Array(0..<20)
        let uppers = numbers.map { Machine.id($0).description }
        let lowers = uppers.map { $0.lowercased() }
        for (upper, lower) in zip(uppers, lowers) { machine.server.put(lower, machine.server.entry(upper).value) }
        try machine.events(lowers.map { .changed(machine.server.entry($0)) })
        try machine.settleWithPauses()
        for key in uppers + lowers { machine.server.put(key, .absent) }
        try machine.events((uppers + lowers).map { .changed(machine.server.entry($0)) })
        try machine.settleWithPauses()
        #expect(try machine.holds() == [.massDelete] && machine.counts().records == 40)
    }
}
