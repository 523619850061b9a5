internal import SyncModel

/// The result sets that are held, as many and as long as there is use for them.
struct SetShelf: Sendable {
    /// Whose search it was; nil where there is no telling.
    struct Owner: Hashable, Sendable {
        var user: UInt32?
        var collection: CollectionID?
    }

    private static let most = 32
    private static let mostRows = 100_000
    /// In milliseconds.
    private static let longestRest: UInt64 = 30 * 60_000

    private var sets: [String: (set: ResultSet, used: UInt64)] = [:]
    private var latest: [Owner: String] = [:]

    var count: Int { sets.count }

    /// A set, which is used by that.
    ///
    /// - Parameter id: its name, or `latest` for the one that this user has made last.
    mutating func set(_ id: String, _ owner: Owner, at now: UInt64) -> ResultSet? {
        tidy(at: now)
        guard let id = id == "latest" ? latest[owner] : id, let found = sets[id] else { return nil }
        sets[id]?.used = now
        return found.set
    }

    /// Holds a set, in place of the one of the same name.
    mutating func put(_ set: ResultSet, at now: UInt64) {
        sets[set.id] = (set, now)
        tidy(at: now)
        while sets.count > SetShelf.most || sets.values.reduce(0, { $0 + $1.set.rows.count }) > SetShelf.mostRows,
            sets.count > 1, let oldest = sets.filter({ $0.key != set.id }).min(by: { $0.value.used < $1.value.used })
        {
            sets[oldest.key] = nil
        }
    }

    /// From now on it is the one that this user has made last, of all and of its collection.
    mutating func made(_ set: ResultSet, by user: UInt32?) {
        latest[Owner(user: user)] = set.id
        latest[Owner(user: user, collection: set.collection)] = set.id
    }

    mutating func drop(_ id: String) { sets[id] = nil }

    private mutating func tidy(at now: UInt64) {
        sets = sets.filter { now - min(now, $0.value.used) <= SetShelf.longestRest }
        latest = latest.filter { sets[$0.value] != nil }
    }
}
