internal import DatabaseTree
internal import FirebaseWire

/// A place in the database, before or after a write, and the way to it from the root.
final class RuleSnapshot: Sendable {
    /// Nil for the root.
    let parent: RuleSnapshot?
    private let stored: Node?
    private let trace: ReadTrace?
    /// By which the trace knows it.
    private let place: UInt64

    /// - Parameter trace: notes what is looked at.
    init(root: Root, trace: ReadTrace?) {
        stored = root.node
        parent = nil
        self.trace = trace
        place = ReadTrace.root
    }

    private init(_ node: Node?, _ key: WireKey, below parent: RuleSnapshot) {
        stored = node
        self.parent = parent
        trace = parent.trace
        place = trace == nil ? 0 : ReadTrace.place(key, below: parent.place)
    }

    /// What is stored there; nil where nothing is.
    var node: Node? {
        trace?.note(place, above: sequence(first: self, next: \.parent).lazy.dropFirst().map(\.place))
        return stored
    }

    var exists: Bool { node != nil }

    /// The value of a leaf; an object without members stands for anything larger.
    var value: RuleValue {
        guard let node else { return .null }
        return node.leaf.map { RuleValue($0) } ?? .object([:])
    }

    func child(_ key: WireKey) -> RuleSnapshot {
        RuleSnapshot(stored?.descend([key]), key, below: self)
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
