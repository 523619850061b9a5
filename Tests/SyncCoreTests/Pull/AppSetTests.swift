import JSONText
import SyncCore
import SyncModel
import TestSupport
import Testing

/// Apps that write a set whole, where members were added and removed that they had not seen: `docs/protocol.md` section 9.
struct AppSetTests {
    typealias Record = RecordUnderTest

    private static let rules = MergeRules(fields: ["rating": .max, "tags": .set])

    private func old(_ tags: JSONValue) -> [String: JSONValue] { ["rating": 5, "tags": tags, "title": "A"] }

    private func record(_ tags: JSONValue = ["a", "b"]) -> Record {
        var record = Record(AppSetTests.rules)
        _ = record.sees(old(tags), 5)
        return record
    }

    @Test(
        arguments: [
            (["a", "app"], ["a", "app", "mine"]), (["a", "app", "b", "mine"], ["a", "app", "b", "mine"]),
            (["a"], ["a", "mine"]), (["a", "b"], ["a", "b", "mine"]),
        ] as [(JSONValue, JSONValue)])
    func `a member that this node has not sent yet stays`(_ written: JSONValue, _ merged: JSONValue) {
        var record = record()
        _ = record.edits(.update(["tags": ["a", "b", "mine"]]), at: 900)
        #expect(record.seesApp(["rating": 5, "tags": written, "title": "A"]).conflicts.isEmpty)
        #expect(record.fields?["tags"] == merged && record.differs)
        record.isWritten()
        #expect(record.fields?["tags"] == merged && !record.differs)
    }

    @Test func `so does a removal, while what the app has added and removed counts beside it`() {
        var record = record(["a", "b", "c"])
        _ = record.edits(.update(["tags": ["a", "c"]]), at: 900)
        let outcome = record.seesApp(["rating": 5, "tags": ["app", "b", "c"], "title": "app's"])
        #expect(outcome.conflicts.isEmpty && outcome.change == .update)
        #expect(record.fields == ["rating": 5, "tags": ["app", "c"], "title": "app's"])
        // The next one knows all of that, but for what is not sent yet.
        _ = record.seesApp(["rating": 5, "tags": ["app", "b", "c", "second"], "title": "app's"])
        #expect(record.fields?["tags"] == ["app", "c", "second"])
        record.isWritten()
        _ = record.seesApp(["rating": 5, "tags": ["app"], "title": "app's"])
        #expect(record.fields?["tags"] == ["app"])
    }

    @Test func `of an older version with other members, what the app has changed in it counts`() {
        var record = record()
        _ = record.edits(.update(["tags": ["a", "b", "mine"]]))
        record.isWritten()
        let past = [Content(fields: old(["a", "b"]))]
        let outcome = record.sees(["rating": 4, "tags": ["app", "b"], "title": "A"], 5, past: past)
        #expect(record.fields == ["rating": 5, "tags": ["app", "b", "mine"], "title": "A"] && record.differs)
        // The number does not count, and that is said.
        #expect(outcome.conflicts.map(\.fields) == [["rating"]] && outcome.conflicts.first?.rule == .fieldRule)
    }

    @Test func `an edit that sets it back to what it was before an app added a member removes that`() {
        var record = record()
        _ = record.seesApp(old(["a", "app", "b"]))
        #expect(record.fields?["tags"] == ["a", "app", "b"])
        let outcome = record.edits(.update(["tags": ["a", "b"]]))
        #expect(outcome.change == .update && record.fields?["tags"] == ["a", "b"] && record.differs)
        // Also where another node has dated the app's list meanwhile.
        let dated = Record.version(old(["a", "app", "b"]), Record.at(5), ["tags/app": Record.at(2000)])
        _ = record.sees(dated, Record.at(2000))
        #expect(record.fields?["tags"] == ["a", "b"] && record.differs)
    }

    /// Every member is what the last one made of it who has added or removed it.
    @Test func `whatever each of them changes, nobody's members are lost`() {
        var random = SeededRandom(31)
        let all = ["a", "b", "c", "d", "e"]
        func some() -> Set<String> { Set(all.filter { _ in random.chance(50) }).union(["z"]) }
        func list(_ members: Set<String>) -> JSONValue { .array(members.sorted().map { .string($0) }) }
        for round in 0..<2000 {
            let (read, mine, app) = (some(), some(), some())
            let isSent = random.chance(50)
            var record = record(list(read))
            _ = record.edits(.update(["tags": list(mine), "note": "mine"]))
            if isSent {
                record.isWritten()
                _ = record.sees(old(list(app)), 5, past: [Content(fields: old(list(read)))])
            } else {
                _ = record.seesApp(old(list(app)))
            }
            let last = mine.union(app.subtracting(read)).subtracting(read.subtracting(app))
            #expect(record.fields?["tags"] == list(last), "round \(round)")
            record.isWritten()
            #expect(record.fields?["tags"] == list(last) && !record.differs, "round \(round)")
        }
    }
}
