internal import SyncModel

/// Records that are written again and again though nobody edits them: nodes that merge by different declarations would do
/// so without end. Each rests for a minute after a while.
struct Rewrites: Sendable {
    /// Milliseconds.
    private static let span: UInt64 = 60_000
    /// So many within a span, or two, are none to be worried about.
    private static let most = 20

    private var counts: [RecordID: Int] = [:]
    private var earlier: [RecordID: Int] = [:]
    private var since: UInt64 = 0
    /// Until when they rest, on the monotonic clock.
    private var resting: [RecordID: UInt64] = [:]

    /// When the first of those that rest is due, on the monotonic clock.
    var due: UInt64? { resting.values.min() }

    /// Takes those that have rested.
    mutating func rested(at now: UInt64) -> [RecordID] {
        guard let due, due <= now else { return [] }
        let rested = resting.filter { $0.value <= now }.keys.sorted()
        for id in rested { (resting[id], counts[id], earlier[id]) = (nil, nil, nil) }
        return rested
    }

    /// Whether a record that is to be written without a new edit rests; counts it where it does not.
    mutating func rests(_ id: RecordID, at now: UInt64) -> Bool {
        if resting[id] != nil { return true }
        if now > since + Rewrites.span {
            earlier = now > since + 2 * Rewrites.span ? [:] : counts
            (counts, since) = ([:], now)
        }
        counts[id, default: 0] += 1
        guard counts[id, default: 0] + earlier[id, default: 0] > Rewrites.most else { return false }
        resting[id] = now + Rewrites.span
        return true
    }
}

extension RecordState {
    /// Whether what is to be written holds no edit above what the remote is known to have held.
    var isRewritten: Bool {
        guard let base = remote?.newestStamp, let live = known.live, observed == nil else { return false }
        return live.newest <= base
    }
}
