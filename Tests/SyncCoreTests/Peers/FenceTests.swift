import SyncCore
import SyncModel
import Testing

/// A node that was away for longer than tombstones are kept.
struct FenceTests {
    private static let late: UInt64 = 86_400_000

    /// A node with ten films that was away while film 1 was deleted, and its tombstone has ended.
    private func returned(_ pull: PullMode = .full, horizon: Stamp? = nil) throws -> MachineUnderTest {
        let machine = try MachineUnderTest(pull: pull)
        machine.keep = 3_600_000
        machine.fill(10)
        try machine.start(pull)
        #expect(try machine.counts().records == 10)
        try machine.restart()
        try machine.pass(Self.late)
        machine.put(1, .absent)
        machine.server.horizon = horizon ?? MachineUnderTest.stamp(0)
        return machine
    }

    private func isFenced(_ machine: MachineUnderTest) -> Bool {
        machine.notes.contains { if case .fenced = $0 { true } else { false } }
    }

    /// The streams end, and nothing of what happens is seen any more.
    private func end(_ machine: MachineUnderTest) throws {
        for keyspace in [MachineUnderTest.tombstones, MachineUnderTest.records] {
            let stream = try #require(machine.streams[keyspace])
            try machine.take(.streamEnded(keyspace, stream: stream.number, RemoteError(.unreachable, "away")))
        }
    }

    /// What was missed may have been stamped right after what was seen.
    @Test func `a tombstone that ended unseen is missed, however close to the last one it is`() throws {
        let machine = try MachineUnderTest(pull: .incremental)
        machine.fill(3)
        let key = MachineUnderTest.id(0).description
        machine.put(0, .absent)
        let seen = MachineUnderTest.stamp(2_000)
        machine.server.put(key, .tombstone(stamp: seen, ended: nil), in: MachineUnderTest.tombstones)
        try machine.start(.incremental)
        try machine.restart()
        machine.put(1, .absent)
        machine.server.horizon = seen
        try machine.start(.incremental)
        #expect(try !isFenced(machine) && machine.title(1) == "F1")
        try machine.restart()
        machine.server.horizon = MachineUnderTest.stamp(1_000)
        try machine.start(.incremental)
        #expect(try isFenced(machine) && machine.title(1) == nil)
    }

    @Test func `a clock that stood still meanwhile hides no absence`() throws {
        let machine = try MachineUnderTest(pull: .incremental)
        machine.fill(3)
        try machine.start(.incremental)
        try machine.restart()
        machine.put(1, .absent)
        machine.serverIsKnown = false
        try machine.take(.start)
        // Until it is set right, nothing can be told by it.
        machine.serverIsKnown = true
        machine.offset = Int64(machine.keep) + 1_000
        try machine.settleAndShow()
        machine.offset = 0
        machine.wall += machine.keep + 1_000
        for _ in 0..<3 { try machine.settleAndShow() }
        #expect(try isFenced(machine) && machine.title(1) == nil)
    }

    @Test func `a pause counts from its beginning`() throws {
        let machine = try MachineUnderTest(pull: .incremental)
        machine.fill(3)
        try machine.start(.incremental)
        try machine.take(.paused([.pull]))
        machine.put(1, .absent)
        machine.monotonic += machine.keep + 1_000
        try machine.take(.paused([]))
        for _ in 0..<3 {
            try machine.pass(2_000)
            try machine.settleAndShow()
        }
        #expect(try isFenced(machine) && machine.title(1) == nil)
    }

    private func calls(_ machine: MachineUnderTest, writing id: UInt64) -> Int {
        machine.calls.count { call in
            if case .write(let write, _, _) = call { write.key == MachineUnderTest.id(id).description } else { false }
        }
    }

    @Test(arguments: [PullMode.full, .incremental])
    func `it takes what the remote has`(pull: PullMode) throws {
        let machine = try returned(pull)
        try machine.start(pull)
        #expect(isFenced(machine))
        #expect(try machine.title(1) == nil)
        #expect(try machine.counts() == CollectionCounts(records: 9))
        #expect(machine.server.keys().count == 9)
        #expect(machine.server.keys(MachineUnderTest.tombstones) == [])
        #expect(calls(machine, writing: 1) == 0)
    }

