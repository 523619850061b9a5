import LocalStore
import SyncCore
import SyncModel
import Testing

/// What the state remembers of the keys of its records.
struct StoredKeysTests {
    typealias Machine = MachineUnderTest

    private func rules(_ parts: KeyTemplate.Part...) -> CollectionRules {
        CollectionRules(
            id: "movies", key: KeyTemplate(parts), merge: MergeRules(), titleField: "title",
            identityFields: { _ in [:] },
            validated: { fields throws(Defect) in fields }, normalized: { fields throws(Defect) in fields })
    }

    @Test func `where records are stored their keys are made of nothing else any more`() throws {
        let machine = try Machine()
        try machine.read { try machine.rules.noteKey(in: $0) }
        try machine.edit(Machine.create(1, "A"), Machine.create(2, "B"))
        let other = rules(.init("title"))
        #expect(throws: OtherKey.self) { try machine.read { try other.isKeyNoted(in: $0) } }
        let error = #expect(throws: OtherKey.self) { try machine.read { try other.noteKey(in: $0) } }
        let words = "the keys of movies would be made of title, but 2 of its records are stored with keys made of UUIDs"
        #expect(error?.description.hasPrefix(words) == true)
        #expect(try machine.read { try machine.rules.isKeyNoted(in: $0) })
    }

    @Test func `a part that becomes a number makes another key`() throws {
        let machine = try Machine()
        try machine.read { try rules(.init("film"), .init("uid")).noteKey(in: $0) }
        try machine.edit(Machine.create(1, "A"))
        let error = #expect(throws: OtherKey.self) {
            try machine.read { try rules(.init("film", isInteger: true), .init("uid")).noteKey(in: $0) }
        }
        #expect(error?.description.contains("made of film (integer)/uid, but 1 of its") == true)
    }

    @Test func `while nothing is stored, or waits to be sent, they may change`() throws {
        let machine = try Machine()
        let other = rules(.init("title"))
        try machine.read { try machine.rules.noteKey(in: $0) }
        #expect(try machine.read { try !other.isKeyNoted(in: $0) })
        try machine.read { try other.noteKey(in: $0) }
        #expect(try machine.read { try other.isKeyNoted(in: $0) && !machine.rules.isKeyNoted(in: $0) })
    }
}
