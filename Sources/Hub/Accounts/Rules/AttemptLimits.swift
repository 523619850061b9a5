/// How often somebody may try: each key has ten attempts in ten minutes, and those that went well don't count.
package struct AttemptLimits: Sendable {
    /// Milliseconds.
    static let window: Int64 = 600_000
    static let most = 10
    /// So many keys are remembered; beyond them the ones that have been quiet for longest are forgotten.
    private let capacity: Int
    private var attempts: [String: [Int64]] = [:]

    package init(capacity: Int = 50_000) { self.capacity = capacity }

    /// Counts an attempt for each of `keys`; false, and nothing is counted, where one of them has had its share.
    ///
    /// - Parameter now: milliseconds.
    package mutating func begin(_ keys: [String], now: Int64) -> Bool {
        for key in keys {
            attempts[key]?.removeAll { $0 <= now - AttemptLimits.window }
            if let recent = attempts[key], recent.count >= AttemptLimits.most { return false }
        }
        for key in keys { attempts[key, default: []].append(now) }
        if attempts.count > capacity { forget(now) }
        return true
    }

    /// Takes back the attempt that began at `now`, because it went well.
    package mutating func forgive(_ keys: [String], begunAt now: Int64) {
        for key in keys {
            guard let index = attempts[key]?.lastIndex(of: now) else { continue }
            attempts[key]?.remove(at: index)
            if attempts[key]?.isEmpty == true { attempts[key] = nil }
        }
    }

    private mutating func forget(_ now: Int64) {
        attempts = attempts.filter { $0.value.last.map { $0 > now - AttemptLimits.window } == true }
        guard attempts.count > capacity else { return }
        let latest = attempts.values.compactMap(\.last).sorted()
        let middle = latest[latest.count / 2]
        attempts = attempts.filter { ($0.value.last ?? 0) > middle }
    }
}
