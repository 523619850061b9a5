import SyncCore
import SyncModel
import Testing

/// What follows from tombstones that others have ended.
struct HorizonTests {
    private let machine: MachineUnderTest

    init() throws { machine = try MachineUnderTest() }

    private static let old = MachineUnderTest.stamp(1_000_000)
    private static let horizon = MachineUnderTest.stamp(500_000)

    /// A tombstone of another node.
    private func bury(_ number: UInt64, _ stamp: Stamp) {
        machine.server.put(
            MachineUnderTest.id(number).description, .tombstone(stamp: stamp, ended: nil),
            in: MachineUnderTest.tombstones)
    }

    private func unbury(_ number: UInt64) {
        machine.server.put(MachineUnderTest.id(number).description, .absent, in: MachineUnderTest.tombstones)
    }

    private var tombstones: [String] { machine.server.keys(MachineUnderTest.tombstones) }

    private static func create(_ number: UInt64, at stamp: Stamp) -> String {
        #"{"op":"create","id":"\#(MachineUnderTest.id(number))","fields":{"title":"Old"},"at":"\#(RFC3339.text(stamp.physical))"}"#
    }

    @Test func `nothing is pushed before the horizon is known`() throws {
        machine.answersBeside = false
        try machine.take(.start)
        try machine.snapshot(MachineUnderTest.tombstones)
        try machine.snapshot()
        try machine.edit(MachineUnderTest.create(1, "Alien"))
        #expect(machine.open.map(\.call) == [.horizon("movies")])
        try machine.answer()
        machine.answersBeside = true
        try machine.settle()
        #expect(machine.titleThere(1) == "Alien")
    }

    @Test(arguments: [true, false])
    func `a tombstone that disappears has ended, or is written again`(hasEnded: Bool) throws {
        bury(1, Self.old)
        try machine.goLive()
        #expect(try machine.counts().tombstones == 1)
        if hasEnded { machine.server.horizon = Self.horizon }
        unbury(1)
        try machine.tell(MachineUnderTest.id(1), in: MachineUnderTest.tombstones)
        try machine.settle()
        #expect(tombstones.isEmpty == hasEnded)
        #expect(try machine.record(1).row == nil || !hasEnded)
        #expect(try machine.counts().tombstones == (hasEnded ? 0 : 1))
    }