    @Test(arguments: [PullMode.full, .incremental])
    func `a restart in between changes nothing of that`(pull: PullMode) throws {
        let machine = try returned(pull)
        try machine.take(.start)
        try machine.settle()
        try machine.restart()
        try machine.start(pull)
        #expect(try machine.counts() == CollectionCounts(records: 9))
        #expect(machine.server.keys().count == 9)
    }

    @Test(arguments: [PullMode.full, .incremental])
    func `edits that were not sent are merged, and old ones of what is gone wait`(pull: PullMode) throws {
        // Deleted after the edits were made.
        let machine = try returned(
            pull, horizon: Stamp(physical: MachineUnderTest.start + 500_000_000, counter: 0, node: NodeID(9)))
        try machine.edit(MachineUnderTest.update(1, "Edited"), MachineUnderTest.update(2, "Merged"))
        try machine.restart()
        try machine.pass(500_000_000)
        try machine.start(pull)
        #expect(machine.titleThere(2) == "Merged")
        #expect(machine.titleThere(1) == nil)
        #expect(try machine.holds() == [.belowHorizon])
        #expect(try machine.title(1) == "Edited")
    }

    /// Film 1 was deleted there too, that tombstone has ended, and this node's delete was never sent.
    private func returnedWithDelete() throws -> MachineUnderTest {
        let machine = try returned(.incremental)
        machine.origin = .backlog(modified: MachineUnderTest.start - 40_000)
        try machine.edit(MachineUnderTest.delete(1))
        machine.origin = .live
        try machine.restart()
        return machine
    }

    private func tombstonesWritten(_ machine: MachineUnderTest) -> Int {
        machine.calls.count { call in
            if case .write(_, MachineUnderTest.tombstones, _) = call { true } else { false }
        }
    }

    @Test func `a delete of what the remote has no more is not sent before the keys are compared`() throws {
        let machine = try returnedWithDelete()
        try machine.edit(MachineUnderTest.create(20, "New"))
        try machine.start(.incremental)
        #expect(isFenced(machine) && machine.calls.contains(.keys(MachineUnderTest.records)))
        #expect(tombstonesWritten(machine) == 0)
        #expect(try machine.record(1).row == nil && machine.counts() == CollectionCounts(records: 10))
        #expect(machine.titleThere(20) == "New")
    }

    @Test func `a comparison that the end of the stream has undone is made again`() throws {
        let machine = try returnedWithDelete()
        try machine.startUntilKeys()
        let keys = try #require(machine.open.lastIndex { $0.call == .keys(MachineUnderTest.records) })
        for keyspace in [MachineUnderTest.tombstones, MachineUnderTest.records] {
            if keyspace == MachineUnderTest.records { try machine.answer(number: keys) }
            let stream = try #require(machine.streams[keyspace])
            try machine.take(.streamEnded(keyspace, stream: stream.number, RemoteError(.streamEnded, "cut")))
        }
        try machine.pass(2000)
        for keyspace in [MachineUnderTest.tombstones, MachineUnderTest.records] {
            try machine.snapshotOfChanges(keyspace)
        }
        try machine.settle()
        #expect(tombstonesWritten(machine) == 0)
        #expect(try machine.record(1).row == nil && machine.counts() == CollectionCounts(records: 9))
        #expect(machine.calls.count { $0 == .keys(MachineUnderTest.records) } == 2)
    }

    @Test func `too many at once wait for a person`() throws {
        let machine = try returned()
        for number in UInt64(1)...8 { machine.put(number, .absent) }
        try machine.start(.full)
        #expect(try machine.holds() == [.massDelete])
        #expect(try machine.counts().records == 10)
        #expect(machine.server.keys().count == 2)
    }

