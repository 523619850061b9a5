/// How much of the change feed is kept.
package struct FeedLimits: Hashable, Sendable {
    /// How long an entry is kept at least, in milliseconds.
    package var keep: UInt64
    /// The bytes of the feed's file and of the older one beside it.
    package var capacity: UInt64

    package init(keep: UInt64 = .max, capacity: UInt64 = .max) {
        self.keep = keep
        self.capacity = capacity
    }

    /// What happened before this moment may go.
    ///
    /// - Parameter now: nil where nobody knows: then nothing is too old.
    func cutoff(now: UInt64?) -> UInt64 { now.map { $0 - min($0, keep) } ?? 0 }

    /// Whether the file is to become the older one, and a new one to begin.
    ///
    /// - Parameters:
    ///   - size: of the file, in bytes.
    ///   - first: when the change of its first line took effect; nil where there is none.
    ///   - now: as in ``cutoff(now:)``.
    func isFull(size: UInt64, first: UInt64?, now: UInt64?) -> Bool {
        guard let first else { return false }
        return size >= capacity / 2 || first < cutoff(now: now)
    }
}
