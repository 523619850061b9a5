import SyncCore
import SyncModel
import Testing

/// An app that puts a deleted record back again and again (`docs/protocol.md` sections 9 and 10).
struct StaleWriterTests {
    typealias Machine = MachineUnderTest

    /// A stale app writes a film just as it was.
    private func putBack(_ machine: Machine) throws {
        machine.put(1, Machine.film(1, "F1"))
        try machine.tell(Machine.id(1))
        try machine.settle()
    }

    @Test(arguments: [true, false])
    func `an app that puts a film back just as it was is asked about after three times`(isApproved: Bool) throws {
        let machine = try Machine.live(9)
        try machine.edit(Machine.delete(1))
        try machine.settle()
        for round in 0..<3 {
            try putBack(machine)
            #expect(machine.titleThere(1) == nil, "round \(round)")
            #expect(try machine.holds().isEmpty, "round \(round)")
        }
        try putBack(machine)
        #expect(try machine.holds() == [.staleWriter] && machine.title(1) == nil)
        #expect(machine.titleThere(1) == "F1")
        try machine.decide(.staleWriter, approved: isApproved)
        try machine.settle()
        #expect(machine.titleThere(1) == (isApproved ? nil : "F1"))
        #expect(try machine.title(1) == (isApproved ? nil : "F1") && machine.counts().pending == 0)
    }

    @Test func `a tombstone names what it ended, and nothing that was deleted before`() throws {
        let machine = try Machine.live(9)
        func ended() -> ContentHash? {
            let entry = machine.server.entry(Machine.id(1).description, in: Machine.tombstones)
            return if case .tombstone(_, let ended) = entry.value { ended } else { nil }
        }
        try machine.edit(Machine.delete(1))
        try machine.settle()
        let first = try #require(ended())
        // Deleted once more, it is the same that was deleted.
        try machine.edit(Machine.delete(1))
        try machine.settle()
        #expect(ended() == first)
        try machine.edit(Machine.create(1, "anew"))
        try machine.settle()
        machine.put(1, .absent)
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(try machine.title(1) == nil && ended() != first)
    }

    @Test func `also what other nodes have removed again is counted`() throws {
        let machine = try Machine.live(9)
        try machine.edit(Machine.delete(1))
        try machine.settle()
        for _ in 0..<3 {
            machine.put(1, Machine.film(1, "F1"))
            try machine.tell(Machine.id(1))
            machine.put(1, .absent)
            try machine.tell(Machine.id(1))
            try machine.settle()
            #expect(try machine.holds().isEmpty)
        }
        try putBack(machine)
        #expect(try machine.holds() == [.staleWriter] && machine.titleThere(1) == "F1")
    }

    @Test(arguments: [true, false])
    func `what is gone again meanwhile, or was edited, is asked about no more`(isGone: Bool) throws {
        let machine = try Machine.live(9)
        try machine.edit(Machine.delete(1))
        try machine.settle()
        for _ in 0..<4 { try putBack(machine) }
        #expect(try machine.holds() == [.staleWriter])
        machine.put(1, isGone ? .absent : Machine.film(1, "other"))
        try machine.tell(Machine.id(1))
        for _ in 0..<3 {
            try machine.settle()
            try machine.pass(5000)
        }
        #expect(try machine.holds().isEmpty && machine.counts().pending == 0)
        #expect(try machine.title(1) == (isGone ? nil : "other"))
        #expect(machine.titleThere(1) == (isGone ? nil : "other"))
    }

    @Test func `an app that keeps the stamps that it had read is asked about as well`() throws {
        let machine = try Machine.live(9)
        try machine.edit(Machine.delete(1))
        try machine.settle()
        for round in 0..<4 {
            #expect(try machine.holds().isEmpty, "round \(round)")
            machine.put(1, Machine.film(1, "F1", Machine.stamp(50_000)))
            try machine.tell(Machine.id(1))
            try machine.settle()
        }
        #expect(try machine.holds() == [.staleWriter] && machine.titleThere(1) == "F1")
        try machine.decide(.staleWriter, approved: false)
        try machine.settle()
        #expect(try machine.title(1) == "F1" && machine.titleThere(1) == "F1" && machine.counts().pending == 0)
    }

    @Test func `what another node has taken back is asked about no more`() throws {
        let machine = try Machine.live(9)
        try machine.edit(Machine.delete(1))
        try machine.settle()
        for _ in 0..<4 { try putBack(machine) }
        #expect(try machine.holds() == [.staleWriter])
        let later = Stamp(physical: machine.wall + 1000, counter: 0, node: Machine.other)
        machine.put(1, Machine.film(1, "F1", later))
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(try machine.holds().isEmpty && machine.title(1) == "F1" && machine.counts().pending == 0)
    }
}
