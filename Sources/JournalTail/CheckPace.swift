/// How much of the machine it may take to read again what was consumed of a journal (``Recheck``).
package struct CheckPace: Sendable {
    /// The least time between two checks.
    package var least = Duration.seconds(1)
    /// How many bytes a second checks may read on average, where the journal grows all the time.
    package var average: UInt64 = 1 << 20
    /// The pause after each MiB of a check.
    package var pause = Duration.milliseconds(50)

    package init() {}
}
