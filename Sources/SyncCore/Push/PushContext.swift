/// What the push may rely on.
package struct PushContext: Hashable, Sendable {
    /// The number of this run of the daemon.
    package var run: Int64
    /// The collection's snapshot of this run was empty.
    package var emptyAtStart: Bool
    package var keepsTombstones: Bool

    package init(run: Int64, emptyAtStart: Bool, keepsTombstones: Bool) {
        self.run = run
        self.emptyAtStart = emptyAtStart
        self.keepsTombstones = keepsTombstones
    }
}
