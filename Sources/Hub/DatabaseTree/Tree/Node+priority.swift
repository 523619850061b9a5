internal import FirebaseWire
internal import JSONText
package import SyncModel

extension Node {
    /// The priority, a number or a string; nil without one.
    package var priority: JSONValue? { descend([.priority])?.leaf }

    /// The value of a leaf, with or without priority; nil for objects and arrays.
    package var leaf: JSONValue? {
        switch self {
        case .branch(let pages): return pages[.value]?.leaf
        case .packed(_, let text):
            guard !CanonicalText.isLeaf(text[...]) else { return try? JSONReader.value(text) }
            return CanonicalText.leafWithPriority(text[...]).flatMap { try? JSONReader.value($0) }
        }
    }

    /// The node with this text and another priority, or with none.
    static func withPriority(_ text: ArraySlice<UInt8>, _ priority: Node?) -> Node? {
        var children: [(WireKey, Node)] = []
        if CanonicalText.isLeaf(text) {
            children = [(.value, .packed(row: 0, text: Array(text)))]
        } else {
            children = CanonicalText.members(text).map { ($0.key, .packed(row: 0, text: Array($0.text))) }
        }
        children.removeAll { $0.0 == .priority }
        if let priority { return joined(children + [(.priority, priority)]) }
        if children.count == 1, children[0].0 == .value { return children[0].1 }
        return joined(children)
    }

    /// What is left of a node's children after one has changed: a leaf becomes an object with its first child, and a
    /// priority goes with the last one.
    static func normalized(_ children: [(WireKey, Node)]) -> [(WireKey, Node)] {
        guard children.contains(where: { $0.0.isPseudo }) else { return children }
        if children.contains(where: { !$0.0.isPseudo }) { return children.filter { $0.0 != .value } }
        return children.contains { $0.0 == .value } ? children : []
    }
}
