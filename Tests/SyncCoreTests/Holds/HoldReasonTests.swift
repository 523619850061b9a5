import LocalStore
import SyncModel
import Testing

@testable import SyncCore

/// A hold that waits for more than at first says so: how much, out of what there is now.
struct HoldReasonTests {
    @Test func `what has come later is counted, and what there is anew`() throws {
        let machine = try MachineUnderTest()
        let context = machine.applier.context("movies")
        let reasons = try machine.read { book in
            for (number, live, key) in [(1, 20, "title"), (2, 150, "year")] as [(UInt64, Int, String)] {
                let holds = [
                    try MassDelete.raise(.journal, of: "movies", live: live, since: 0, in: book),
                    try MassForeignChange.raise(of: "movies", live: live, since: 0, in: book),
                    try RootIsOneRecord.raise(of: "movies", keys: [key], since: 0, in: book),
                ]
                for hold in holds { try book.attach(MachineUnderTest.key(number), to: hold, context) }
            }
            return try book.holds().map(\.reason)
        }
        #expect(
            reasons == [
                "the journal would delete 2 of 150 movies",
                "apps without stamps have changed 2 of 150 movies at once",
                "the place of all movies in the remote holds one record (title, year); 2 are gone",
            ])
    }

    @Test func `deletes by another source are another question`() throws {
        let machine = try MachineUnderTest()
        let sources = [nil, MassDelete.remoteSetBack, nil, "an undo", MassDelete.remoteSetBack]
        let numbers = try machine.read { book in
            try sources.map { try MassDelete.raise(.pull, of: "movies", live: 20, by: $0, since: 0, in: book) }
        }
        #expect(numbers == [1, 2, 1, 3, 2])
    }

    @Test func `an answer says what becomes of edits of a record that is gone meanwhile`() throws {
        let machine = try MachineUnderTest()
        machine.fill(20)
        try machine.goLive()
        try machine.edit((0..<12).map { MachineUnderTest.delete($0) } + [MachineUnderTest.update(1, "B")])
        let effects = try machine.read { book in
            let hold = try #require(try book.holds().first)
            return try ([0, 1] as [UInt64]).map { number in
                var state = try book.record(MachineUnderTest.key(number)).state
                state.known.deletion = .highest
                let lines = try book.held(MachineUnderTest.key(number))
                let held = try HeldState(state, held: lines, in: book, machine.applier)
                return MassDelete().effect(approved: false, on: held, of: hold)
            }
        }
        #expect(effects == ["stays deleted", "the change goes to quarantine"])
    }

    @Test(arguments: [true, false])
    func `an answer passes over what is corrected behind it, where that can be applied`(isCorrect: Bool) throws {
        let machine = try MachineUnderTest()
        let at = RFC3339.text(MachineUnderTest.start + 86_400_000)
        for title in [#""Bad","year":1"#, isCorrect ? #""Good""# : "7"] {
            let (id, at) = (MachineUnderTest.id(1), title.hasPrefix(#""B"#) ? #","at":"\#(at)""# : "")
            try machine.edit(#"{"op":"create","id":"\#(id)","opID":"a","fields":{"title":\#(title)}\#(at)}"#)
        }
        let words = try machine.read { book in
            let hold = try #require(try book.holds().first)
            let lines = try book.held(MachineUnderTest.key(1))
            let held = try HeldState(
                book.record(MachineUnderTest.key(1)).state, held: lines, in: book, machine.applier)
            return [true, false].map { FutureEdit().effect(approved: $0, on: held, of: hold) }
        }
        #expect(
            words == [
                "create applied, dated now" + (isCorrect ? "" : ", and 1 more behind it"),
                "create dropped; the rest follows",
            ])
    }
}
