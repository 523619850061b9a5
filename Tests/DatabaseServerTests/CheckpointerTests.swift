import Foundation
import GRDB
import SQLiteFile
import TestSupport
import Testing

/// The log of a file is folded into it beside the writer, and stays short.
struct CheckpointerTests {
    private static let rows = 40
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/data.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    private func size(_ path: String) throws -> Int {
        try (FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Writes rows of 25 pages each, and returns how large the log became.
    private func write(with checkpointer: Checkpointer?) throws -> Int {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            checkpointer?.watch(db)
        }
        let writer = try DatabaseQueue(path: path, configuration: configuration)
        try writer.write { try $0.execute(sql: "CREATE TABLE row(text BLOB NOT NULL)") }
        try checkpointer?.open(path: path)
        for _ in 0..<CheckpointerTests.rows {
            try writer.write { try $0.execute(sql: "INSERT INTO row VALUES (zeroblob(100000))") }
            writer.writeWithoutTransaction { checkpointer?.committed($0) }
            checkpointer?.settle()
        }
        let log = try size(path + "-wal")
        try checkpointer?.close()
        try writer.close()
        return log
    }

    @Test func `the log begins anew as soon as it is folded in`() throws {
        #expect(try write(with: Checkpointer(due: 100)) < 2 * 100 * 4_120)
        let reader = try DatabaseQueue(path: path)
        #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM row") } == CheckpointerTests.rows)
        #expect(try reader.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }

    @Test func `nothing else does it`() throws {
        #expect(try write(with: nil) > CheckpointerTests.rows * 100_000)
    }
}
