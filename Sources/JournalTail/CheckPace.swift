/// How much of the machine it may take to read again what was consumed of a journal (``Recheck``).
package struct CheckPace: Sendable {
    /// The least time between two checks.
    package var least = Duration.seconds(1)
    /// How many bytes a second checks may read on average, where the journal grows all the time.
    package var average: UInt64 = 1 << 20
    /// The pause after each MiB of a check.
    package var pause = Duration.milliseconds(50)

    /// How long a renamed file that is still written to, though there is another one, has to be quiet before it is left; zero
    /// for not at all.
    package var lateQuiet = Duration.seconds(3)
    /// How long it is waited for that at most.
    package var lateMost = Duration.seconds(30)

    package init() {}
}
