/// How often somebody may do what is not to be done too often: each key some times in ten minutes.
package struct AttemptLimits: Sendable {
    /// Milliseconds.
    static let window: Int64 = 600_000
    /// So many keys are remembered; beyond them the ones that have been quiet for longest are forgotten.
    private let capacity: Int
    private var attempts: [String: [Int64]] = [:]

    package init(capacity: Int = 50_000) { self.capacity = capacity }

    /// Whether none of `keys` has had its share. To be asked before an attempt, and again before anybody learns how it
    /// went: of many attempts at once no more than the first ones tell something.
    ///
    /// - Parameters:
    ///   - most: so often is enough.
    ///   - now: milliseconds.
    package func mayTry(_ keys: [String], most: Int, now: Int64) -> Bool {
        keys.allSatisfy { key in
            let recent = attempts[key]?.count { $0 > now - AttemptLimits.window } ?? 0
            return recent < most
        }
    }

    /// Counts an attempt for each of `keys`; of those that are tries, one that has failed.
    ///
    /// - Parameter now: milliseconds.
    package mutating func count(_ keys: [String], now: Int64) {
        for key in keys {
            attempts[key]?.removeAll { $0 <= now - AttemptLimits.window }
            attempts[key, default: []].append(now)
        }
        if attempts.count > capacity { forget(now) }
    }

    private mutating func forget(_ now: Int64) {
        attempts = attempts.filter { $0.value.last.map { $0 > now - AttemptLimits.window } == true }
        guard attempts.count > capacity else { return }
        let latest = attempts.values.compactMap(\.last).sorted()
        let middle = latest[latest.count / 2]
        attempts = attempts.filter { ($0.value.last ?? 0) > middle }
    }
}
