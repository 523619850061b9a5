/// What answers say about the difference between the server's clock and ours.
///
/// A `Date` header has whole seconds, so each answer only bounds the difference; the bounds of the last answers are
/// intersected.
package struct ClockOffset: Sendable {
    private static let kept = 16

    private var bounds: [ClosedRange<Int64>] = []

    package init() {}

    /// Takes in one answer; all times are milliseconds since 1970.
    ///
    /// A bound that contradicts an earlier one means that a clock was set: the earlier ones are forgotten.
    package mutating func observe(serverDate: Int64, sent: Int64, received: Int64) {
        let lowest = serverDate - max(sent, received)
        let bound = lowest...max(lowest, serverDate + 1000 - sent)
        if let known = intersection, !known.overlaps(bound) { bounds = [] }
        if bounds.count == Self.kept { bounds.removeFirst() }
        bounds.append(bound)
    }

    /// Server's time minus ours in milliseconds: 0 while that is possible, else the possible value nearest to it; nil
    /// before the first answer.
    package var milliseconds: Int64? {
        guard let known = intersection else { return nil }
        return min(max(0, known.lowerBound), known.upperBound)
    }

    private var intersection: ClosedRange<Int64>? {
        guard let first = bounds.first else { return nil }
        return bounds.dropFirst().reduce(first) { $0.clamped(to: $1) }
    }
}
