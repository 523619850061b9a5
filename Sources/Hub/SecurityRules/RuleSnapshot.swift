internal import DatabaseTree
internal import FirebaseWire

/// A place in the database, before or after a write, and the way to it from the root.
final class RuleSnapshot: Sendable {
    /// What is stored there; nil where nothing is.
    let node: Node?
    /// Nil for the root.
    let parent: RuleSnapshot?

    init(root: Root) {
        node = root.node
        parent = nil
    }

    private init(_ node: Node?, below parent: RuleSnapshot) {
        self.node = node
        self.parent = parent
    }

    var exists: Bool { node != nil }

    /// The value of a leaf; an object without members stands for anything larger.
    var value: RuleValue {
        guard let node else { return .null }
        return node.leaf.map { RuleValue($0) } ?? .object([:])
    }

    func child(_ key: WireKey) -> RuleSnapshot {
        RuleSnapshot(node?.descend([key]), below: self)
    }

    func descend(_ keys: [WireKey]) -> RuleSnapshot { keys.reduce(self) { $0.child($1) } }

    /// The keys of a path in a rule; nil where there are more than a path can have. What can't be a key is one that
    /// nothing ever stands at.
    static func keys(_ path: String) -> [WireKey]? {
        let parts = path.split(separator: "/", maxSplits: WirePath.maxDepth + 1)
        return parts.count > WirePath.maxDepth ? nil : parts.map { WireKey(unchecked: String($0)) }
    }

    var hasChildren: Bool {
        var any = false
        node?.forEachChild { _, _ in
            any = true
            return false
        }
        return any
    }
}
