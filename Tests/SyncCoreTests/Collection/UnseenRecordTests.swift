import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// Edits of records that this node has not seen, and that apps wrote: `docs/protocol.md` section 9.
struct UnseenRecordTests {
    typealias Machine = MachineUnderTest

    /// The lines came before the app's films were shown: their edits count, and what a delete ended is in the ledger.
    private func expectEdited(_ machine: Machine, _ numbers: (updated: UInt64, deleted: UInt64)) throws {
        #expect(try machine.title(numbers.updated) == "mine" && machine.titleThere(numbers.updated) == "mine")
        #expect(try machine.title(numbers.deleted) == nil && machine.titleThere(numbers.deleted) == nil)
        #expect(machine.server.keys(Machine.tombstones).contains(Machine.id(numbers.deleted).description))
        let lost = try machine.read { try $0.conflicts(before: 0, limit: 9) }.map(\.loser.content?.fields["title"])
        #expect(lost == ["app's"])
        #expect(try machine.quarantine().isEmpty && machine.counts().pending == 0)
    }

    @Test(arguments: [PullMode.full, .incremental])
    func `made before the first snapshot`(pull: PullMode) throws {
        let machine = try Machine(pull: pull)
        machine.fill(20)
        for number: UInt64 in [30, 31] { machine.put(number, Machine.film(number, "app's")) }
        // The journal is read before the collection begins.
        try machine.edit(Machine.update(30, "first"), Machine.update(30, "mine"), Machine.delete(31))
        try machine.pass(1000)
        try machine.take(.start)
        if pull == .full {
            try machine.snapshot(Machine.tombstones)
            try machine.snapshot()
        } else {
            try machine.settle()
            for keyspace in [Machine.records, Machine.tombstones] {
                try machine.snapshotOfChanges(keyspace)
            }
        }
        try machine.settleWithPauses(5)
        try expectEdited(machine, (30, 31))
    }

    @Test func `made while no stream is open`() throws {
        let machine = try Machine.live(20)
        try machine.pass(1000)
        try machine.take(.streamEnded(Machine.records, stream: 1, RemoteError(.streamEnded, "cut")))
        try machine.pass(1000)
        for number: UInt64 in [30, 31] { machine.put(number, Machine.film(number, "app's")) }
        try machine.edit(Machine.update(30, "mine"), Machine.delete(31))
        try machine.pass(2000)
        try machine.snapshot()
        try machine.settleWithPauses(5)
        try expectEdited(machine, (30, 31))
    }

    @Test func `what is made anew while others are still looked at is written, and what was deleted is in the ledger`()
        throws
    {
        let machine = try Machine.live(20)
        try machine.pass(1000)
        try machine.take(.streamEnded(Machine.records, stream: 1, RemoteError(.streamEnded, "cut")))
        try machine.pass(1000)
        for number: UInt64 in [30, 31] { machine.put(number, Machine.film(number, "app's")) }
        try machine.edit(Machine.delete(30), Machine.delete(31))
        try machine.answer()
        try machine.edit(Machine.create(30, "anew"))
        try machine.settleWithPauses()
        #expect(try machine.title(30) == "anew" && machine.titleThere(30) == "anew")
        #expect(try machine.title(31) == nil && machine.titleThere(31) == nil)
        let lost = try machine.read { try $0.conflicts(before: 0, limit: 9) }.map(\.loser.content?.fields["title"])
        #expect(lost == ["app's", "app's"])
        #expect(try machine.counts().pending == 0)
    }

