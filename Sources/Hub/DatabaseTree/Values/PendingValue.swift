package import FirebaseWire
package import SyncModel

/// A value that a write brings, as far made ready to be stored as it can be before its turn.
package enum PendingValue: Sendable {
    /// Ready to store; nil deletes.
    case node(Node?)
    /// Has timestamps and no other server values, and is else ready to store.
    case stamped(DraftText)
    /// Has server values, which are filled in when the write is applied.
    case unresolved(WriteValue)
    /// A large object: the children that are ready, and those that are not.
    indirect case parts(Children, [WireKey: PendingValue])

    package init(_ value: WriteValue, hasServerValues: Bool) {
        if !hasServerValues {
            self = .node(value.canonicalText.map { Node(canonical: $0) })
        } else if !value.hasIncrement, let draft = value.draftText {
            self = .stamped(draft)
        } else {
            self = .unresolved(value)
        }
    }

    /// What is stored, with all server values filled in; nil for nothing.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970; the same for a whole request.
    ///   - existing: what is stored at a path relative to this value before the write.
    package func resolved(now: Int64, existing: (WirePath) -> JSONValue?) -> Node? {
        switch self {
        case .node(let node): return node
        case .stamped(let draft): return Node(canonical: draft.stamped(now))
        case .unresolved(let value):
            return value.resolved(now: now, existing: existing).canonicalText.map { Node(canonical: $0) }
        case .parts(var children, let others):
            for (key, value) in others {
                let node = value.resolved(now: now) { existing(WirePath([key] + $0.keys)) }
                children.update(key) { $0 = node }
            }
            return Node(children)
        }
    }
}

extension Node {
    /// The node with these children, packed where it is small enough; nil without any but a priority.
    init?(_ children: Children) {
        guard children.count > (children[.priority] == nil ? 0 : 1) else { return nil }
        let branch = Node.branch(children)
        guard branch.size(upTo: Node.maxPacked) <= Node.maxPacked else {
            self = branch
            return
        }
        self.init(canonical: branch.text)
    }
}
