import DatabaseTree
import FirebaseWire
import Foundation
import GRDB
import Logging
import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import DatabaseServer

/// A commit queue with its file and without a server.
struct LooseQueue: Sendable {
    let commits: CommitQueue
    let file: RowFile

    /// Loads what is in `folder`.
    ///
    /// - Parameters:
    ///   - rules: the path of their file; nil for none.
    ///   - clock: milliseconds since 1970.
    ///   - whileStaging: is called after each part of a large write that was staged.
    init(
        _ folder: String, rules: String? = nil, whileStaging: @escaping @Sendable () async -> Void = {},
        clock: @escaping @Sendable () -> Int64 = { Int64(Date.now.timeIntervalSince1970 * 1000) },
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) async throws {
        file = try RowFile(folder: folder, fsync: .always)
        commits = CommitQueue(
            file: file, fsync: .always, listeners: Listeners(), rulesStore: try RulesStore(file: file, path: rules),
            logger: logger, clock: WriteClock(clock), whileStaging: whileStaging)
        try await commits.load()
    }

    static func write(_ kind: Write.Kind, _ path: String, _ body: String) throws -> Write {
        let place = try WirePath(parsing: path)
        let write = try Array(body.utf8).withUnsafeBufferPointer {
            try Write(kind, $0, at: place, in: "db", by: .administrator)
        }
        return try #require(write)
    }

    func put(_ path: String, _ body: String) async throws {
        guard case .stored = try await commits.commit(Self.write(.put, path, body)) else {
            throw StorageError(message: "the write was not stored")
        }
    }

    func large(_ kind: Write.Kind, _ path: String, _ body: String) async throws -> DatabaseServer.WriteOutcome {
        try await commits.commitLarge(Self.write(kind, path, body), bytes: body.utf8.count)
    }

    var text: String { commits.root("db").node.map { String(decoding: $0.text, as: UTF8.self) } ?? "null" }

    func value(_ path: String) throws -> JSONValue? {
        commits.root("db").value(at: try WirePath(parsing: path))?.leaf
    }

    /// Numbers of the tables besides the rows themselves.
    var leftovers: Int { get throws { try count("draft", "replaced") } }

    var rowCount: Int { get throws { try count("row") } }

    /// How many rows some tables have.
    private func count(_ tables: String...) throws -> Int {
        try file.writer.withLock { writer in
            try writer?.queue.read { db in
                try tables.reduce(0) { try $0 + (Int.fetchOne(db, sql: "SELECT count(*) FROM \($1)") ?? 0) }
            } ?? 0
        } ?? 0
    }

    /// Returns when nothing is left of large writes but what they have stored.
    func swept() async throws {
        while try leftovers > 0 { await commits.betweenCommits {} }
    }

    /// Lets the file grow no more, or again.
    func setFull(_ isFull: Bool) throws {
        try file.writer.withLock { writer in
            try writer?.queue.writeWithoutTransaction { db in
                let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                try db.execute(sql: "PRAGMA max_page_count = \(isFull ? pages : 1 << 30)")
            }
        }
    }

    func close() async throws {
        await commits.betweenCommits {}
        try file.close()
    }

    /// The files as a kill at this moment leaves them.
    static func copy(_ folder: String) throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.copyItem(atPath: folder + "/" + name, toPath: copy.path + "/" + name)
        }
        return copy
    }
}

/// A part of a test that is known only after what calls it was made.
final class Hook: Sendable {
    private let body = Mutex<(@Sendable (Int) async throws -> Void)?>(nil)
    private let calls = Mutex(0)

    /// - Parameter body: gets the number of calls before.
    func set(_ new: @escaping @Sendable (Int) async throws -> Void) { body.withLock { $0 = new } }

    func call() async {
        let number = calls.withLock { calls in
            defer { calls += 1 }
            return calls
        }
        do {
            try await body.withLock(\.self)?(number)
        } catch {
            Issue.record("\(error)")
        }
    }
}