    @Test func `a node that was never away is not fenced`() throws {
        let machine = try MachineUnderTest()
        machine.fill(10)
        try machine.goLive()
        try machine.restart()
        try machine.pass(Self.late)
        try machine.goLive()
        #expect(!isFenced(machine))
    }

    @Test func `whose tombstones have ended before it had applied them is fenced, whatever its clock says`() throws {
        let machine = try MachineUnderTest()
        machine.fill(10)
        try machine.goLive()
        try machine.restart()
        machine.server.horizon = MachineUnderTest.stamp(0)
        try machine.goLive()
        #expect(isFenced(machine))
    }

    @Test func `a node whose stream is down for that long pushes nothing before it has compared`() throws {
        let machine = try MachineUnderTest()
        machine.keep = 3_600_000
        machine.fill(10)
        try machine.goLive()
        try end(machine)
        machine.put(1, .absent)
        try machine.pass(Self.late)
        machine.server.horizon = MachineUnderTest.stamp(0)
        try machine.edit(MachineUnderTest.create(20, "New"))
        try machine.settle()
        #expect(machine.titleThere(20) == nil)
        try machine.snapshot(MachineUnderTest.tombstones)
        try machine.snapshot()
        try machine.settle()
        #expect(isFenced(machine))
        #expect(machine.titleThere(20) == "New")
        #expect(try machine.title(1) == nil)
    }

    /// A delete that the journal repeats, where only its tombstone was known.
    @Test(arguments: [true, false])
    func `a tombstone that may have ended is looked at before it is raised`(hasEnded: Bool) throws {
        let machine = try MachineUnderTest(pull: .incremental)
        machine.fill(3)
        let deletion = MachineUnderTest.stamp(20_000)
        let key = MachineUnderTest.id(1).description
        func live() throws {
            try machine.settle()
            for keyspace in [MachineUnderTest.records, MachineUnderTest.tombstones] {
                try machine.snapshotOfChanges(keyspace)
            }
            try machine.settle()
        }
        machine.put(1, .absent)
        machine.server.put(key, .tombstone(stamp: deletion, ended: nil), in: MachineUnderTest.tombstones)
        let later = MachineUnderTest.stamp(10_000)
        machine.put(2, .absent)
        machine.server.put(
            MachineUnderTest.id(2).description, .tombstone(stamp: later, ended: nil), in: MachineUnderTest.tombstones)
        try machine.take(.start)
        try live()
        try machine.restart()
        if hasEnded { machine.server.put(key, .absent, in: MachineUnderTest.tombstones) }
        machine.server.horizon = later
        try machine.take(.start)
        machine.origin = .backlog(modified: MachineUnderTest.start - 15_000)
        try machine.edit(MachineUnderTest.delete(1))
        machine.origin = .live
        try live()
        #expect(machine.calls.filter(\.isWrite).isEmpty == hasEnded)
        #expect(try (machine.record(1).row == nil) == hasEnded)
    }
}

extension MachineUnderTest {
    /// Goes live, in pages first where only changes are pulled.
    fileprivate func start(_ pull: PullMode) throws {
        if pull == .full { return try goLive() }
        try take(.start)
        for _ in 0..<5 {
            try settle()
            try snapshots()
        }
        try settle()
    }

    private func snapshots() throws {
        for keyspace in [MachineUnderTest.tombstones, MachineUnderTest.records] {
            if streams[keyspace] != nil { try snapshotOfChanges(keyspace) }
        }
    }

    /// Goes as far as the question for all keys, which is not answered.
    fileprivate func startUntilKeys() throws {
        try take(.start)
        for _ in 0..<5 where !asksForKeys {
            while !open.isEmpty, !asksForKeys { try answer() }
            if !asksForKeys { try snapshots() }
        }
    }

    private var asksForKeys: Bool { open.contains { $0.call == .keys(MachineUnderTest.records) } }

}

extension CollectionCounts {
    /// Nothing but live records.
    init(records: Int) {
        self.init()
        self.records = records
    }
}
