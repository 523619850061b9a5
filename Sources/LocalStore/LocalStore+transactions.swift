internal import Foundation
internal import GRDB
internal import SQLiteFile
internal import Synchronization

/// What a transaction gave, and did.
package struct Committed<Result> {
    package var result: Result
    package let effects: StoreEffects
    /// By this number the disk is asked for it.
    fileprivate(set) var number: UInt64 = 0
    /// Whether the caller's thread may wait for the disk.
    fileprivate(set) var isShort = false
}

extension Committed: Sendable where Result: Sendable {}

extension LocalStore {
    /// Runs `body` in one transaction: all that it changes commits together, or nothing does when it throws.
    ///
    /// Transactions run one after the other. When this returns, the changes are on disk.
    ///
    /// - Parameter isShort: whether the caller's thread may do it, where nobody writes: that takes about a millisecond, and
    ///   saves going to another thread and back.
    package func write<Result: Sendable>(
        isShort: Bool = false, _ body: @Sendable @escaping (Transaction) throws -> Result
    ) async throws -> Committed<Result> {
        let committed = try await commit(isShort: isShort, body)
        try await isDurable(committed)
        return committed
    }

    /// ``write(isShort:_:)`` that does not wait for the disk: ``isDurable(_:)`` is to be awaited before anybody hears of it.
    /// The next transaction can run meanwhile.
    ///
    /// - Parameter whenCommitted: is called right after the commit, before any other transaction can begin: what is counted
    ///   in it is counted in the order of the commits.
    package func commit<Result: Sendable>(
        isShort: Bool = false, _ body: @Sendable @escaping (Transaction) throws -> Result,
        whenCommitted: @Sendable @escaping (Committed<Result>) -> Void = { _ in }
    ) async throws -> Committed<Result> {
        let before = writers.add(1, ordering: .relaxed).oldValue
        defer { writers.subtract(1, ordering: .relaxed) }
        if isShort, before == 0, LocalStore.hasThreadToSpare {
            var done = try commitNow(body, whenCommitted: whenCommitted)
            done.isShort = true
            return done
        }
        do {
            return try await database.writeWithoutTransaction { db in
                try self.transaction(in: db, body, whenCommitted: whenCommitted)
            }
        } catch let error as DatabaseError {
            throw failure(error)
        }
    }

    /// Swift has as many threads as there are processors: with one, a disk that hangs would keep everybody waiting.
    private static let hasThreadToSpare = ProcessInfo.processInfo.activeProcessorCount > 1

    /// ``write(isShort:_:)`` for a caller that waits.
    package func writeNow<Result>(_ body: (Transaction) throws -> Result) throws -> Committed<Result> {
        let committed = try commitNow(body, whenCommitted: { _ in })
        do {
            try log?.wait(for: committed.number)
        } catch {
            throw StoreError(notDurable: error, path: path)
        }
        return committed
    }

    private func commitNow<Result>(
        _ body: (Transaction) throws -> Result, whenCommitted: (Committed<Result>) -> Void
    ) throws -> Committed<Result> {
        do {
            guard let inMemory = database as? DatabaseQueue else {
                return try database.writeWithoutTransaction { db in
                    try transaction(in: db, body, whenCommitted: whenCommitted)
                }
            }
            let done = try inMemory.writeQuickly { try run(body, in: $0) }
            whenCommitted(done)
            return done
        } catch let error as DatabaseError {
            throw failure(error)
        }
    }

    private func transaction<Result>(
        in db: Database, _ body: (Transaction) throws -> Result, whenCommitted: (Committed<Result>) -> Void
    ) throws -> Committed<Result> {
        let before = db.totalChangesCount
        try HotStatement(db, "BEGIN IMMEDIATE").run()
        do {
            var done = try run(body, in: db)
            // One that has changed nothing brings nothing to the disk, and may have seen what is not there yet.
            let commit = try HotStatement(db, "COMMIT")
            if let log, db.totalChangesCount != before {
                try log.committing { _ = try commit.run() }
            } else {
                try commit.run()
            }
            done.number = log?.last ?? 0
            whenCommitted(done)
            checkpointer.committed(db)
            return done
        } catch {
            try? db.rollback()
            throw error
        }
    }

    private func run<Result>(
        _ body: (Transaction) throws -> Result, in db: Database
    ) throws -> Committed<Result> {
        let transaction = try Transaction(db, self)
        let result = try body(transaction)
        try transaction.finish()
        return Committed(result: result, effects: transaction.effects)
    }

    /// Returns when a commit, and all before it, are on the disk.
    ///
    /// Throws where the disk does not take them; nothing can be written any more then, as nobody knows what it has.
    package func isDurable<Result>(_ committed: Committed<Result>) async throws {
        try await isDurable(committed.number, isShort: committed.isShort)
    }

    /// The same by the number that a commit has.
    func isDurable(_ commit: UInt64, isShort: Bool = false) async throws {
        do {
            try await log?.isDurable(commit, mayBlock: isShort)
        } catch {
            throw StoreError(notDurable: error, path: path)
        }
    }

    /// Reads the last committed state; does not wait for a writer, but for the disk that is to have it.
    package func read<Result: Sendable>(
        _ body: @Sendable @escaping (Transaction) throws -> Result
    ) async throws -> Result {
        do {
            let result = try await database.read { db in try body(try Transaction(db, self)) }
            try await isDurable(log?.last ?? 0)
            return result
        } catch let error as DatabaseError {
            throw failure(error)
        }
    }
}

extension StoreError {
    fileprivate init(notDurable error: any Error, path: String) {
        self.init(
            .inputOutput,
            "the disk did not take what was written to the state \(path) (\(error)): look at the "
                + "disk, and restart moviesyncd")
    }
}
