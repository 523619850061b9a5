import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// What an app makes of a record below it, so that the stamp stays: `docs/protocol.md` section 9.
struct AlteredTests {
    typealias Machine = MachineUnderTest

    /// An app patches the film 1, which another node wrote, and the node has had its turn.
    private func patched(_ fields: [String: JSONValue]) throws -> Machine {
        let machine = try Machine.live(3)
        let film: [String: JSONValue] = [
            "identifier": .string(Machine.id(1).description), "title": "F1", "hasWatched": false,
        ]
        machine.put(
            1, .record(fields: film.merging(fields) { $1 }, stamps: RemoteStamps(Machine.stamp(50_000))))
        try machine.tell(Machine.id(1))
        try machine.settle()
        try machine.pass(4000)
        try machine.settle()
        return machine
    }

    @Test(arguments: [(1, true), ("true", true), (0, false), (true, true)] as [(JSONValue, Bool)])
    func `it is read with care, and written back as others expect it`(value: JSONValue, expected: Bool) throws {
        let machine = try patched(["hasWatched": value])
        guard case .record(let fields, let stamps) = machine.server.entry(Machine.id(1).description).value else {
            Issue.record("there is no record")
            return
        }
        #expect(fields["hasWatched"] == .bool(expected))
        #expect(stamps.map { $0.version > Machine.stamp(50_000) } == true)
        #expect(try machine.record(1).state.view?.fields["hasWatched"] == .bool(expected))
        #expect(try machine.counts().pending == 0 && machine.quarantine().isEmpty)
    }

    @Test func `in an older version, what is as it was still before is the app's as well`() throws {
        let machine = try Machine.live(3)
        for (title, before) in [("A", 40_000), ("B", 30_000), ("C", 20_000)] as [(String, UInt64)] {
            machine.put(1, Machine.film(1, title, Machine.stamp(before)))
            try machine.tell(Machine.id(1))
            try machine.settle()
        }
        machine.put(1, Machine.film(1, "A", Machine.stamp(30_000)))
        try machine.tell(Machine.id(1))
        try machine.settleWithPauses()
        #expect(try machine.title(1) == "A" && machine.titleThere(1) == "A" && machine.counts().conflicts == 0)
    }

    @Test(arguments: [["hasWatched": "x"], ["title": ""], ["title": 5]] as [[String: JSONValue]])
    func `what can't be a record goes to quarantine, stays as it is, and can be mended`(
        fields: [String: JSONValue]
    ) throws {
        let machine = try patched(fields)
        #expect(try machine.quarantine() == [.unreadableRecord] && machine.title(1) == "F1")
        #expect(machine.calls.allSatisfy { !$0.isWrite })
        machine.put(1, Machine.film(1, "mended"))
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(try machine.quarantine().isEmpty && machine.title(1) == "mended")
    }

    @Test(arguments: [(true, PullMode.full), (false, .full), (true, .incremental), (false, .incremental)])
    func `what can't be a record stays in quarantine when all is shown once more`(
        restarting: Bool, pull: PullMode
    ) throws {
        let machine = try Machine.live(3, pull: pull)
        machine.put(1, spoilt())
        try machine.tell(Machine.id(1))
        try machine.settle()
        let item = try machine.read { try $0.quarantined(after: 0, limit: 9) }
        #expect(item.map(\.defect.code) == [.unreadableRecord])
        try machine.edit(Machine.update(1, "mine"))
        for _ in 0..<2 {
            try machine.comeBack(to: machine.server, restarting: restarting)
            try machine.settleAndShow()
            try machine.settleWithPauses()
        }
        #expect(try machine.read { try $0.quarantined(after: 0, limit: 9) }.map(\.defect.code) == [.unreadableRecord])
        #expect(machine.server.entry(Machine.id(1).description).value == spoilt())
        machine.put(1, Machine.film(1, "mended"))
        try machine.tell(Machine.id(1))
        try machine.settleWithPauses()
        #expect(try machine.quarantine().isEmpty && machine.counts().pending == 0)
    }

    /// What the stream showed first looked like a record; the daemon hears of its own entry last.
    @Test func `a read that finds it is believed, also before the snapshot is judged`() throws {
        let machine = try Machine.live(3)
        machine.put(1, spoilt())
        machine.answersBeside = false
        try machine.restart()
        try machine.take(.start)
        try machine.snapshot(Machine.tombstones)
        try machine.snapshot()
        let call = RemoteCall.read(Machine.id(1).description, Machine.records)
        let read = try #require(machine.open.firstIndex { $0.call == call })
        try machine.answer(number: read)
        try machine.settle()
        #expect(try machine.quarantine() == [.unreadableRecord])
    }

    @Test(arguments: [PullMode.full, .incremental])
    func `what an app wrote over a version that was not seen ends a delete that had not seen it`(pull: PullMode) throws
    {
        let machine = try Machine.live(3, pull: pull)
        try machine.edit(Machine.delete(1))
        let (before, other) = (Machine.stamp(50_000), Machine.stamp(10, NodeID(3)))
        let fields: [String: JSONValue] = [
            "identifier": .string(Machine.id(1).description), "title": "App", "hasWatched": false, "year": 1979,
        ]
        let stamps = RemoteStamps(other, fields: FieldStamps(before, named: ["year": other]), replaces: before)
        machine.put(1, .record(fields: fields, stamps: stamps))
        try machine.tell(Machine.id(1))
        try machine.settleWithPauses()
        #expect(try machine.title(1) == "App" && machine.titleThere(1) == "App")
        #expect(try machine.counts().pending == 0)
    }

    /// The film 1 with a title that nobody can read, under the stamp that another node gave it.
    private func spoilt() -> RemoteValue {
        .record(
            fields: ["identifier": .string(Machine.id(1).description), "title": 5, "hasWatched": false],
            stamps: RemoteStamps(Machine.stamp(50_000)))
    }
}
