internal import Synchronization

/// The numbers of the rows of a file: each is given out once, so that what fails leaves a gap.
package final class RowNumbers: Sendable {
    private let next: Atomic<Int64>

    /// - Parameter next: the first one to give out.
    package init(next: Int64) { self.next = Atomic(next) }

    /// The next number is this one. To be called before any is given out.
    package func begin(at number: Int64) { next.store(number, ordering: .relaxed) }

    /// So many numbers that follow one another.
    package func take(_ count: Int) -> Range<Int64> {
        let end = next.wrappingAdd(Int64(count), ordering: .relaxed).newValue
        return (end - Int64(count))..<end
    }
}
