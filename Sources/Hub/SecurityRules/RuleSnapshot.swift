internal import DatabaseTree
internal import FirebaseWire
internal import SyncModel

/// A place in the database, before or after a write, and the way to it from the root.
final class RuleSnapshot: Sendable {
    /// Nil for the root.
    let parent: RuleSnapshot?
    private let place: Outlook
    private let trace: ReadTrace?
    /// By which the trace knows the place.
    private let mark: UInt64

    /// - Parameter trace: notes what is looked at.
    convenience init(root: Root, trace: ReadTrace?) {
        self.init(Outlook(root.node), trace: trace)
    }

    /// - Parameter root: the whole database.
    init(_ root: Outlook, trace: ReadTrace?) {
        place = root
        parent = nil
        self.trace = trace
        mark = ReadTrace.root
    }

    private init(_ place: Outlook, _ key: WireKey, below parent: RuleSnapshot) {
        self.place = place
        self.parent = parent
        trace = parent.trace
        mark = trace == nil ? 0 : ReadTrace.place(key, below: parent.mark)
    }

    /// What is there, for who looks at it.
    private var seen: Outlook {
        if !place.isBrought {
            trace?.note(mark, above: sequence(first: self, next: \.parent).lazy.dropFirst().map(\.mark))
        }
        return place
    }

    var exists: Bool { seen.exists }

    /// The value of a leaf; an object without members stands for anything larger.
    var value: RuleValue {
        let place = seen
        if let leaf = place.leaf { return RuleValue(leaf) }
        return place.exists ? .object([:]) : .null
    }

    func child(_ key: WireKey) -> RuleSnapshot {
        RuleSnapshot(place.child(key), key, below: self)
    }

    func descend(_ keys: [WireKey]) -> RuleSnapshot { keys.reduce(self) { $0.child($1) } }

    /// The keys of a path in a rule; nil where there are more than a path can have. What can't be a key is one that
    /// nothing ever stands at.
    static func keys(_ path: String) -> [WireKey]? {
        // By bytes, as paths of requests: with a mark behind it that joins, a slash is no character of its own.
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: WirePath.maxDepth + 1)
        return parts.count > WirePath.maxDepth ? nil : parts.map { WireKey(unchecked: String(Substring($0))) }
    }

    var hasChildren: Bool { seen.hasChildren }

    /// A number or a string; nil without one.
    var priority: JSONValue? { seen.priority }

    /// Calls `body` with each child, in any order, until it returns false.
    func forEachChild(_ body: (WireKey, RuleSnapshot) -> Bool) {
        seen.forEachChild { key, child in body(key, RuleSnapshot(child, key, below: self)) }
    }
}
