internal import Synchronization

/// The time of writes: a clock that stands still for a while where it was set back a little. Whoever asks for what is new by
/// its time never learns of a write whose time is before the last one's.
final class WriteClock: Sendable {
    /// How far a clock may have been set back to be waited for, in milliseconds. What nodes take for a clock that can be
    /// trusted, a minute on either side, is no more apart.
    private static let mostBack: Int64 = 120_000

    private let clock: @Sendable () -> Int64
    private let last = Mutex<Int64>(.min)

    /// - Parameter clock: milliseconds since 1970.
    init(_ clock: @escaping @Sendable () -> Int64) { self.clock = clock }

    /// Goes on where an earlier run ended.
    ///
    /// - Parameter time: that of its last write.
    func goOn(after time: Int64) { last.withLock { $0 = max($0, time) } }

    /// Milliseconds since 1970.
    func now() -> Int64 {
        last.withLock { last in
            let now = clock()
            if last < now || last - now > WriteClock.mostBack { last = now }
            return last
        }
    }
}