    @Test func `what a delete ended is in the ledger, also where the daemon ends before it is pushed`() throws {
        let machine = try Machine.live(20)
        try machine.take(.paused([.push]))
        // A delete of what this node had seen is no conflict.
        try machine.edit(Machine.delete(1))
        try machine.pass(1000)
        try machine.take(.streamEnded(Machine.records, stream: 1, RemoteError(.streamEnded, "cut")))
        try machine.pass(1000)
        machine.put(31, Machine.film(31, "app's"))
        try machine.edit(Machine.delete(31))
        try machine.pass(2000)
        try machine.snapshot()
        try machine.settle()
        #expect(try machine.counts().conflicts == 0)
        try machine.restart()
        try machine.goLive()
        try machine.settleWithPauses(5)
        #expect(machine.titleThere(1) == nil && machine.titleThere(31) == nil)
        let lost = try machine.read { try $0.conflicts(before: 0, limit: 9) }.map(\.loser.content?.fields["title"])
        #expect(lost == ["app's"])
        #expect(try machine.counts().pending == 0)
    }

    @Test(arguments: [false, true])
    func `where they are too many they wait also after a restart, of an older release too`(isOlder: Bool) throws {
        let machine = try Machine()
        machine.fill(20)
        try machine.take(.paused([.push]))
        try machine.edit((0..<12 as Range<UInt64>).map(Machine.delete))
        try machine.take(.start)
        try machine.snapshot(Machine.tombstones)
        try machine.snapshot()
        try machine.settle()
        // That noted only that there are some.
        if isOlder {
            try machine.read { book in
                try book.setText("unseen.movies", "yes")
                try book.removeValue("unseen.movies.each")
                for number in 0..<12 as Range<UInt64> { try book.removeValue("unseen.movies.\(Machine.id(number))") }
            }
        }
        try machine.restart()
        try machine.goLive()
        try machine.settleWithPauses(5)
        #expect(try machine.holds() == [.massDelete] && machine.counts().records == 20)
        #expect(machine.server.keys().count == 20)
    }

    @Test func `once they are decided, those that wait to go out are not judged a second time`() throws {
        let machine = try Machine()
        machine.fill(20)
        try machine.take(.paused([.push]))
        try machine.edit(Machine.delete(0))
        try machine.take(.start)
        try machine.snapshot(Machine.tombstones)
        try machine.snapshot()
        try machine.settle()
        // Another node deletes it, too, while this one does not run.
        machine.put(0, .absent)
        let tombstone = RemoteValue.tombstone(stamp: Machine.stamp(10), ended: nil)
        machine.server.put(Machine.id(0).description, tombstone, in: Machine.tombstones)
        try machine.restart()
        try machine.take(.paused([.push]))
        try machine.goLive()
        try machine.settleWithPauses(5)
        try machine.edit((1..<13 as Range<UInt64>).map(Machine.delete))
        try machine.decide(.massDelete, approved: true)
        try machine.restart()
        try machine.goLive()
        try machine.settleWithPauses(5)
        #expect(try machine.holds().isEmpty && machine.counts().records == 7)
        #expect(machine.server.keys().count == 7)
    }

    @Test func `what an app wrote after that counts more, where a stream has told that it was not there`() throws {
        let machine = try Machine.live(20)
        try machine.edit(Machine.update(30, "early"))
        try machine.pass(1000)
        try machine.take(.streamEnded(Machine.records, stream: 1, RemoteError(.streamEnded, "cut")))
        machine.put(30, Machine.film(30, "app's"))
        try machine.pass(2000)
        try machine.snapshot()
        try machine.settleWithPauses(5)
        #expect(try machine.title(30) == "app's" && machine.titleThere(30) == "app's")
    }

    @Test func `also where the daemon was killed before it could say so`() throws {
        let machine = try Machine.live(20)
        try machine.take(.paused([.push]))
        try machine.pass(1000)
        try machine.edit(Machine.update(30, "early"), Machine.delete(31))
        try machine.pass(1000)
        try machine.restart()
        for number: UInt64 in [30, 31] { machine.put(number, Machine.film(number, "app's")) }
        try machine.goLive()
        try machine.settleWithPauses(5)
        #expect(try machine.title(30) == "app's" && machine.title(31) == "app's")
    }

