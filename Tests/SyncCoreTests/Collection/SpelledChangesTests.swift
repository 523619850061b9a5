import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// The hold `massForeignChange` of changes in which apps spell a Bool their own way (`docs/protocol.md` sections 9 and 10).
struct SpelledChangesTests {
    typealias Machine = MachineUnderTest

    static let spellings: [JSONValue] = [.string("true"), .string("1"), .integer(1), .bool(true)]

    /// Nearly all films are changed by an app that leaves the stamps where they are.
    private func held(_ spelling: JSONValue, title: String? = nil) throws -> Machine {
        let machine = try Machine.live(150)
        for number in UInt64(0)..<130 {
            let fields: [String: JSONValue] = [
                "identifier": .string(Machine.id(number).description), "title": .string(title ?? "F\(number)"),
                "hasWatched": spelling,
            ]
            machine.put(number, .record(fields: fields, stamps: RemoteStamps(Machine.stamp(50_000))))
        }
        try machine.tell(all: 0..<130)
        try machine.settleWithPauses()
        #expect(try machine.holds() == [.massForeignChange])
        return machine
    }

    private func hasWatched(_ machine: Machine) throws -> JSONValue? {
        try machine.record(0).state.view?.fields["hasWatched"]
    }

    private func hasWatchedThere(_ machine: Machine) -> JSONValue? {
        guard case .record(let fields, _) = machine.server.entry(Machine.id(0).description).value else { return nil }
        return fields["hasWatched"]
    }

    @Test(arguments: spellings)
    func `what a person refuses stays refused`(spelling: JSONValue) throws {
        let machine = try held(spelling)
        try machine.decide(.massForeignChange, approved: false)
        try machine.settleWithPauses()
        #expect(try hasWatched(machine) == false && hasWatchedThere(machine) == false)
        #expect(try machine.counts().pending == 0)
    }

    @Test(arguments: spellings)
    func `what a person approves is taken as any app's is read`(spelling: JSONValue) throws {
        let machine = try held(spelling, title: "app's")
        try machine.decide(.massForeignChange, approved: true)
        #expect(try hasWatched(machine) == true && machine.title(0) == "app's")
        try machine.settleWithPauses()
        #expect(try hasWatched(machine) == true && hasWatchedThere(machine) == true)
        let changes = try machine.read { try $0.changes(of: Machine.key(0), before: .max, limit: 9) }
        #expect(changes.allSatisfy { $0.version.content?.fields["hasWatched"]?.truth != nil })
    }

    @Test func `what nobody can make a record of is read again, and goes to quarantine`() throws {
        let machine = try held(.string("perhaps"))
        try machine.decide(.massForeignChange, approved: true)
        try machine.settleWithPauses()
        #expect(try hasWatched(machine) == false)
        #expect(try machine.quarantine().contains(.unreadableRecord))
    }

    @Test(arguments: [.bool(false), .integer(0)] as [JSONValue])
    func `what the app takes back is no question any more`(spelling: JSONValue) throws {
        let machine = try held(.bool(true))
        let fields: [String: JSONValue] = [
            "identifier": .string(Machine.id(0).description), "title": "F0", "hasWatched": spelling,
        ]
        machine.put(0, .record(fields: fields, stamps: RemoteStamps(Machine.stamp(50_000))))
        try machine.tell(Machine.id(0))
        try machine.settleWithPauses()
        #expect(try machine.read { try $0.held(Machine.key(0)) }.isEmpty)
        try machine.decide(.massForeignChange, approved: true)
        try machine.settleWithPauses()
        #expect(try hasWatched(machine) == false && hasWatchedThere(machine) == false)
        #expect(try machine.read { try $0.changes(of: Machine.key(0), before: .max, limit: 9) }.count == 1)
    }

    /// The app has an older body, with the stamp of the version and without those of its fields.
    @Test(arguments: [.string("true"), .integer(1)] as [JSONValue])
    func `what an app spells its own way in an older version is no other value`(spelling: JSONValue) throws {
        let machine = try Machine.live(3)
        try machine.edit(#"{"op":"update","id":"\#(Machine.id(0))","fields":{"hasWatched":true}}"#)
        try machine.settle()
        try machine.tell(Machine.id(0))
        guard case .record(var fields, let stamps?) = machine.server.entry(Machine.id(0).description).value else {
            return #expect(Bool(false))
        }
        try machine.edit(#"{"op":"update","id":"\#(Machine.id(0))","fields":{"note":"later"}}"#)
        try machine.settle()
        try machine.tell(Machine.id(0))
        fields["hasWatched"] = spelling
        machine.put(0, .record(fields: fields, stamps: RemoteStamps(stamps.version)))
        try machine.tell(Machine.id(0))
        try machine.settleWithPauses()
        #expect(try hasWatched(machine) == true && hasWatchedThere(machine) == true)
        #expect(try machine.counts().pending == 0 && machine.quarantine().isEmpty)
    }
}
