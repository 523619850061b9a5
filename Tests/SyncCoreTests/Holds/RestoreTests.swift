import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// Taking back how a conflict was decided.
struct RestoreTests {
    @Test(arguments: [(["hi": FieldRule.max], false), ([:], true)])
    func `what lost comes back, but where a rule keeps what is there`(
        _ rules: [String: FieldRule], _ comesBack: Bool
    ) throws {
        let machine = try MachineUnderTest(merging: rules)
        try machine.edit(#"{"op":"create","id":"\#(MachineUnderTest.id(1))","fields":{"title":"A","hi":5}}"#)
        let (winner, loser) = (Content(fields: ["hi": 5]), Content(fields: ["hi": 3]))
        let stamp = Stamp(physical: MachineUnderTest.start, counter: 0, node: MachineUnderTest.me)
        let entry = LedgerEntry(
            number: 1, key: MachineUnderTest.key(1), at: 1, rule: "fieldRule", fields: ["hi"],
            winner: Version(winner, stamp), loser: Version(loser, stamp))
        try machine.read { book in
            try book.change(entry.key, machine.applier) { state, clock, context in
                let now = machine.applier.time.now(over: state, &clock)
                let outcome = state.restored(entry, at: now, clock: &clock, context)
                #expect((outcome.change != nil) == comesBack)
                #expect(state.shows(loserOf: entry) == comesBack)
                return outcome
            }
        }
    }
}
