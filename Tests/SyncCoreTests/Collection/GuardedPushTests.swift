import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// Pushes to a remote whose rules compare what stands there.
struct GuardedPushTests {
    typealias Machine = MachineUnderTest

    @Test(arguments: [true, false])
    func `what was edited past them is written back over what stands there`(
        keepsStamp: Bool
    ) throws {
        let machine = try Machine(writeGuard: .rules)
        machine.fill(2)
        try machine.goLive()
        machine.put(1, Machine.film(1, "console", keepsStamp ? Machine.stamp(50_000) : nil))
        try machine.tell(Machine.id(1))
        try machine.settle()
        try machine.restart()
        try machine.goLive()
        try machine.pass(4000)
        try machine.settle()
        // The rules see one body of an app in the other: it has to be there as it was read.
        let writes = machine.calls.compactMap { call in
            if case .write(let write, _, .matches) = call { write } else { nil }
        }
        #expect(writes.count == 1 && writes.first?.replaces == (keepsStamp ? Machine.stamp(50_000) : nil))
        #expect(machine.titleThere(1) == "console")
        #expect(try machine.counts().pending == 0)
    }

    @Test func `what others have changed below a stamp that stays is read before an edit goes over it`() throws {
        let machine = try Machine(writeGuard: .rules)
        machine.fill(20)
        try machine.goLive()
        for number in 0..<15 as Range<UInt64> {
            machine.put(number, Machine.film(number, "console", Machine.stamp(50_000)))
            try machine.tell(Machine.id(number))
        }
        let edits = (0..<15 as Range<UInt64>).map {
            #"{"op":"update","id":"\#(Machine.id($0))","fields":{"year":1979}}"#
        }
        try machine.edit(edits)
        try machine.settleWithPauses(5)
        #expect(try machine.counts().pending == 0)
        for number in 0..<15 as Range<UInt64> {
            #expect(try machine.title(number) == "console" && machine.titleThere(number) == "console")
            #expect(try machine.record(number).state.view?.fields["year"] == 1979)
        }
    }

    @Test func `each write names what it replaces`() throws {
        let machine = try Machine(writeGuard: .rules)
        machine.fill(2)
        try machine.goLive()
        try machine.edit(Machine.update(1, "mine"), Machine.create(5, "new"))
        guard case .writeBatch(let elements)? = machine.calls.last else { throw Machine.Missing() }
        let replaced = Dictionary(uniqueKeysWithValues: elements.map { ($0.key, $0.write?.replaces) })
        #expect(replaced == [Machine.id(1).description: Machine.stamp(50_000), Machine.id(5).description: nil])
        try machine.settle()
        try machine.edit(Machine.delete(1))
        guard case .writeBatch(let ended)? = machine.calls.last else { throw Machine.Missing() }
        #expect(ended.map(\.keyspace) == [Machine.tombstones, Machine.records])
        #expect(ended.first?.write?.replaces == (try machine.record(1).state.remote?.stamp))
        try machine.settle()
        #expect(machine.titleThere(1) == nil && machine.titleThere(5) == "new")
    }

