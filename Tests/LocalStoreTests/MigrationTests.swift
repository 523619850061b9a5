import Foundation
import GRDB
import JSONText
import SyncCore
import SyncModel
import Testing

@testable import LocalStore

/// States that earlier releases wrote.
struct MigrationTests {
    let folder: StateFolder

    init() throws { folder = try StateFolder() }

    private static let film = Sample.film("Alien", 5)
    private static let seen = Content(fields: ["title": "Aliens", "hasWatched": true])
    /// What the app wrote, with what it dropped.
    private static let merged = Content(fields: ["title": "Aliens", "hasWatched": true, "note": "ours"])

    /// Writes a state of the first schema, by hand: its records are numbered from 0.
    private func put(_ records: [[String: (any DatabaseValueConvertible)?]]) throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: folder.file)
        try Migrations.migrator.migrate(queue, upTo: "1 records")
        try queue.write { db in
            try db.execute(sql: "INSERT INTO collection VALUES (1, 'movies'), (2, 'artists')")
            for (number, columns) in records.enumerated() {
                var row: [String: (any DatabaseValueConvertible)?] = [
                    "collection": 1, "id": Sample.key(UInt64(number)).id.blob, "provisional": 0, "overProvisional": 0,
                    "base": 0, "pending": 0,
                ]
                row.merge(columns) { $1 }
                let names = row.keys.sorted()
                try db.execute(
                    sql:
                        "INSERT INTO record (\(names.joined(separator: ", "))) VALUES (:\(names.joined(separator: ", :")))",
                    arguments: StatementArguments(row))
            }
            try db.execute(
                sql: """
                    INSERT INTO conflict VALUES (7, 1, ?, 3, 'laterStamp', ?, NULL, ?, ?);
                    INSERT INTO quarantine VALUES
                        (4, 'push', 'movies', ?, 'refused', 'no', 3, 2, NULL, NULL, NULL, NULL, NULL),
                        (5, 'journal', NULL, NULL, 'invalidJSON', 'what', 3, 1, '/j', 0, 4, NULL, NULL);
                    """,
                arguments: [
                    Sample.key(0).id.blob, Sample.stamp(6).blob, Sample.stamp(5).blob, Data("{}".utf8),
                    Sample.key(1).id.description,
                ])
        }
        try queue.close()
    }

    private func local(_ version: Version) -> [String: (any DatabaseValueConvertible)?] {
        ["stamp": version.stamp.blob, "text": version.content?.text.blob, "hash": version.content?.hash.blob]
    }

    /// The columns of a base whose content is written out, or is that of the node's own version.
    private func base(
        _ content: Content, _ stamp: Stamp?, last: Stamp? = nil, isShared: Bool = false
    ) -> [String: (any DatabaseValueConvertible)?] {
        [
            "base": 2, "baseStamp": stamp?.blob, "baseLast": last?.blob, "baseHash": content.hash.blob,
            "baseText": isShared ? nil : content.text.blob, "baseETag": "e",
        ]
    }

    /// Reads the record of a state with these columns.
    private func migrated(_ columns: [String: (any DatabaseValueConvertible)?]...) async throws -> StoredRecord {
        try put([columns.reduce(into: [:]) { $0.merge($1) { $1 } }])
        let store = try folder.open()
        let record = try await store.read { transaction throws in
            #expect(try transaction.counts(of: "movies") == transaction.recount("movies"))
            return try transaction.record(Sample.key(0))
        }
        store.close()
        return record
    }

    @Test func `a record that is equal to its base stays equal`() async throws {
        let film = Self.film
        let content = try #require(film.content)
        let state = try await migrated(local(film), base(content, film.stamp, isShared: true)).state
        #expect(state.version == film)
        #expect(state.remote == RemoteSnapshot(stamp: film.stamp, content: content, etag: "e"))
        #expect(!state.differs(keepsTombstones: true))
    }

    @Test func `a new record stays new, and waits since when it waited`() async throws {
        let stored = try await migrated(
            local(Self.film),
            ["base": 1, "fresh": 9, "ownStamp": Sample.stamp(5).blob, "pending": 1, "pendingSince": 77])
        #expect(stored.state.version == Self.film)
        #expect(stored.state.base == .absent && stored.state.newInRun == 9 && stored.state.ownStamp == Sample.stamp(5))
        #expect(stored.pending == .yes && stored.pendingSince == 77)
        #expect(stored.state.differs(keepsTombstones: true))
    }

    @Test func `an unsent edit is pushed over the base it was made over`() async throws {
        let stored = try await migrated(
            local(Self.film), base(Self.seen, Sample.stamp(3)), ["baseKey": "lower", "pending": 1, "pendingSince": 1])
        #expect(stored.state.version == Self.film)
        #expect(stored.state.remote?.stamped == StampedContent(Self.seen, FieldStamps(Sample.stamp(3))))
        #expect(stored.state.remoteKey == "lower")
        #expect(stored.state.differs(keepsTombstones: true))
    }

    @Test func `a delete stays a delete, written or not`() async throws {
        let delete = Version(nil, Sample.stamp(6))
        let tombstone: [String: (any DatabaseValueConvertible)?] = [
            "base": 1, "tombStamp": Sample.stamp(6).blob, "tombEnded": Self.seen.hash.blob, "tombETag": "t",
        ]
        let written = try await migrated(local(delete), tombstone).state
        #expect(written.version == delete && !written.differs(keepsTombstones: true))
        #expect(
            written.tombstone == KnownTombstone(stamp: Sample.stamp(6), contentHash: Self.seen.hash, etag: "t"))
    }

    @Test func `operations that were noted one by one are still known, and forgotten in their order`() async throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: folder.file)
        try Migrations.migrator.migrate(queue, upTo: "10 people")
        try await queue.write { db in
            for number in 1...600 {
                let words = OperationMark("\(number)").words
                let mark = withUnsafeBytes(of: (words.0.bigEndian, words.1.bigEndian)) { Data($0) }
                try db.execute(
                    sql: "INSERT INTO operation (number, opID, at) VALUES (?, ?, ?)",
                    arguments: [number + 70, mark, number * 10])
            }
        }
        try queue.close()
        var limits = StoreLimits()
        limits.operationAge = 1_000
        let store = try folder.open(limits)
        #expect(
            try await store.read { transaction throws in
                try (0...601).filter { try transaction.isRegistered(opID: "\($0)") }
            } == Array(1...600))
        _ = try await store.write { try $0.registerOperations([OperationMark("new")], now: 4_000) }
        let left = try await store.read { transaction throws in
            try (1...600).filter { try transaction.isRegistered(opID: "\($0)") }
        }
        #expect(left == Array(251...600))
        store.close()
    }

    @Test func `a line that was in quarantine already was made when it came there`() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: folder.file)
        try Migrations.migrator.migrate(queue, upTo: "18 how many records holds name")
        try queue.write { db in
            for source in ["journal", "pull"] {
                try db.execute(
                    sql: "INSERT INTO quarantine (source, code, reason, since, attempts) VALUES (?, 'x', 'y', 7, 1)",
                    arguments: [source])
            }
        }
        try Migrations.migrator.migrate(queue)
        let made = try queue.read { try Int?.fetchAll($0, sql: "SELECT madeAt FROM quarantine ORDER BY number") }
        #expect(made == [7, nil])
    }

    @Test func `a delete that is not written yet is written`() async throws {
        let delete = Version(nil, Sample.stamp(6))
        let unsent = try await migrated(local(delete), base(Self.seen, Sample.stamp(3)), ["pending": 1]).state
        #expect(unsent.version == delete && unsent.remote?.content == Self.seen)
        #expect(unsent.differs(keepsTombstones: true))
    }

    @Test func `what an app wrote of an unknown record is an observation`() async throws {
        let state = try await migrated(
            local(Version(Self.seen, Sample.stamp(9))), base(Self.seen, nil, isShared: true),
            ["provisional": 1, "observed": Sample.stamp(8).blob]
        ).state
        #expect(state.view == Self.seen)
        #expect(state.known == KnownVersion() && state.observed == .whole(Sample.stamp(8)))
        #expect(!state.differs(keepsTombstones: true))
    }

    @Test func `what an app dropped when it wrote over a record is kept`() async throws {
        let state = try await migrated(
            local(Version(Self.merged, Sample.stamp(9))), base(Self.seen, nil, last: Sample.stamp(3)),
            ["provisional": 1, "observed": Sample.stamp(9).blob, "pending": 1]
        ).state
        #expect(state.version == Version(Self.merged, Sample.stamp(9)))
        #expect(state.remote?.stamp == nil && state.remote?.newestStamp == Sample.stamp(3))
        #expect(state.differs(keepsTombstones: true))
    }

    @Test func `an edit that waited behind an app's write goes to the ledger`() async throws {
        let state = try await migrated(
            local(Version(Self.seen, Sample.stamp(9))), base(Self.seen, nil, isShared: true),
            ["provisional": 1, "keptStamp": Sample.stamp(4).blob, "keptText": Self.merged.text.blob, "pending": 1]
        ).state
        #expect(state.version == Version(Self.seen, Sample.stamp(9)))
        let store = try folder.open()
        let newest = try await store.read { try $0.conflicts(before: 0, limit: 1).first }
        #expect(newest?.loser == Version(Self.merged, Sample.stamp(4)))
        #expect(newest?.winner == Version(Self.seen, Sample.stamp(9)))
    }

    @Test func `an edit made over an app's write is pushed`() async throws {
        let state = try await migrated(
            local(Self.film), base(Self.seen, nil, last: Sample.stamp(3)), ["overProvisional": 1, "pending": 1]
        ).state
        #expect(state.version == Self.film && state.differs(keepsTombstones: true))
    }

    @Test func `the feed comes along as the history of its records`() async throws {
        try put([local(Self.film), local(Self.film)])
        let queue = try DatabaseQueue(path: folder.file)
        try await queue.write { db in
            for (sequence, record) in [(3, 0), (4, 1), (5, 0), (9, 0)] {
                try db.execute(
                    sql: "INSERT INTO change VALUES (?, 'update', 'remote', 1, ?, ?, ?, 5)",
                    arguments: [
                        sequence, Sample.key(UInt64(record)).id.blob, Self.film.stamp.blob,
                        Self.film.content?.text.blob,
                    ])
            }
        }
        try queue.close()
        let store = try folder.open()
        try await store.read { transaction throws in
            #expect(try transaction.changes(of: Sample.key(0), limit: 9).map(\.sequence) == [9, 5, 3])
            #expect(try transaction.changes(of: Sample.key(0), before: 9, limit: 1).map(\.sequence) == [5])
            #expect(try transaction.changes(of: Sample.key(1), limit: 9).map(\.sequence) == [4])
            #expect(try transaction.changes(of: Sample.key(2), limit: 9).isEmpty)
        }
        let next = try await store.write { transaction throws in
            try transaction.append(change: .update, origin: .remote, of: Sample.key(0), Self.film, at: 9)
        }
        #expect(next.result == 10)
    }

    @Test func `lists come along, and counts are kept from the first`() async throws {
        let delete = local(Version(nil, Sample.stamp(6)))
        let blocked = local(Self.film).merging(["pending": 2, "pendingSince": 3]) { $1 }
        try put([local(Self.film), blocked, delete])
        let store = try folder.open()
        try await store.read { transaction throws in
            let counts = try transaction.counts(of: "movies")
            #expect(try transaction.recount("movies") == counts)
            var expected = CollectionCounts()
            (expected.records, expected.tombstones, expected.pending) = (2, 1, 1)
            (expected.quarantined, expected.conflicts) = (1, 1)
            #expect(counts == expected)
            #expect(try transaction.counts(of: "artists") == CollectionCounts())
            #expect(try transaction.record(Sample.key(1)).pending == .blocked)
            #expect(try transaction.quarantined(after: 0, limit: 9).map(\.number) == [4, 5])
            let entry = try #require(try transaction.conflict(7))
            #expect(entry.fields.isEmpty && !entry.restored)
            #expect(entry.winner == Version(nil, Sample.stamp(6)))
        }
    }
}
