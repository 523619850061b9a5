package import FirebaseWire
internal import Synchronization

/// The places that rules have looked at, so that it can be told which writes change nothing for them.
///
/// Places are known by a hash of 64 bits: two that share one are taken for the same, which errs on the safe side.
package final class ReadTrace: Sendable {
    private struct State {
        var reads: Set<UInt64> = []
        /// All places above those.
        var above: Set<UInt64> = []
    }

    private let state = Mutex(State())
    /// So many places are told apart.
    private let limit: Int
    /// The place that all others below it are taken for beyond that, and those above it.
    private let base: UInt64
    private let aboveBase: [UInt64]

    package convenience init() { self.init(around: .root, limit: .max) }

    /// - Parameters:
    ///   - base: where most of what is looked at is.
    ///   - limit: how many places are told apart; beyond that all below `base` are one, and so are all others.
    package init(around base: WirePath, limit: Int) {
        self.limit = limit
        var places = [ReadTrace.root]
        for key in base.keys { places.append(ReadTrace.place(key, below: places[places.count - 1])) }
        self.base = places.removeLast()
        aboveBase = places
    }

    /// Notes that what is at and below the last of `places` was looked at.
    ///
    /// - Parameter places: from there up to the root.
    func note(_ place: UInt64, above places: some Sequence<UInt64>) {
        state.withLock { state in
            guard !state.reads.contains(place) else { return }
            if state.reads.count + state.above.count >= limit {
                let isBelow = place == base || places.contains(base)
                state.reads.insert(isBelow ? base : ReadTrace.root)
                if isBelow { state.above.formUnion(aboveBase) }
                return
            }
            state.reads.insert(place)
            for place in places { guard state.above.insert(place).inserted else { return } }
        }
    }

    /// Whether a write to `path` may change something that was looked at.
    package func isTouched(by path: WirePath) -> Bool {
        state.withLock { state in
            var place = ReadTrace.root
            if state.reads.contains(place) { return true }
            for key in path.keys {
                place = ReadTrace.place(key, below: place)
                if state.reads.contains(place) { return true }
            }
            return state.above.contains(place)
        }
    }

    static let root: UInt64 = 0xcbf2_9ce4_8422_2325

    static func place(_ key: WireKey, below place: UInt64) -> UInt64 {
        var hash = (place ^ 0x2F) &* 0x100_0000_01b3
        for byte in key.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash
    }
}
