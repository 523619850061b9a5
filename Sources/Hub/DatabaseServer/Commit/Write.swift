internal import DatabaseTree
internal import FirebaseWire
internal import SyncModel

/// A write on its way to the disk.
struct Write: Sendable {
    enum Kind: Sendable { case put, patch }

    enum Value: Sendable {
        /// Ready to store; nil deletes.
        case node(Node?)
        /// Has server values, which are filled in when the write is applied.
        case unresolved(WriteValue)

        init(_ value: WriteValue, hasServerValues: Bool) {
            self =
                hasServerValues
                ? .unresolved(value) : .node(value.canonicalText.map { Node(canonical: $0) })
        }
    }

    struct Entry: Sendable {
        /// Relative to the write's base.
        let path: WirePath
        let value: Value
    }

    let database: String
    let base: WirePath
    let kind: Kind
    /// One with the root path for a put; several for a patch.
    let entries: [Entry]
    /// What must be stored at the base for the write to happen.
    var condition: WriteCondition?
    let principal: Principal
    /// Whether an entry has or is a priority.
    let hasPriorities: Bool

    /// - Parameter path: may end with ``WireKey/priority``.
    init(put body: PutBody, at path: WirePath, in database: String, by principal: Principal) {
        self.database = database
        base = path.node
        kind = .put
        let place = path.isPriority ? WirePath([.priority]) : .root
        entries = [Entry(path: place, value: Value(body.value, hasServerValues: body.hasServerValues))]
        hasPriorities = body.hasPriorities || path.isPriority
        self.principal = principal
    }

    init(patch: PatchBody, at base: WirePath, in database: String, by principal: Principal) {
        self.database = database
        self.base = base
        kind = .patch
        self.principal = principal
        hasPriorities = patch.hasPriorities
        entries = patch.entries.map {
            Entry(path: $0.path, value: Value($0.value, hasServerValues: patch.hasServerValues))
        }
    }
}

/// How a write ended. It is on the disk, and so is what it says was there.
enum WriteOutcome: Sendable {
    /// Done, or nothing to do. `values` are what each entry of the write has put.
    case stored(values: [Node?])
    /// The condition did not hold; this is there.
    case mismatch(current: Node?)
    case refused(Refusal)
    /// What the condition was compared with beforehand is not there any more, and comparing takes too long here.
    case stale
}

/// A write that has changed something, for the listeners.
struct CommittedChange: Sendable {
    let kind: Write.Kind
    let base: WirePath
    /// Paths relative to the base, with what they have now.
    let entries: [(path: WirePath, value: Node?)]
    let before: Root
    let after: Root
}
