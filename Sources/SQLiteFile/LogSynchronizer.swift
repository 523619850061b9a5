internal import Dispatch
internal import OperatingSystem
internal import Synchronization

/// Brings commits of a database in WAL mode to the disk beside the one who writes: SQLite has the writer wait for the disk
/// at each commit, and nobody can write meanwhile. What was committed while the disk was at work goes there together.
///
/// For a connection with `synchronous=NORMAL`: SQLite then brings the log to the disk before it folds it in, and never else.
package final class LogSynchronizer: Sendable {
    private let synchronize: @Sendable () throws -> Void
    private let committedNumber = Atomic<UInt64>(0)
    private let durableNumber = Atomic<UInt64>(0)
    /// Held while a commit is under way: readers see it before it is counted.
    private let committing = Mutex(())
    /// Why the disk did not take a commit: whether it has it can't be known afterwards.
    private let failure = Mutex<(any Error)?>(nil)
    private let turn = Mutex(Turn())
    private let queue = DispatchQueue(label: "SQLiteFile.synchronize")

    /// The disk at work.
    private struct Turn {
        /// The last commit that it is to have afterwards; nil while it is not at work.
        var reaching: UInt64?
        /// Who goes on when it has it.
        var waiting: [CheckedContinuation<Void, any Error>] = []
    }

    /// - Parameter path: of the database.
    package convenience init(path: String) {
        let log = Mutex<ReadableFile?>(nil)
        self.init {
            try log.withLock { file in
                let open = try file ?? ReadableFile(path: path + "-wal")
                file = open
                try open.synchronize()
            }
        }
    }

    /// - Parameter synchronize: brings all that is committed to the disk.
    package init(_ synchronize: @escaping @Sendable () throws -> Void) { self.synchronize = synchronize }

    /// Runs what commits a transaction that has changed something, which has the number ``last`` afterwards.
    package func committing<Result>(_ commit: () throws -> Result) rethrows -> Result {
        try committing.withLock { _ in
            let result = try commit()
            committedNumber.add(1, ordering: .releasing)
            return result
        }
    }

    /// The number of the last commit, and of all that anybody has seen. Blocks while one is under way.
    package var last: UInt64 { committing.withLock { _ in committedNumber.load(ordering: .acquiring) } }

    /// Whether the disk did not take a commit.
    package var hasFailed: Bool { failure.withLock { $0 != nil } }

    /// Returns when a commit, and all before it, are on the disk. Blocks meanwhile.
    ///
    /// Throws what the disk says; from then on nothing counts as durable any more.
    package func wait(for commit: UInt64) throws {
        guard commit > durableNumber.load(ordering: .acquiring) else { return }
        try failure.withLock { failure in
            if let failure { throw failure }
            guard commit > durableNumber.load(ordering: .acquiring) else { return }
            let reached = committedNumber.load(ordering: .acquiring)
            turn.withLock { $0.reaching = reached }
            let outcome = Result { try synchronize() }
            if case .success = outcome { durableNumber.store(reached, ordering: .releasing) }
            let waiting = turn.withLock { turn in
                defer { turn = Turn() }
                return turn.waiting
            }
            for one in waiting { one.resume(with: outcome) }
            if case .failure(let error) = outcome {
                failure = error
                throw error
            }
        }
    }

    /// The same for a caller that does not block; or only where the disk is not at work already, and `mayBlock`: that saves
    /// going to another thread and back.
    package func isDurable(_ commit: UInt64, mayBlock: Bool = false) async throws {
        guard commit > durableNumber.load(ordering: .acquiring) else { return }
        if mayBlock, turn.withLock({ $0.reaching == nil }) { return try wait(for: commit) }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let isUnderWay = turn.withLock { turn in
                guard let reaching = turn.reaching, reaching >= commit else { return false }
                turn.waiting.append(continuation)
                return true
            }
            if isUnderWay { return }
            queue.async { continuation.resume(with: Result { try self.wait(for: commit) }) }
        }
    }
}
