import JSONText
import SyncCore
import SyncModel
import Testing

/// What identifies a record for apps is in every body, whoever has spoilt it (`docs/protocol.md` sections 6 and 9).
struct IdentifierTests {
    typealias Machine = MachineUnderTest

    /// The film 1 with the stamps that it has and another identifier, or none.
    private func spoil(_ machine: Machine, _ identifier: String?, _ stamps: RemoteStamps?) {
        var fields: [String: JSONValue] = ["title": "F1", "hasWatched": false]
        if let identifier { fields["identifier"] = .string(identifier) }
        machine.put(1, .record(fields: fields, stamps: stamps))
    }

    private func identifier(_ machine: Machine) -> String? {
        guard case .record(let fields, _) = machine.server.entry(Machine.id(1).description).value else { return nil }
        return fields["identifier"]?.text
    }

    private func stamps(_ machine: Machine) -> RemoteStamps? {
        guard case .record(_, let stamps) = machine.server.entry(Machine.id(1).description).value else { return nil }
        return stamps
    }

    @Test(arguments: [nil, "wrong", Machine.id(2).description], [true, false])
    func `is written again under the stamps that an app has kept`(spoilt: String?, isEvent: Bool) throws {
        let machine = try Machine.live(3)
        for _ in 0..<2 {
            spoil(machine, spoilt, stamps(machine))
            if isEvent {
                try machine.events([.touched(key: Machine.id(1).description)])
            } else {
                try machine.reconnect()
                try machine.snapshot()
            }
            for _ in 0..<3 {
                try machine.settle()
                try machine.pass(5000)
            }
            #expect(identifier(machine) == Machine.id(1).description)
            #expect(try machine.title(1) == "F1" && machine.counts().pending == 0)
        }
        let asked = machine.calls.count
        try machine.reconnect()
        try machine.snapshot()
        try machine.settle()
        #expect(machine.calls.count == asked)
    }

    @Test func `is written also by a node that knows nothing of the record`() throws {
        let machine = try Machine()
        machine.fill(3)
        spoil(machine, nil, stamps(machine))
        try machine.goLive()
        for _ in 0..<3 {
            try machine.settle()
            try machine.pass(5000)
        }
        #expect(identifier(machine) == Machine.id(1).description)
        #expect(try machine.counts().pending == 0)
    }

    @Test func `a comparison finds it`() throws {
        let machine = try Machine.live(3)
        spoil(machine, "wrong", stamps(machine))
        let finding = BaseComparison(machine.rules, machine.policy).finding(
            on: machine.server.entry(Machine.id(1).description), try machine.record(1).state)
        #expect(finding == .differs)
    }
}
