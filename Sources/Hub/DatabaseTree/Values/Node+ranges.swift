internal import FirebaseWire
internal import SyncModel

/// A range of paths below a node. Of two neighbours in a list, the first ends before the second begins.
struct RangeCut {
    /// The range begins behind this; nil for the beginning.
    var after: ArraySlice<WireKey>?
    /// The range ends with this; nil for the end.
    var end: ArraySlice<WireKey>?

    var isWhole: Bool { after == nil && end == nil }

    /// Whether all of this comes before what is at `key`.
    func isBefore(_ key: WireKey) -> Bool {
        guard let end else { return false }
        return end.first.map { WireKey.precedesInKeyOrder($0, key) } ?? true
    }

    /// The part of this that is at `key` or below it, as seen from there; nil where none is.
    func below(_ key: WireKey) -> RangeCut? {
        var part = RangeCut()
        if let first = after?.first {
            guard !WireKey.precedesInKeyOrder(key, first) else { return nil }
            if first == key { part.after = after?.dropFirst() }
        }
        if let end {
            guard let first = end.first, !WireKey.precedesInKeyOrder(first, key) else { return nil }
            if first == key { part.end = end.dropFirst() }
        }
        return part
    }
}

extension Node {
    /// Calls `body` with each leaf in the order of their paths, keys in `$key` order.
    func forEachLeaf(_ body: ([WireKey], JSONValue) -> Void) {
        var path: [WireKey] = []
        forEachLeaf(below: &path, body)
    }

    private func forEachLeaf(below path: inout [WireKey], _ body: ([WireKey], JSONValue) -> Void) {
        if let leaf { return body(path, leaf) }
        var children: [(key: WireKey, value: Node)] = []
        forEachChild { key, child in
            children.append((key, child))
            return true
        }
        children.sort { WireKey.precedesInKeyOrder($0.key, $1.key) }
        for (key, child) in children {
            path.append(key)
            child.forEachLeaf(below: &path, body)
            path.removeLast()
        }
    }

    /// What of this node is in each of some ranges; nil for nothing.
    ///
    /// - Parameter cuts: in their order.
    func parts(_ cuts: [RangeCut]) -> [Node?] {
        guard leaf == nil else { return cuts.map { $0.after == nil ? self : nil } }
        var members = cuts.map { _ in [(WireKey, Node)]() }
        forEachChild { key, child in
            let first = cuts.indices.partitionPoint { !cuts[$0].isBefore(key) }
            var (places, below): ([Int], [RangeCut]) = ([], [])
            for place in first..<cuts.count {
                guard let part = cuts[place].below(key) else { break }
                places.append(place)
                below.append(part)
            }
            guard !below.isEmpty else { return true }
            let parts = below.count == 1 && below[0].isWhole ? [child] : child.parts(below)
            for (place, part) in zip(places, parts) { if let part { members[place].append((key, part)) } }
            return true
        }
        return members.map { Node.joined($0) }
    }
}