    @Test(arguments: [
        (1, RemoteError.Code.refused, true), (6, .denied, true), (21, .denied, false), (21, .refused, false),
    ])
    func `what was answered once and is refused is asked again; what always is, counts as hidden`(
        refusals: Int, code: RemoteError.Code, isKnown: Bool
    ) throws {
        bury(1, Self.old)
        try machine.goLive()
        machine.server.horizon = Self.horizon
        unbury(1)
        machine.answersBeside = false
        try machine.tell(MachineUnderTest.id(1), in: MachineUnderTest.tombstones)
        for _ in 0..<refusals {
            #expect(machine.open.map(\.call) == [.horizon("movies")])
            try machine.answer(RemoteError(code, "no"))
            if isKnown { #expect(machine.open.isEmpty) }
            try machine.pass(60_000)
        }
        machine.answersBeside = true
        try machine.settle()
        // Who does not know that it has ended writes it again.
        #expect(tombstones.isEmpty == isKnown)
    }

    @Test func `what has ended while the daemon was down is forgotten`() throws {
        bury(1, Self.old)
        bury(2, Self.old)
        try machine.goLive()
        machine.server.horizon = Self.horizon
        unbury(1)
        try machine.restart()
        try machine.goLive()
        #expect(try machine.record(1).row == nil)
        #expect(try machine.counts().tombstones == 1)
        #expect(tombstones == [MachineUnderTest.id(2).description])
    }

    @Test func `what somebody has removed while the daemon was down is written again`() throws {
        bury(1, Self.old)
        bury(2, Self.old)
        try machine.goLive()
        unbury(1)
        try machine.restart()
        try machine.goLive()
        #expect(tombstones.count == 2)
    }

    @Test func `where the rules hide the horizon, it may have ended`() throws {
        bury(1, Self.old)
        try machine.goLive()
        unbury(1)
        try machine.restart()
        machine.answersBeside = false
        try machine.take(.start)
        try machine.snapshot(MachineUnderTest.tombstones)
        try machine.snapshot()
        for _ in 0..<3 where machine.open.first?.call != .horizon("movies") { try machine.answer() }
        try machine.answer(RemoteError(.denied, "no"))
        machine.answersBeside = true
        try machine.settle()
        #expect(tombstones == [])
    }

    @Test func `so it is while its record is being read`() throws {
        bury(1, Self.old)
        machine.put(2, MachineUnderTest.film(2, "Other", Self.old))
        try machine.goLive()
        machine.put(1, MachineUnderTest.film(1, "Again", Self.old.successor))
        try machine.tell(MachineUnderTest.id(1))
        try machine.settle()
        #expect(try machine.title(1) == "Again")
        machine.server.horizon = Self.horizon
        machine.put(1, .absent)
        unbury(1)
        try machine.restart()
        try machine.take(.start)
        try machine.snapshot()
        try machine.snapshot(MachineUnderTest.tombstones)
        #expect(!machine.open.isEmpty && machine.callsBeside.contains(.horizon("movies")))
        try machine.settle()
        #expect(tombstones == [])
        #expect(try machine.counts().tombstones == 0 && machine.record(1).row == nil)
    }

    @Test func `an old record that the remote does not have waits for a person`() throws {
        machine.server.horizon = Self.horizon
        try machine.goLive()
        try machine.edit(Self.create(1, at: Self.old), Self.create(2, at: Self.old), MachineUnderTest.create(3, "New"))
        try machine.settle()
        #expect(try machine.holds() == [.belowHorizon])
        #expect(machine.server.keys() == [MachineUnderTest.id(3).description])
        #expect(try machine.title(1) == "Old")
        try machine.decide(.belowHorizon, approved: true)
        try machine.settle()
        #expect(try machine.holds() == [])
        #expect(machine.titleThere(1) == "Old")
        #expect(machine.titleThere(2) == "Old")
        #expect(try machine.record(1).state.stamp ?? .zero > Self.horizon)
    }

    @Test func `a rejected one is deleted here, and nobody else hears of it`() throws {
        machine.server.horizon = Self.horizon
        try machine.goLive()
        try machine.edit(Self.create(1, at: Self.old))
        try machine.settle()
        try machine.decide(.belowHorizon, approved: false)
        try machine.settle()
        #expect(try machine.holds() == [])
        #expect(try machine.title(1) == nil)
        #expect(try machine.counts() == CollectionCounts())
        #expect(machine.server.keys() == [])
        #expect(tombstones == [])
    }

    @Test func `one that the remote has after all leaves the hold`() throws {
        machine.server.horizon = Self.horizon
        try machine.goLive()
        try machine.edit(Self.create(1, at: Self.old))
        try machine.settle()
        #expect(try machine.holds() == [.belowHorizon])
        machine.put(1, MachineUnderTest.film(1, "There", MachineUnderTest.stamp(100_000)))
        try machine.tell(MachineUnderTest.id(1))
        try machine.settle()
        #expect(try machine.holds() == [])
        #expect(try machine.title(1) == "There")
    }

    @Test func `an edit made now takes it out of the hold`() throws {
        machine.server.horizon = Self.horizon
        try machine.goLive()
        try machine.edit(Self.create(1, at: Self.old), Self.create(2, at: Self.old))
        try machine.settle()
        try machine.edit(MachineUnderTest.update(1, "New"))
        try machine.settle()
        #expect(machine.titleThere(1) == "New" && machine.titleThere(2) == nil)
        #expect(try machine.holds() == [.belowHorizon])
    }

    @Test func `an old delete of what the remote does not have is no news`() throws {
        machine.server.horizon = Self.horizon
        try machine.goLive()
        try machine.edit(
            #"{"op":"delete","id":"\#(MachineUnderTest.id(1))","at":"\#(RFC3339.text(Self.old.physical))"}"#)
        try machine.settle()
        #expect(tombstones == [])
        #expect(try machine.counts() == CollectionCounts())
    }

    @Test(arguments: [(1, RemoteError.Code.denied), (6, .refused)])
    func `rules that hide the horizon stop nothing`(refusals: Int, code: RemoteError.Code) throws {
        machine.answersBeside = false
        try machine.take(.start)
        try machine.snapshot(MachineUnderTest.tombstones)
        try machine.snapshot()
        for _ in 0..<refusals {
            try machine.answer(RemoteError(code, "no"))
            try machine.pass(60_000)
        }
        machine.answersBeside = true
        try machine.edit(MachineUnderTest.create(1, "Alien"))
        try machine.settle()
        #expect(machine.titleThere(1) == "Alien")
    }

    @Test func `a tombstone that ends while its record is read is not written again`() throws {
        let machine = try MachineUnderTest.live(3)
        let deletion = MachineUnderTest.stamp(10_000)
        let key = MachineUnderTest.id(1).description
        machine.server.put(key, .tombstone(stamp: deletion, ended: nil), in: MachineUnderTest.tombstones)
        try machine.tell(key, in: MachineUnderTest.tombstones)
        #expect(machine.open.map(\.call) == [.read(key, MachineUnderTest.records)])
        machine.put(1, .absent)
        machine.server.put(key, .absent, in: MachineUnderTest.tombstones)
        machine.server.horizon = deletion
        try machine.settle()
        #expect(machine.calls.filter(\.isWrite) == [])
        #expect(try machine.record(1).row == nil)
    }

    /// With `pull: incremental` no stream shows that a record is gone.
    @Test(arguments: [true, false])
    func `what was removed with a tombstone that has ended since is looked at before it is removed again`(
        isRemoved: Bool
    ) throws {
        let machine = try MachineUnderTest(pull: .incremental)
        machine.fill(3)
        try machine.take(.start)
        try machine.settle()
        for keyspace in [MachineUnderTest.records, MachineUnderTest.tombstones] {
            try machine.snapshotOfChanges(keyspace)
        }
        try machine.settle()
        let deletion = MachineUnderTest.stamp(10_000)
        let key = MachineUnderTest.id(1).description
        try machine.take(.paused([.push]))
        machine.server.put(key, .tombstone(stamp: deletion, ended: nil), in: MachineUnderTest.tombstones)
        try machine.tell(key, in: MachineUnderTest.tombstones)
        try machine.settle()
        if isRemoved { machine.put(1, .absent) }
        machine.server.put(key, .absent, in: MachineUnderTest.tombstones)
        machine.server.horizon = deletion
        try machine.tell(key, in: MachineUnderTest.tombstones)
        try machine.settle()
        try machine.take(.paused([]))
        try machine.settle()
        #expect(machine.server.entry(key, in: MachineUnderTest.records).value == .absent)
        #expect(machine.calls.filter(\.isWrite).isEmpty == isRemoved)
        #expect(try (machine.record(1).row == nil) == isRemoved)
    }

    // MARK: Without tombstones on the remote

    @Test(arguments: [true, false])
    func `lines of unknown time wait where the remote is not empty`(isEmpty: Bool) throws {
        let machine = try MachineUnderTest(keepsTombstones: false)
        if !isEmpty { machine.fill(1) }
        machine.origin = .replayed
        try machine.edit(MachineUnderTest.create(5, "Replayed"))
        machine.origin = .live
        try machine.goLive()
        try machine.edit(MachineUnderTest.create(6, "New"))
        try machine.settle()
        #expect(try machine.holds() == (isEmpty ? [] : [.belowHorizon]))
        #expect(machine.titleThere(5) == (isEmpty ? "Replayed" : nil))
        #expect(machine.titleThere(6) == "New")
    }

    @Test func `deletes that are kept here only end by age`() throws {
        let machine = try MachineUnderTest(keepsTombstones: false)
        machine.fill(3)
        try machine.goLive()
        try machine.edit(MachineUnderTest.delete(1))
        try machine.settle()
        #expect(try machine.counts().tombstones == 1)
        try machine.pass(machine.keep - 1000)
        #expect(try machine.counts().tombstones == 1)
        for _ in 0..<2 { try machine.pass(86_400_000) }
        #expect(try machine.counts().tombstones == 0)
        #expect(try machine.counts().records == 2)
    }
}
