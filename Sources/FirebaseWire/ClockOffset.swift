/// What answers say about the server's clock.
///
/// A `Date` header has whole seconds, so each answer only bounds the time; the bounds of the last answers are
/// intersected. They are kept by a steady clock, one that nobody sets: however the wall clock is stepped, between two
/// answers or while one is under way, the server's time stays known.
package struct ClockOffset: Sendable {
    private static let kept = 16

    private var bounds: [ClosedRange<Int64>] = []

    package init() {}

    package var isKnown: Bool { !bounds.isEmpty }

    /// Takes in one answer: the server's date in milliseconds since 1970, and when the request was sent and the answer
    /// received, in milliseconds of the steady clock.
    ///
    /// A bound that contradicts an earlier one means that the server's clock was set: the earlier ones are forgotten.
    package mutating func observe(serverDate: Int64, sent: Int64, received: Int64) {
        let lowest = serverDate - max(sent, received)
        let bound = lowest...max(lowest, serverDate + 1000 - sent)
        if let known = intersection, !known.overlaps(bound) { bounds = [] }
        if bounds.count == Self.kept { bounds.removeFirst() }
        bounds.append(bound)
    }

    /// Server's time minus the wall clock's in milliseconds: 0 while that is possible, else the possible value nearest to
    /// it; nil before the first answer.
    ///
    /// `wall` (milliseconds since 1970) and `steady` are the two clocks as they are now.
    package func milliseconds(wall: Int64, steady: Int64) -> Int64? {
        guard let known = intersection else { return nil }
        let ahead = steady - wall
        return min(max(0, known.lowerBound + ahead), known.upperBound + ahead)
    }

    private var intersection: ClosedRange<Int64>? {
        guard let first = bounds.first else { return nil }
        return bounds.dropFirst().reduce(first) { $0.clamped(to: $1) }
    }
}
