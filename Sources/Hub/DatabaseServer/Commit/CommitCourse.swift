internal import DatabaseTree
internal import FirebaseWire

/// How a write gets to the disk, by how much it asks of the one writer.
enum CommitCourse: Sendable {
    /// The writer does all of it.
    case plain
    /// The rules are asked before it waits.
    case judged
    /// It is made ready beside the writer; with its size, by what it brings and what it removes.
    case large(Int)
}

extension CommitQueue {
    /// A write of more bytes, or one that removes more, is large.
    private static let large = 1024 * 1024
    /// The rules are asked before a write waits whose text has more bytes than this.
    private static let judgedBefore = 32 * 1024
    /// Of a write with more entries nobody looks how much it removes.
    private static let lookedAt = 16

    /// The course of `write`. Of one with a condition the writer itself asks the rules, unless it is large.
    ///
    /// - Parameter bytes: how long its text is.
    func course(of write: Write, bytes: Int) -> CommitCourse {
        let size = size(of: write, bytes: bytes)
        guard size <= CommitQueue.large else { return .large(size) }
        return bytes > CommitQueue.judgedBefore && write.condition == nil && rulesJudge(write) ? .judged : .plain
    }

    /// Applies `write` on its course, as ``commit(_:)`` does.
    ///
    /// - Parameter bytes: how long its text is.
    func commit(_ write: Write, bytes: Int) async throws -> WriteOutcome {
        switch course(of: write, bytes: bytes) {
        case .plain: try await commit(write)
        case .judged: try await commitJudged(write)
        case .large(let size): try await commitLarge(write, bytes: size)
        }
    }

    private func size(of write: Write, bytes: Int) -> Int {
        guard bytes <= CommitQueue.large, write.entries.count <= CommitQueue.lookedAt else { return bytes }
        let root = root(write.database)
        return write.entries.reduce(bytes) { size, entry in
            guard let branch = root.branch(at: write.base.appending(entry.path)) else { return size }
            return size + branch.size(upTo: CommitQueue.large)
        }
    }
}
