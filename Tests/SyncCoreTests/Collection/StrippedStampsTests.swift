import JSONText
import SyncCore
import SyncModel
import Testing

/// An app writes a body back with the stamp of the version, and without those of its fields (`docs/protocol.md` section 9).
struct StrippedStampsTests {
    typealias Machine = MachineUnderTest

    /// A film with a title of another node's and a note of this one's, without the stamps of its fields.
    private func stripped() throws -> (machine: Machine, stamps: RemoteStamps) {
        let machine = try Machine.live(3)
        try machine.edit(#"{"op":"update","id":"\#(Machine.id(1))","fields":{"note":"mine"}}"#)
        try machine.settle()
        try machine.tell(Machine.id(1))
        let (fields, stamps) = try #require(there(machine))
        #expect(stamps.fields?.common == Machine.stamp(50_000) && stamps.version > Machine.stamp(50_000))
        machine.put(1, .record(fields: fields, stamps: RemoteStamps(stamps.version)))
        return (machine, stamps)
    }

    private func there(_ machine: Machine) -> (fields: [String: JSONValue], stamps: RemoteStamps)? {
        guard case .record(let fields, let stamps?) = machine.server.entry(Machine.id(1).description).value else {
            return nil
        }
        return (fields, stamps)
    }

    @Test(arguments: [true, false])
    func `the stamps of the fields are written again, as they were`(isEvent: Bool) throws {
        let (machine, stamps) = try stripped()
        if isEvent {
            try machine.tell(Machine.id(1))
        } else {
            try machine.reconnect()
            try machine.snapshot()
        }
        try machine.settleWithPauses()
        #expect(there(machine)?.stamps.fields?.common == stamps.fields?.common)
        #expect(there(machine)?.stamps.fields?.named["note"] == stamps.fields?.named["note"])
        // An edit that others made before the note, and send later, is not below it.
        #expect(try machine.record(1).state.known.fields?.stamps.common == Machine.stamp(50_000))
        #expect(try machine.counts().pending == 0 && machine.counts().conflicts == 0)
        let asked = machine.calls.count
        try machine.reconnect()
        try machine.snapshot()
        try machine.settleWithPauses()
        #expect(machine.calls.count == asked)
    }

    @Test func `the comparison with the remote finds it`() throws {
        let (machine, _) = try stripped()
        let state = try machine.record(1).state
        let entry = machine.server.entry(Machine.id(1).description)
        #expect(BaseComparison(machine.rules, machine.policy).finding(on: entry, state) == .differs)
    }

    @Test func `what was pushed and is shown without its identifier is no echo`() throws {
        let machine = try Machine.live(0)
        try machine.edit(Machine.create(1, "Alien"))
        try machine.settle()
        var (fields, stamps) = try #require(there(machine))
        fields["identifier"] = nil
        machine.put(1, .record(fields: fields, stamps: stamps))
        try machine.reconnect()
        try machine.snapshot()
        try machine.settleWithPauses()
        #expect(there(machine)?.fields["identifier"] != nil)
    }
}
