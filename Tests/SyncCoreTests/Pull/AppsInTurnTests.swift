import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// Apps that write one after the other, and between the versions of nodes: `docs/protocol.md` section 9.
struct AppsInTurnTests {
    typealias Record = RecordUnderTest
    typealias Machine = MachineUnderTest

    @Test(arguments: [MergeRules(), MergeRules(byRecord: true)])
    func `what one app wrote, and the next one dropped because it does not know it, is kept`(rules: MergeRules) {
        var record = Record(rules)
        _ = record.sees(["title": "A", "note": "n"], 5)
        _ = record.seesApp(["title": "A", "note": "by the first"])
        let outcome = record.seesApp(["title": "by the second"])
        #expect(outcome.conflicts.isEmpty && record.fields == ["title": "by the second", "note": "by the first"])
        #expect(record.isWritten()?.content.fields == ["title": "by the second", "note": "by the first"])
        #expect(!record.differs)
    }

    @Test(arguments: [["title": "A"], ["title": "by the second"]] as [[String: JSONValue]])
    func `nobody takes that for a merge, or for an edit of this node`(_ second: [String: JSONValue]) throws {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n"], 5)
        _ = record.seesApp(["title": "A", "note": "by the first"])
        _ = record.seesApp(second)
        let sent = try #require(record.state.outgoing(record.rules))
        #expect(record.state.stamp == sent.stamps.newest)
        #expect(record.seesApp(second.merging(["note": "by the first again"]) { $1 }).conflicts.isEmpty)
        #expect(record.fields?["note"] == "by the first again")
    }

    @Test func `what an older body shows is not what its app wrote, and ends nothing that another one wrote`() {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n"], 5)
        _ = record.edits(.update(["note": "mine"]))
        record.isWritten()
        _ = record.seesApp(["title": "A", "note": "by the first"])
        _ = record.sees(["title": "by the second", "note": "n"], 5)
        #expect(record.fields == ["title": "by the second", "note": "by the first"])
    }

    @Test func `what comes back after an app's own delete is an edit, also where nothing was stamped in between`() {
        var record = Record()
        record.keepsTombstones = false
        _ = record.sees(Record.film("A"), 5)
        _ = record.edits(.delete)
        record.state.removed()
        _ = record.seesApp(Record.film("A", watched: true))
        _ = record.seesNothing()
        #expect(record.fields == nil)
        _ = record.seesApp(Record.film("A"))
        #expect(record.fields == Record.film("A"))
    }

    @Test func `a number that the next app dropped still counts`() {
        var record = Record(MergeRules(fields: ["best": .max]))
        _ = record.sees(["title": "A", "best": 5], 5)
        _ = record.seesApp(["title": "A", "best": 393])
        _ = record.seesApp(["title": "B"])
        #expect(record.fields == ["title": "B", "best": 393])
    }

    @Test(arguments: [MergeRules(), MergeRules(byRecord: true)])
    func `an app's write that turns out to be earlier than an edit has lost to it`(rules: MergeRules) {
        var record = Record(rules)
        _ = record.sees(["title": "A", "note": "n"], 5)
        _ = record.edits(.update(["title": "mine"]), at: 900)
        #expect(record.seesApp(["title": "app's", "note": "n"]).conflicts.map(\.fields) == [["title"]])
        let stamped = Record.version(["title": "app's", "note": "n"], Record.at(5), ["title": Record.at(800)])
        let conflicts = record.sees(stamped, Record.at(800)).conflicts
        #expect(record.title == "mine" && conflicts.map(\.fields) == [["title"]])
        #expect(conflicts.first?.winner == Version(Content(fields: ["title": "mine"]), Record.mine(900)))
        #expect(conflicts.first?.loser == Version(Content(fields: ["title": "app's"]), Record.at(800)))
    }

    @Test(arguments: [true, false])
    func `what an app puts back of what was deleted here is no edit, also where no tombstone says so`(isOwn: Bool) {
        var record = Record()
        record.keepsTombstones = false
        _ = record.sees(Record.film("A"), 5)
        if isOwn { _ = record.edits(.delete) }
        if isOwn { record.state.removed() } else { _ = record.seesNothing() }
        _ = record.seesApp(Record.film("A"))
        #expect((record.fields == nil) == isOwn)
        _ = record.seesApp(Record.film("B"))
        #expect(record.title == "B")
    }

    @Test func `a tombstone that is written again names what this node had deleted`() throws {
        let machine = try Machine.live(3)
        try machine.edit(Machine.delete(1))
        try machine.settle()
        let key = Machine.id(1).description
        func ended() -> ContentHash? {
            guard case .tombstone(_, let ended) = machine.server.entry(key, in: Machine.tombstones).value else {
                return nil
            }
            return ended
        }
        let named = try #require(ended())
        machine.server.put(key, .absent, in: Machine.tombstones)
        try machine.tell(key, in: Machine.tombstones)
        try machine.settleWithPauses()
        #expect(ended() == named)
    }

    @Test(arguments: [PullMode.full, .incremental])
    func `what an app wrote over another node's version is later than an edit that was not sent yet`(pull: PullMode)
        throws
    {
        let machine = try Machine.live(3, pull: pull)
        let (before, other) = (Machine.stamp(50_000), Machine.stamp(10, NodeID(3)))
        let fields: [String: JSONValue] = [
            "identifier": .string(Machine.id(1).description), "title": "App", "hasWatched": false, "year": 1979,
        ]
        let stamps = RemoteStamps(other, fields: FieldStamps(before, named: ["year": other]), replaces: before)
        try machine.edit(Machine.update(1, "mine"))
        machine.put(1, .record(fields: fields, stamps: stamps))
        try machine.tell(Machine.id(1))
        try machine.settleWithPauses()
        #expect(try machine.title(1) == "App" && machine.titleThere(1) == "App")
        let ledger = try machine.read { try $0.conflicts(before: .max, limit: 9) }
        #expect(ledger.contains { $0.loser.content?.fields == ["title": "mine"] })
    }
}
