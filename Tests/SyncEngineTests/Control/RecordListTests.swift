import ControlAPI
import JSONText
import LocalStore
import SyncCore
import SyncModel
import TestSupport
import Testing

@testable import SyncEngine

/// Lists of records, whose text is made without the values that a single record's reply has.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct RecordListTests {
    /// All pages of a list.
    private func all(
        _ rig: EngineUnderTest, limit: Int, where filter: RecordFilter = .all
    ) async throws -> [ListedRecord] {
        var items: [ListedRecord] = []
        var after: String?
        repeat {
            let page = try await rig.engine.records(in: "movies", after: after, limit: limit, filter: filter)
            #expect(page.items.count <= limit && (page.items.count == limit || page.next == nil))
            #expect(after == nil || !page.items.isEmpty, "the page before had a next, and there is nothing")
            items += page.items
            after = page.next
        } while after != nil
        return items
    }

    private func text(_ records: [ListedRecord]) -> String {
        String(decoding: RecordPage(items: records).text, as: UTF8.self)
    }

    @Test(arguments: [1, 7, 500, 1_000])
    func `pages together are all records, in the order of ids`(limit: Int) async throws {
        let rig = try EngineUnderTest()
        let count = limit == 1 ? 5 : 1_203
        try await rig.engine.context.commit { [context = rig.engine.context] transaction in
            for number in (1...UInt64(count)).reversed() {
                let operation = Operation(
                    number.isMultiple(of: 3) ? .delete : .create, EngineUnderTest.key(number),
                    fields: number.isMultiple(of: 3) ? [:] : ["title": .string("Film \(number)")])
                try context.applier.apply(operation, .decided, line: [], origin: .journal, in: transaction)
            }
        }
        let expected = (1...UInt64(count)).filter { !$0.isMultiple(of: 3) }
        #expect(try await all(rig, limit: limit).map(\.id) == expected.map(EngineUnderTest.id))
        let filter = RecordFilter([.init("title", .contains, "film 11")])
        let found = expected.filter { String($0).hasPrefix("11") }
        #expect(try await all(rig, limit: limit, where: filter).map(\.id) == found.map(EngineUnderTest.id))
    }

    @Test(arguments: [0, 1, 2, Int64.max]) func `changes may be asked for after any number`(after: Int64) async throws {
        let rig = try EngineUnderTest()
        try await rig.engine.context.commit { [context = rig.engine.context] transaction in
            let operation = Operation(.create, EngineUnderTest.key(1), fields: ["title": "Alien"])
            try context.applier.apply(operation, .decided, line: [], origin: .journal, in: transaction)
        }
        guard after <= 1 else {
            // The number of another state's feed: a reader would wait for ever.
            await #expect { try await rig.engine.changes(after: after, limit: 10) } throws: {
                ($0 as? ControlError)?.status == 410
            }
            await #expect { try await rig.engine.liveChanges(after: after) } throws: {
                ($0 as? ControlError)?.status == 410
            }
            return
        }
        #expect(try await rig.engine.changes(after: after, limit: 10).items.count == (after == 0 ? 1 : 0))
        _ = try await rig.engine.liveChanges(after: after)
    }

    @Test func `a list has of each record what its own reply has`() async throws {
        let rig = try EngineUnderTest()
        try await rig.apply(.create, 1, ["title": "Mine \"1\"", "year": 1979])
        try await rig.show(2, ["title": "Theirs", "hasWatched": true, "identifier": "B"], rig.stamp(of: 7))
        try await rig.show(3, ["title": "An app's", "hasWatched": false], nil)
        try await rig.show(4, ["title": "Seen", "hasWatched": false], rig.stamp(of: 7))
        try await rig.show(4, ["title": "Changed by an app", "hasWatched": false], nil)
        try await rig.apply(.update, 4, ["year": 2001])
        try await rig.show(5, ["title": "Gone"], rig.stamp(of: 7))
        try await rig.apply(.delete, 5)
        let listed = try await all(rig, limit: 10)
        #expect(listed.map(\.id) == [1, 2, 3, 4].map(EngineUnderTest.id))
        for record in listed {
            let reply = try await rig.engine.record(record.id, in: "movies")
            #expect(text([record]) == text([ListedRecord(reply)]))
        }
        #expect(listed.map(\.pending) == [true, false, false, true])
        #expect(listed[3].fields == Array(#"{"hasWatched":false,"title":"Changed by an app","year":2001}"#.utf8))
    }

    @Test func `a list says what a record waits for`() async throws {
        let rig = try EngineUnderTest()
        for number in 1...4 { try await rig.show(UInt64(number), ["title": "T"], rig.stamp(of: 7)) }
        for number in 1...3 { try await rig.apply(.update, UInt64(number), ["title": "U"]) }
        try await rig.engine.context.commit { [context = rig.engine.context] transaction in
            var item = QuarantinedItem(.push, Defect(.refused, "too large"), since: 3)
            (item.collection, item.record) = (EngineUnderTest.movies, EngineUnderTest.id(2))
            item.stamp = try transaction.record(EngineUnderTest.key(2)).state.version?.stamp
            try transaction.quarantine(item, context.applier.context(EngineUnderTest.movies))
        }
        let listed = try await all(rig, limit: 3)
        for record in listed {
            #expect(record.reason == (try await rig.engine.record(record.id, in: "movies")).reason)
        }
        #expect(listed.first?.reason == "waits for the first complete snapshot of the remote")
        #expect(listed[1].reason?.contains("too large") == true && listed.last?.reason == nil)
    }

    @Test func `what no page gave as next is refused`() async throws {
        let rig = try EngineUnderTest()
        await #expect(throws: ControlError.self) {
            _ = try await rig.engine.records(in: "movies", after: "6F", limit: 1, filter: .all)
        }
    }
}