    @Test func `lines that are older than this node, as of a state that was put back, lose`() throws {
        let machine = try Machine()
        machine.fill(20)
        for number: UInt64 in [30, 31] { machine.put(number, Machine.film(number, "app's")) }
        try machine.take(.start)
        try machine.pass(1000)
        let at = #","at":"\#(RFC3339.text(Machine.start - 3_600_000))"}"#
        try machine.edit(Machine.update(30, "old").dropLast() + at, Machine.delete(31).dropLast() + at)
        try machine.snapshot(Machine.tombstones)
        try machine.snapshot()
        try machine.settleWithPauses(5)
        #expect(try machine.title(30) == "app's" && machine.titleThere(30) == "app's")
        #expect(try machine.title(31) == "app's" && machine.titleThere(31) == "app's")
    }

    @Test func `too many deletes wait together`() throws {
        let machine = try Machine()
        machine.fill(20)
        for number: UInt64 in 30..<50 { machine.put(number, Machine.film(number, "app's")) }
        try machine.take(.start)
        try machine.pass(1000)
        try machine.edit((30..<50 as Range<UInt64>).map(Machine.delete))
        try machine.snapshot(Machine.tombstones)
        try machine.snapshot()
        try machine.settleWithPauses(5)
        #expect(try machine.holds() == [.massDelete])
        #expect((30..<50 as Range<UInt64>).allSatisfy { machine.titleThere($0) == "app's" })
        #expect(try machine.read { try $0.holds().map(\.count) } == [20])
        try machine.decide(.massDelete, approved: true)
        try machine.settleWithPauses(5)
        #expect((30..<50 as Range<UInt64>).allSatisfy { machine.titleThere($0) == nil })
    }

    @Test func `another node's later edit counts more`() throws {
        let machine = try Machine.live(20)
        try machine.pass(1000)
        try machine.take(.streamEnded(Machine.records, stream: 1, RemoteError(.streamEnded, "cut")))
        try machine.pass(1000)
        try machine.edit(Machine.update(30, "early"))
        try machine.pass(1000)
        let stamp = Stamp(physical: machine.wall, counter: 0, node: Machine.other)
        machine.put(30, Machine.film(30, "later", stamp))
        try machine.pass(2000)
        try machine.snapshot()
        try machine.settleWithPauses(5)
        #expect(try machine.title(30) == "later" && machine.titleThere(30) == "later")
        #expect(try machine.counts().conflicts == 1)
    }

    @Test(arguments: [true, false])
    func `it is not forgotten where the answer to the read never comes`(isKilled: Bool) throws {
        let machine = try Machine.live(20)
        try machine.pass(1000)
        try machine.take(.streamEnded(Machine.records, stream: 1, RemoteError(.streamEnded, "cut")))
        try machine.pass(1000)
        machine.put(31, Machine.film(31, "app's"))
        try machine.edit(Machine.delete(31))
        try machine.pass(2000)
        try machine.snapshot()
        try machine.pass(1000)
        if isKilled {
            try machine.restart()
            try machine.goLive()
        } else {
            while !machine.open.isEmpty { try machine.answer(RemoteError(.unreachable, "cut")) }
            try machine.reconnect()
            try machine.pass(5000)
            try machine.snapshot()
        }
        try machine.settleWithPauses(5)
        #expect(try machine.title(31) == nil && machine.titleThere(31) == nil)
    }

    @Test func `a new record is written under a condition while no stream tells what stands there`() throws {
        let machine = try Machine.live(2)
        try machine.edit(Machine.create(20, "live"))
        guard case .writeBatch = machine.calls.last else { return #expect(Bool(false), "\(machine.calls.last as Any)") }
        try machine.settle()
        try machine.take(.streamEnded(Machine.records, stream: 1, RemoteError(.streamEnded, "cut")))
        machine.put(21, Machine.film(21, "app's"))
        try machine.edit(Machine.create(21, "mine"))
        guard case .write(_, _, .absent) = machine.calls.last else {
            return #expect(Bool(false), "\(machine.calls.last as Any)")
        }
        try machine.settle()
        // What an app wrote is dated by when it was read: the other one is in the ledger.
        #expect(try machine.title(21) == "app's" && machine.titleThere(21) == "app's")
        #expect(try machine.counts().conflicts == 1)
    }
}
