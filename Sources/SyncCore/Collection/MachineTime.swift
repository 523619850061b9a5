/// The clocks at the moment of an input, as its shell read them.
package struct MachineTime: Hashable, Sendable {
    /// Milliseconds of a clock that only goes forward; its zero means nothing.
    package var monotonic: UInt64
    /// This machine's clock and the server's.
    package var policy: StampPolicy
    /// How long tombstones are kept, in milliseconds.
    package var keep: UInt64
    /// From 0 to 1: spreads what many nodes would do at once.
    package var random: Double

    package init(
        monotonic: UInt64, policy: StampPolicy, serverIsKnown: Bool, random: Double, keep: UInt64 = 90 * 86_400_000
    ) {
        self.monotonic = monotonic
        self.policy = policy
        self.policy.serverIsKnown = serverIsKnown
        self.random = random
        self.keep = keep
    }

    package var wall: UInt64 { policy.wall }

    /// Whether the server's clock is known at all.
    package var serverIsKnown: Bool {
        get { policy.serverIsKnown }
        set { policy.serverIsKnown = newValue }
    }
}
