internal import Dispatch
internal import Synchronization

/// A disk that takes what it is given only as it is told to.
package final class HandDisk: Sendable {
    package enum Mood: Sendable { case takes, keepsWaiting, fails }

    private struct Failure: Error {}

    private let mood = Mutex(Mood.takes)
    private let number = Atomic(0)
    private let isFree = DispatchSemaphore(value: 0)
    /// Rung each time it is asked.
    package let bell = Bell()

    package init() {}

    /// How often it was asked.
    package var asked: Int { number.load(ordering: .relaxed) }

    package func synchronize() throws {
        let mood = mood.withLock { $0 }
        number.add(1, ordering: .relaxed)
        bell.ring()
        if mood == .keepsWaiting { isFree.wait() }
        if self.mood.withLock({ $0 }) == .fails { throw Failure() }
    }

    /// From now on it does so; who waits goes on waiting.
    package func set(_ mood: Mood) { self.mood.withLock { $0 = mood } }

    /// Ends the wait of the one who waits; from now on it does so.
    package func free(_ mood: Mood = .takes) {
        set(mood)
        isFree.signal()
    }
}
