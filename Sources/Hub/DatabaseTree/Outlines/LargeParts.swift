/// The parts of a text that are large by themselves.
struct LargeParts: Sendable {
    /// By where their values begin.
    private(set) var indexes: [UInt32: OutlineIndex] = [:]

    /// Notes a value that stores something where it is large.
    mutating func add(_ finding: OutlineFinding, at value: Range<Int>) {
        if case .large(let index) = finding { indexes[LargeParts.place(value)] = index }
    }

    /// What was found at the place of a value that stores something.
    func finding(_ value: Range<Int>) -> OutlineFinding {
        indexes[LargeParts.place(value)].map { .large($0) } ?? .whole
    }

    private static func place(_ value: Range<Int>) -> UInt32 { UInt32(truncatingIfNeeded: value.lowerBound) }
}
