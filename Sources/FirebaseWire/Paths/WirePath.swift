/// A place in the database: the keys from the root down.
package struct WirePath: Hashable, Sendable, CustomStringConvertible {
    package var keys: [WireKey]

    /// Below this many levels nothing can be stored.
    package static let maxDepth = 32

    package static let root = WirePath([])

    package init(_ keys: [WireKey]) { self.keys = keys }

    package init(_ keys: ArraySlice<WireKey>) { self.keys = Array(keys) }

    /// Reads slash-separated keys; empty segments are ignored, so `/a//b/` is `a/b`.
    ///
    /// Throws where a segment can't be a key or there are more than 32.
    package init(parsing text: some StringProtocol) throws(WirePathError) {
        keys = []
        for segment in text.pieces(between: "/") {
            guard let key = WireKey(segment) else { throw .invalidKey }
            keys.append(key)
        }
        guard keys.count <= WirePath.maxDepth else { throw .tooDeep }
    }

    /// `/` for the root, `/a/b` for anything below.
    package var description: String { "/" + keys.map(\.text).joined(separator: "/") }

    /// Without the first slash: empty for the root, `a/b` for anything below.
    package var text: String { keys.map(\.text).joined(separator: "/") }

    package var isRoot: Bool { keys.isEmpty }

    /// Whether this is the place of a priority.
    package var isPriority: Bool { keys.last == .priority }

    /// The node that this is, or whose priority it is the place of.
    package var node: WirePath { isPriority ? WirePath(keys.dropLast()) : self }

    /// Whether this is `other` or an ancestor of it.
    package func contains(_ other: WirePath) -> Bool { other.keys.starts(with: keys) }

    /// The keys that lead from here to `other`; nil unless ``contains(_:)``.
    package func relative(_ other: WirePath) -> WirePath? {
        contains(other) ? WirePath(other.keys[keys.count...]) : nil
    }

    /// The database's order of the texts of two paths: that of the first keys that differ.
    package static func precedes(_ left: String, _ right: String) -> Bool {
        // Nearly all are one key.
        let slash = UInt8(ascii: "/")
        guard left.utf8.contains(slash) || right.utf8.contains(slash) else {
            return WireKey.precedesInKeyOrder(WireKey(unchecked: left), WireKey(unchecked: right))
        }
        func keys(_ text: String) -> [WireKey] { text.pieces(between: "/").map { WireKey(unchecked: String($0)) } }
        return keys(left).lexicographicallyPrecedes(keys(right), by: WireKey.precedesInKeyOrder)
    }

    package func appending(_ key: WireKey) -> WirePath { WirePath(keys + [key]) }

    package func appending(_ path: WirePath) -> WirePath {
        if path.keys.isEmpty { return self }
        return keys.isEmpty ? path : WirePath(keys + path.keys)
    }
}

extension WirePath: Comparable {
    /// Depth first, keys in byte order: an ancestor stands right before its descendants.
    package static func < (left: WirePath, right: WirePath) -> Bool {
        left.keys.lexicographicallyPrecedes(right.keys)
    }
}
