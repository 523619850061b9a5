/// What a plugin may take: times in milliseconds, sizes in bytes.
package struct PluginLimits: Hashable, Sendable {
    /// A line, in both directions.
    package var line = 1 << 20
    /// Until `hello` is answered, counted from the moment the program is begun.
    package var hello: UInt64 = 10_000
    /// A call without any line.
    package var quiet: UInt64 = 30_000
    /// A call in all; the same for one that waits for its turn.
    package var call: UInt64 = 120_000
    /// Until a call that was cancelled ends.
    package var cancel: UInt64 = 5_000
    /// The items of a call.
    package var items = 10_000
    /// The bytes of the lines of a call.
    package var bytes = 64 << 20
    /// The calls that wait for their turn.
    package var waiting = 100
    /// The lines for calls that have ended already, and those before the end of `hello`.
    package var strays = 1_000
    /// The highest `concurrency`.
    package var concurrency = 64
    /// Until a plugin that nobody needs is ended.
    package var idle: UInt64 = 60_000

    package init() {}
}
