import Foundation
import GRDB
import SyncCore
import SyncModel
import TestSupport
import Testing

@testable import LocalStore
@testable import SQLiteFile

struct OpeningTests {
    let folder: StateFolder

    init() throws { folder = try StateFolder() }

    private func code(_ open: () throws -> LocalStore) -> StoreError.Code? {
        do {
            try open().close()
            return nil
        } catch {
            let message = (error as? StoreError)?.message ?? ""
            #expect(message.contains(folder.path) && !message.contains { $0.isNewline })
            return (error as? StoreError)?.code
        }
    }

    /// Writes a healthy state with some pages, closed and folded into one file.
    private func filled() async throws {
        let store = try folder.open()
        _ = try await store.write { transaction throws in
            for number in 0..<500 { try transaction.put(Sample.film("Film \(number)", 1), UInt64(number)) }
        }
        await store.releaseMemory()
        store.close()
    }

    @Test func `a full disk is called so where the words are those of success`() {
        let error = StoreError(DatabaseError(resultCode: .SQLITE_FULL, message: "not an error"), path: "/s")
        #expect(error.code == .diskFull && error.message == "cannot use the state /s: database or disk is full")
    }

    @Test(
        arguments: [(8458, .SQLITE_IOERR), (266, .SQLITE_IOERR), (7, .SQLITE_NOMEM), (11, nil)] as [(Int, ResultCode?)])
    func `a page that can't be read is no damaged one`(code: Int, thrown: ResultCode?) throws {
        let answer = "*** in database main *** Page 98: unable to get the page. error code=\(code)"
        try DatabaseQueue().read { db throws in
            guard let thrown else {
                #expect(try db.damage(in: answer) == answer)
                return
            }
            let error = #expect(throws: DatabaseError.self) { try db.damage(in: answer) }
            #expect(error?.resultCode == thrown)
        }
    }

    @Test func `a state whose file is gone, or another one, is not in its place`() throws {
        let store = try folder.open()
        #expect(store.isInPlace)
        let bytes = try folder.bytes()
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(!store.isInPlace)
        try folder.put(bytes)
        #expect(!store.isInPlace)
        store.close()
    }

    @Test func `a second opener is refused, until the first is gone`() throws {
        do {
            let first = try folder.open()
            #expect(code { try folder.open() } == .inUse)
            first.close()
        }
        #expect(code { try folder.open() } == nil)
    }

