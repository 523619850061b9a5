import JSONText
import SyncCore
import SyncModel
import Testing

/// An app that moves a record to the same id in other letters, while the second key is merged and removed: `docs/protocol.md`
/// section 9.
struct MovedKeyTests {
    typealias Machine = MachineUnderTest

    private let upper = Machine.id(1).description
    private let lower = Machine.id(1).description.lowercased()

    /// A machine that has just removed the second key of a film.
    private func removed(_ pull: PullMode, isStamped: Bool) throws -> Machine {
        let machine = try Machine.live(3, pull: pull)
        if !isStamped {
            machine.server.put(upper, Machine.film(1, "app's"))
            try machine.tell(upper)
            try machine.settle()
        }
        machine.server.put(lower, machine.server.entry(upper).value)
        try machine.tell(lower)
        try machine.settle()
        #expect(machine.server.keys().filter { $0.uppercased() == upper } == [upper])
        return machine
    }

    @Test(arguments: [PullMode.full, .incremental], [true, false])
    func `a film that is gone right after its second key was removed is written again`(
        pull: PullMode, isStamped: Bool
    ) throws {
        let machine = try removed(pull, isStamped: isStamped)
        let title = machine.titleThere(upper)
        machine.server.put(upper, .absent)
        // No stream of changes tells that.
        if pull == .full { try machine.tell(upper) }
        try machine.settleWithPauses()
        #expect(machine.titleThere(upper) == title && machine.server.keys(Machine.tombstones).isEmpty)
        #expect(try machine.title(1) == title && machine.counts().records == 3 && machine.counts().pending == 0)
    }

    @Test(arguments: [true, false]) func `so is one whose second key another node has removed`(isMany: Bool) throws {
        let machine = try Machine.live(40)
        let moved = isMany ? 30 : 1 as UInt64
        for number in 0..<moved {
            let upper = Machine.id(number).description
            machine.server.put(upper.lowercased(), machine.server.entry(upper).value)
            try machine.tell(upper.lowercased())
            machine.server.put(upper.lowercased(), .absent)
            try machine.tell(upper.lowercased())
        }
        let gone = (0..<moved).map { Machine.id($0).description }
        for upper in gone { machine.server.put(upper, .absent) }
        try machine.events(gone.map { .changed(machine.server.entry($0)) })
        try machine.settleWithPauses()
        #expect(try machine.counts().records == 40 && machine.holds().isEmpty)
        #expect(machine.server.keys().count == 40 && machine.server.keys(Machine.tombstones).isEmpty)
    }

    /// The node sees the app's whole move, and then that another one has removed the key that was left.
    @Test(arguments: [true, false]) func `so is one that is followed to a key which another node removes`(
        isRead: Bool
    ) throws {
        let machine = try Machine.live(3)
        machine.server.put(lower, machine.server.entry(upper).value)
        try machine.tell(lower)
        machine.server.put(upper, .absent)
        try machine.tell(upper)
        if isRead { try machine.answer() }
        machine.server.put(lower, .absent)
        try machine.tell(lower)
        try machine.settleWithPauses()
        #expect(try machine.title(1) == "F1" && machine.counts().records == 3)
        #expect(machine.titleThere(upper) == "F1" && machine.server.keys(Machine.tombstones).isEmpty)
    }

    /// The node has read that it stands nowhere, and hears that another one has written it again before it has read all.
    @Test func `nor is one deleted that another node has written again while it was read`() throws {
        let machine = try removed(.full, isStamped: true)
        let there = machine.server.entry(upper).value
        machine.server.put(upper, .absent)
        try machine.tell(upper)
        try machine.answer()
        machine.server.put(upper, there)
        try machine.tell(upper)
        try machine.settleWithPauses()
        #expect(try machine.title(1) == "F1" && machine.titleThere(upper) == "F1")
        #expect(machine.server.keys(Machine.tombstones).isEmpty)
    }

    @Test func `what could not be read under the key that it had leaves the quarantine`() throws {
        let machine = try Machine(keepsTombstones: false)
        machine.fill(3)
        try machine.goLive()
        machine.server.put(upper, .absent)
        try machine.tell(upper)
        // The read, and the one that tells whether anything can be read.
        try machine.answer(RemoteError(.refused, "400"))
        try machine.settle()
        #expect(try machine.quarantine() == [.unreadableRecord])
        machine.server.put(lower, Machine.film(1, "moved"))
        try machine.tell(lower)
        try machine.settleWithPauses()
        #expect(try machine.quarantine().isEmpty && machine.title(1) == "moved")
    }

    @Test(arguments: [true, false]) func `one that is deleted later is deleted`(isStamped: Bool) throws {
        let machine = try removed(.full, isStamped: isStamped)
        try machine.settleWithPauses()
        machine.server.put(upper, .absent)
        try machine.tell(upper)
        try machine.settleWithPauses()
        #expect(try machine.counts().records == 2)
        #expect(!machine.server.keys().contains(upper))
    }

    @Test func `one that another node has deleted is deleted`() throws {
        let machine = try removed(.full, isStamped: true)
        machine.server.put(upper, .tombstone(stamp: Machine.stamp(0), ended: nil), in: Machine.tombstones)
        machine.server.put(upper, .absent)
        try machine.tell(upper)
        try machine.settleWithPauses()
        #expect(try machine.counts().records == 2)
        #expect(!machine.server.keys().contains(upper))
    }
}
