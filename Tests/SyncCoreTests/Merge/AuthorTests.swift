import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// Who a change says has made it.
struct AuthorTests {
    typealias Machine = MachineUnderTest

    private func lastChange(_ machine: Machine) throws -> Change {
        try #require(try machine.read { try $0.changes(of: Machine.key(1), before: .max, limit: 1) }.first)
    }

    /// A number of which the higher one counts carries the later stamp, whichever counts.
    @Test func `a number that counts by its rule is whose value it is`() throws {
        let machine = try Machine(merging: ["plays": .max])
        try machine.goLive()
        try machine.edit(Machine.create(1, "Alien"))
        try machine.settle()
        try machine.tell(Machine.id(1))
        try machine.take(.paused([.push]))
        try machine.edit(#"{"op":"update","id":"\#(Machine.id(1))","fields":{"plays":7}}"#)
        let stamp = try #require(try machine.record(1).state.remote?.stamp)
        let theirs = Stamp(physical: stamp.physical, counter: stamp.counter + 2, node: Machine.other)
        machine.put(
            1,
            .record(
                fields: ["identifier": .string(Machine.id(1).description), "title": "Alien", "plays": 9],
                stamps: RemoteStamps(theirs, fields: FieldStamps(stamp, named: ["plays": theirs]))))
        machine.wall += 1
        try machine.tell(Machine.id(1))
        let change = try lastChange(machine)
        #expect(change.version.content?.fields["plays"] == 9 && change.author(of: "plays") == .node(Machine.other))
    }

    /// Merged over a delete, a record has fields that are older than it.
    @Test func `a record that is back was made by whoever has brought it back, and its fields by whoever set them`()
        throws
    {
        let machine = try Machine()
        try machine.goLive()
        try machine.edit(Machine.create(1, "Alien"))
        try machine.settle()
        try machine.tell(Machine.id(1))
        let first = try #require(try machine.record(1).state.remote?.stamp)
        try machine.edit(#"{"op":"update","id":"\#(Machine.id(1))","fields":{"note":"here"}}"#, Machine.delete(1))
        try machine.settle()
        let deletion = try #require(try machine.record(1).state.known.deletion)
        let theirs = Stamp(physical: deletion.physical + 1, counter: 0, node: Machine.other)
        machine.wall += 10
        machine.put(
            1,
            .record(
                fields: ["identifier": .string(Machine.id(1).description), "title": "Alien", "plays": 9],
                stamps: RemoteStamps(theirs, fields: FieldStamps(first, named: ["plays": theirs]))))
        try machine.tell(Machine.id(1))
        let change = try lastChange(machine)
        #expect(change.kind == .create && change.version.content?.fields["note"] == "here")
        #expect(change.version.stamp.node == Machine.me && change.author() == .node(Machine.other))
        #expect(change.author(of: "plays") == .node(Machine.other))
        #expect(["title", "note"].allSatisfy { change.author(of: $0) == .node(Machine.me) })
    }
}
