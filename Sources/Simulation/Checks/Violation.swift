/// A promise that a run has broken.
package struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The invariants of `docs/protocol.md` section 12, in their order, and what else may never happen.
    package enum Promise: String, CaseIterable, Hashable, Sendable {
        case acknowledgedIsKept, positions, mergeOrder, tombstones, stamps, counters, convergence, holds, idle, edits
        /// More requests than there is progress for.
        case storm
        /// The state failed, or something was thrown that nobody expects.
        case crashed
    }

    package var promise: Promise
    package var what: String
    /// The simulated time, in milliseconds since the start of the run.
    package var at: UInt64

    package var description: String { "\(promise.rawValue) at \(at) ms: \(what)" }
}
