import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// Taking back how a conflict was decided.
struct RestoreTests {
    @Test(arguments: [(["hi": FieldRule.max], false), ([:], true)], [false, true])
    func `what lost comes back, but where a rule keeps what is there, or was there before its delete`(
        _ rules: ([String: FieldRule], comesBack: Bool), isDeleted: Bool
    ) throws {
        let machine = try MachineUnderTest(merging: rules.0)
        try machine.edit(#"{"op":"create","id":"\#(MachineUnderTest.id(1))","fields":{"title":"A","hi":5}}"#)
        if isDeleted { try machine.edit(MachineUnderTest.delete(1)) }
        let (winner, loser) = (Content(fields: ["hi": 5]), Content(fields: ["hi": 3]))
        let stamp = Stamp(physical: MachineUnderTest.start, counter: 0, node: MachineUnderTest.me)
        let entry = LedgerEntry(
            number: 1, key: MachineUnderTest.key(1), at: 1, rule: "fieldRule", fields: ["hi"],
            winner: Version(winner, stamp), loser: Version(loser, stamp))
        try machine.read { book in
            try book.change(entry.key, machine.applier) { state, clock, context in
                let (now, before) = (machine.applier.time.now(over: state, &clock), state)
                let outcome = try state.restored(
                    entry, at: now, clock: &clock, context, by: machine.rules.normalized)
                #expect(state.isBack(loserOf: entry, since: before) == rules.comesBack)
                return outcome
            }
        }
    }

    /// Writes back what lost a conflict about film 1.
    private func restore(_ fields: [String], _ lost: [String: JSONValue], in machine: MachineUnderTest) throws {
        let stamp = Stamp(physical: MachineUnderTest.start, counter: 0, node: MachineUnderTest.me)
        let entry = LedgerEntry(
            number: 1, key: MachineUnderTest.key(1), at: 1, rule: "laterStamp", fields: fields,
            winner: Version(nil, stamp), loser: Version(Content(fields: lost), stamp))
        try machine.read { book in
            try book.change(entry.key, machine.applier) { state, clock, context in
                let now = machine.applier.time.now(over: state, &clock)
                return try state.restored(entry, at: now, clock: &clock, context, by: machine.rules.normalized)
            }
        }
    }

    @Test(arguments: [["year", "note"], []])
    func `of a film that was deleted what else was known comes back, too`(_ fields: [String]) throws {
        let machine = try MachineUnderTest()
        try machine.edit(
            #"{"op":"create","id":"\#(MachineUnderTest.id(1))","fields":{"title":"A","hasWatched":true,"note":"n"}}"#,
            MachineUnderTest.delete(1))
        try restore(fields, ["year": 1979], in: machine)
        var film: [String: JSONValue] = ["title": "A", "hasWatched": true, "year": 1979]
        if fields.isEmpty { film["note"] = "n" }
        #expect(try machine.record(1).state.view?.fields == film)
    }

    @Test func `what would be no film is refused, and nothing changes`() throws {
        let machine = try MachineUnderTest()
        try machine.edit(MachineUnderTest.delete(1))
        let before = try machine.record(1)
        #expect(throws: Defect.self) { try restore(["year"], ["year": 1979], in: machine) }
        #expect(try machine.record(1) == before)
    }
}
