/// How many lines are checked before those that were are applied: as many as take about a second, so that a slow check keeps
/// no edit from its readers that it has passed, and a stop loses few answers.
package struct CheckedBatch: Sendable {
    /// The time that checking a batch is to take, in milliseconds.
    private static let aim: UInt64 = 1_000
    private static let first = 16
    private static let all = 4_000

    /// As many as there are, where no check is known.
    package private(set) var most = Int.max
    private var isChecked = false

    package init() {}

    /// How many lines the next batch may have. Few, where there may be checks since the one before: nobody knows yet how long
    /// they take.
    package mutating func next(isChecked: Bool) -> Int {
        if isChecked, !self.isChecked { most = min(most, CheckedBatch.first) }
        self.isChecked = isChecked
        return most
    }

    /// - Parameters:
    ///   - milliseconds: nil where no check was asked.
    ///   - lines: how many there were in the batch.
    package mutating func took(_ milliseconds: UInt64?, for lines: Int) {
        guard let milliseconds else {
            if most < CheckedBatch.all { most *= 4 }
            return
        }
        let known = min(most, CheckedBatch.all)
        let fitting = Double(lines) * Double(CheckedBatch.aim) / Double(max(milliseconds, 1))
        // What a few lines took tells little of many.
        most = max(1, min(4 * known, Int(min(fitting, Double(CheckedBatch.all)))))
    }
}