    @Test(arguments: [1, 3])
    func `of a refused batch nothing is written again that a hold names by now`(count: UInt64) throws {
        let machine = try Machine(writeGuard: .rules)
        machine.fill(2)
        try machine.goLive()
        try machine.edit((10..<11 + count).map { Machine.create($0, "new") })
        let future = RFC3339.text(machine.wall + 3_600_000)
        try machine.edit(
            #"{"op":"update","id":"\#(Machine.id(10))","fields":{"title":"later"},"at":"\#(future)"}"#)
        #expect(try machine.holds() == [.futureEdit])
        let before = machine.calls.count
        try machine.answer(RemoteError(.denied, "Permission denied"))
        let keys = machine.calls.dropFirst(before).flatMap { call -> [String] in
            guard case .writeBatch(let elements) = call else { return [] }
            return elements.map(\.key)
        }
        #expect(keys.sorted() == (11..<11 + count).map { Machine.id($0).description }.sorted())
        try machine.settle()
        #expect(machine.titleThere(11) == "new" && machine.titleThere(10) == nil)
    }

    @Test(arguments: [true, false])
    func `what an app has made where no stream tells of it is not written over by a record of the same id`(
        isThere: Bool
    ) throws {
        let machine = try Machine(writeGuard: .rules)
        machine.fill(2)
        try machine.goLive()
        try machine.take(.streamEnded(Machine.records, stream: 1, RemoteError(.streamEnded, "cut")))
        let fields: [String: JSONValue] = [
            "identifier": .string(Machine.id(5).description), "title": "app's", "hasWatched": true, "note": "app's",
        ]
        if isThere { machine.put(5, .record(fields: fields, stamps: nil)) }
        try machine.edit(Machine.create(5, "mine"))
        #expect(machine.calls.last == .read(Machine.id(5).description, Machine.records))
        try machine.settleWithPauses()
        guard case .record(let written, .some) = machine.server.entry(Machine.id(5).description).value else {
            Issue.record("there is no record of ours")
            return
        }
        #expect(written["note"] == (isThere ? "app's" : nil) && written["hasWatched"] == .bool(isThere))
        #expect(try machine.counts().pending == 0)
    }

    @Test func `while no stream shows it, what may have changed below a stamp that stays is read first`() throws {
        let machine = try Machine(writeGuard: .rules)
        machine.fill(2)
        try machine.goLive()
        try machine.take(.streamEnded(Machine.records, stream: 1, RemoteError(.streamEnded, "cut")))
        machine.put(1, Machine.film(1, "console", Machine.stamp(50_000)))
        try machine.edit(#"{"op":"update","id":"\#(Machine.id(1))","fields":{"year":1979}}"#)
        #expect(machine.calls.last == .read(Machine.id(1).description, Machine.records))
        try machine.settleWithPauses()
        #expect(machine.titleThere(1) == "console")
        #expect(try machine.counts().pending == 0 && machine.record(1).state.view?.fields["year"] == 1979)
    }

    @Test(arguments: [true, false])
    func `what another node overwrites that had not seen it is in the ledger`(wasSeen: Bool) throws {
        let machine = try Machine(writeGuard: .rules)
        machine.fill(2)
        try machine.goLive()
        machine.put(1, Machine.film(1, "console", Machine.stamp(50_000)))
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(try machine.title(1) == "console")
        let (before, now) = (Machine.stamp(50_000), Machine.stamp(10, NodeID(3)))
        let fields: [String: JSONValue] = [
            "identifier": .string(Machine.id(1).description), "title": "F1", "hasWatched": false, "year": 1979,
        ]
        let stamps = FieldStamps(before, named: wasSeen ? ["year": now, "title": now] : ["year": now])
        machine.put(1, .record(fields: fields, stamps: RemoteStamps(now, fields: stamps, replaces: before)))
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(try machine.title(1) == "F1" && machine.record(1).state.view?.fields["year"] == 1979)
        let lost = try machine.read { try $0.conflicts(before: 0, limit: 9) }
        #expect(lost.map(\.fields) == (wasSeen ? [] : [["title"]]))
        #expect(lost.allSatisfy { $0.loser.content?.fields == ["title": "console"] && $0.winner.stamp == now })
    }

    // MARK: writeGuard: etag

    private func lastWrite(_ machine: Machine) -> RemoteWrite? {
        machine.calls.compactMap { if case .write(let write, _, _) = $0 { write } else { nil } }.last
    }

    @Test func `with an ETag too each write names what it replaces`() throws {
        let machine = try Machine.live(2)
        try machine.edit(Machine.update(1, "mine"))
        try machine.settle()
        #expect(lastWrite(machine)?.replaces == Machine.stamp(50_000))
        let stamp = try machine.record(1).state.remote?.stamp
        try machine.edit(Machine.delete(1))
        try machine.settle()
        #expect(stamp != nil && lastWrite(machine)?.replaces == stamp)
        try machine.edit(Machine.create(1, "again"))
        try machine.settle()
        #expect(lastWrite(machine)?.replaces == nil && machine.titleThere(1) == "again")
    }

    @Test(arguments: [true, false]) func `what an administrator has changed is written back with its stamp`(
        keepsStamp: Bool
    ) throws {
        let machine = try Machine.live(2)
        machine.put(1, Machine.film(1, "console", keepsStamp ? Machine.stamp(50_000) : nil))
        try machine.tell(Machine.id(1))
        try machine.settle()
        try machine.restart()
        try machine.goLive()
        try machine.pass(4000)
        try machine.settle()
        #expect(lastWrite(machine)?.replaces == (keepsStamp ? Machine.stamp(50_000) : nil))
        #expect(try machine.titleThere(1) == "console" && machine.counts().pending == 0)
    }

    @Test func `where no tombstones are kept no write does`() throws {
        let machine = try Machine(keepsTombstones: false)
        machine.fill(2)
        try machine.goLive()
        try machine.edit(Machine.update(1, "mine"))
        try machine.settle()
        #expect(machine.titleThere(1) == "mine" && lastWrite(machine)?.replaces == nil)
    }

    @Test func `a tombstone is written again where the rules find another version than it names`() throws {
        let machine = try Machine.live(2)
        try machine.edit(Machine.delete(1))
        // What another node wrote in between.
        let between = Machine.stamp(20_000)
        machine.put(1, Machine.film(1, "between", between))
        var denials = 0
        while let request = machine.open.first {
            let isRemoval = if case .remove = request.call { true } else { false }
            let isDenied = isRemoval && lastWrite(machine)?.replaces != between
            denials += isDenied ? 1 : 0
            try machine.answer(isDenied ? RemoteError(.denied, "Permission denied") : nil)
        }
        #expect(try denials == 1 && machine.titleThere(1) == nil && machine.counts().pending == 0)
    }

    @Test func `a delete that the rules never allow waits, and writes its tombstone twice at most`() throws {
        let machine = try Machine.live(2)
        try machine.edit(Machine.delete(1))
        for _ in 0..<600 {
            while let request = machine.open.first {
                let isRemoval = if case .remove = request.call { true } else { false }
                try machine.answer(isRemoval ? RemoteError(.denied, "Permission denied") : nil)
            }
            try machine.pass(1000)
        }
        let tombstones = machine.calls.count { if case .write(_, Machine.tombstones, _) = $0 { true } else { false } }
        #expect(tombstones == 2 && machine.calls.count < 60)
    }
}