    @Test func `a new state is made private, and its runs are counted`() throws {
        var runs: [Int64] = []
        for _ in 0..<3 {
            let store = try folder.open()
            runs.append(store.run)
            store.close()
        }
        #expect(runs == [1, 2, 3])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test(arguments: [
        Data(), Data("hello".utf8), Data(repeating: 0, count: 8192), Data(repeating: 0xA5, count: 40_000),
    ])
    func `what is no database is corrupt, and stays as it is`(bytes: Data) throws {
        try folder.put(bytes)
        let refused = code { try folder.open() }
        #expect(refused == .corrupt)
        let after = try folder.bytes()
        #expect(after == bytes)
    }

    @Test func `a state that could not be begun is begun by the next attempt`() throws {
        let unfinished = folder.file + ".part"
        try FileManager.default.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
        #expect(code { try folder.open() } == .cannotCreate)
        #expect(!FileManager.default.fileExists(atPath: folder.file))
        try FileManager.default.removeItem(atPath: unfinished)
        #expect(code { try folder.open() } == nil)
    }

    @Test func `what a kill has left of a backup is removed, and a copy of somebody's own is not`() throws {
        let store = try folder.open()
        let (left, own) = (store.unfinishedBackup, folder.file + ".backup")
        store.close()
        for path in [left, left + "-wal", left + ".part", own] { try Data("x".utf8).write(to: URL(filePath: path)) }
        #expect(code { try folder.open() } == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.filter { $0.contains("backup") } == ["state.sqlite.backup"])
    }

    @Test func `a state whose making a kill has ended is made anew`() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        // As SQLite leaves them behind on its way to a new file.
        for ending in ["", "-journal", "-wal", "-shm"] {
            try Data(repeating: 0xA5, count: 4_096).write(to: URL(filePath: folder.file + ".part" + ending))
        }
        #expect(code { try folder.open() } == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.contains(".part") })
    }

    @Test func `the log of a state that was moved away is no part of the next one`() async throws {
        let first = try folder.open()
        _ = try await first.write { transaction throws in try transaction.put(Sample.film("Film", 1), 1) }
        let log = try Data(contentsOf: URL(filePath: folder.file + "-wal"))
        first.close()
        try FileManager.default.removeItem(atPath: folder.file)
        try log.write(to: URL(filePath: folder.file + "-wal"))
        let second = try folder.open()
        #expect(second.run == 1 && second.node != first.node)
        second.close()
    }

    @Test func `overwritten pages are found at the start, and stay as they are`() async throws {
        try await filled()
        var bytes = try folder.bytes()
        #expect(bytes.count > 40_000)
        bytes.replaceSubrange(20_480..<36_864, with: Data(repeating: 0x5A, count: 16_384))
        try folder.put(bytes)
        let refused = code { try folder.open() }
        #expect(refused == .corrupt)
        let after = try folder.bytes()
        #expect(after == bytes)
    }

    @Test func `a state that was closed in order is not read through, unless it was touched`() async throws {
        try await filled()
        let closed = folder.file + ".closed"
        #expect(FileManager.default.fileExists(atPath: closed))
        let note = try Data(contentsOf: URL(filePath: closed))
        let store = try folder.open()
        #expect(!FileManager.default.fileExists(atPath: closed))
        store.close()
        #expect(try Data(contentsOf: URL(filePath: closed)) != note)
        // The note of another moment is none.
        try note.write(to: URL(filePath: closed))
        var bytes = try folder.bytes()
        bytes.replaceSubrange(20_480..<36_864, with: Data(repeating: 0x5A, count: 16_384))
        try folder.put(bytes)
        #expect(code { try folder.open() } == .corrupt)
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `a state whose writer was stopped in the middle was closed in order`() async throws {
        let store = try folder.open()
        let (running, began) = AsyncStream<Void>.makeStream()
        let writer = Task {
            try await store.write { transaction throws in
                try transaction.db.add(
                    function: DatabaseFunction("began", argumentCount: 0) { _ in
                        began.finish()
                        return 1
                    })
                let endless = """
                    WITH RECURSIVE n(i) AS (SELECT began() UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
                    """
                try HotStatement(transaction.db, endless).run()
            }
        }
        for await _ in running {}
        writer.cancel()
        await #expect(throws: CancellationError.self) { try await writer.value }
        store.close()
        #expect(FileManager.default.fileExists(atPath: folder.file + ".closed"))
    }

    @Test func `a cut file is corrupt`() async throws {
        try await filled()
        try folder.put(try folder.bytes().prefix(20_000))
        #expect(code { try folder.open() } == .corrupt)
    }

    @Test func `a state of a newer release is left alone`() async throws {
        try await filled()
        let queue = try DatabaseQueue(path: folder.file)
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 from the future')") }
        try queue.close()
        #expect(code { try folder.open() } == .newer)
    }

    @Test func `a file in the place of the folder is an error that says so`() throws {
        try Data("x".utf8).write(to: URL(filePath: folder.path))
        #expect(code { try folder.open() } == .cannotCreate)
    }

    @Test(.enabled(if: getuid() != 0, "root may write anywhere"))
    func `a folder without the right to write is a matter of permission`() async throws {
        try await filled()
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
        #expect(code { try folder.open() } == .permission)
    }

    @Test func `the node stays the same while the state stays where it is`() async throws {
        let first = try folder.open()
        #expect(first.timeOfBacklogUnknown)
        _ = try await first.write { try $0.backlogTimeIsKnown() }
        first.close()
        let again = try folder.open()
        #expect(again.node == first.node)
        #expect(!again.timeOfBacklogUnknown)
    }

    @Test func `a copied state is another node that knows its past, and whose lines have no time`() async throws {
        let first = try folder.open()
        let stamp = try await first.write { transaction in
            try transaction.backlogTimeIsKnown()
            try transaction.put(Sample.film("Alien", 1), 1)
            return transaction.clock.now(wall: 5000)
        }.result
        await first.releaseMemory()
        first.close()
        let copy = try StateFolder()
        try copy.put(try folder.bytes())
        let restored = try copy.open()
        #expect(restored.node != first.node)
        #expect(restored.timeOfBacklogUnknown)
        let reading = try await restored.write { $0.clock.now(wall: 10) }.result
        #expect(reading > stamp && reading.node == restored.node)
        #expect(try await restored.write { $0.clock.began }.result == stamp)
        let film = try await restored.read { try $0.record(Sample.key(1)).state.version }
        #expect(film == Sample.film("Alien", 1))
        restored.close()
        #expect(try await copy.open().write { $0.clock.began }.result == stamp)
    }

    /// Others were told of changes that it does not have.
    @Test func `an older copy in the place of the state is another node, too`() async throws {
        let first = try folder.open()
        let told: Int64 = try await first.write { transaction -> Int64 in
            try transaction.backlogTimeIsKnown()
            return try transaction.append(
                change: .create, origin: .journal, of: Sample.key(1), Sample.film("Alien", 1), at: 3, past: nil,
                previous: nil)
        }.result
        first.close()
        var last = first.node
        for (number, isSame) in [(nil, true), (told, true), (told + 1, false), (told + 1, true), (told + 2, false)]
            as [(Int64?, Bool)]
        {
            let again = try LocalStore(folder: folder.path, lastTold: number)
            #expect((again.node == last) == isSame)
            last = again.node
            again.close()
        }
    }

    @Test func `a state of another machine is another node`() async throws {
        try await filled()
        let queue = try DatabaseQueue(path: folder.file)
        let node = try await queue.write { db in
            try db.execute(
                sql: "UPDATE meta SET value = ? WHERE name = 'identity'", arguments: [Data("elsewhere".utf8)])
            return try Data.fetchOne(db, sql: "SELECT value FROM meta WHERE name = 'node'")
        }
        try queue.close()
        let store = try folder.open()
        #expect(node.map { String(decoding: $0, as: UTF8.self) } != store.node.description)
    }
}
