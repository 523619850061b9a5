internal import DatabaseTree

/// How a write ended. It is on the disk, and so is what it says was there.
enum WriteOutcome: Sendable {
    /// Done, or nothing to do. `values` are what each entry of the write has put.
    case stored(values: [Node?])
    /// The condition did not hold; this is there.
    case mismatch(current: Node?)
    case refused(Refusal)
    /// What the condition was compared with beforehand is not there any more, and comparing takes too long here.
    case stale
}
