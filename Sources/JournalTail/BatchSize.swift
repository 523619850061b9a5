internal import Synchronization

/// How many lines a batch may have, as whoever handles batches says: also while a tail reads.
package final class BatchSize: Sendable {
    private let lines = Mutex(Int.max)

    package init() {}

    /// Holds for the batches that are not read yet; a tail takes fewer where it has reasons of its own.
    package var most: Int {
        get { lines.withLock { $0 } }
        set { lines.withLock { $0 = max(1, newValue) } }
    }
}
