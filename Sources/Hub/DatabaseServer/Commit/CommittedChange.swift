internal import DatabaseTree
internal import FirebaseWire

/// A write that has changed something, for the listeners.
struct CommittedChange: Sendable {
    let kind: Write.Kind
    let base: WirePath
    /// Paths relative to the base, with what they have now.
    let entries: [(path: WirePath, value: Node?)]
    let before: Root
    let after: Root

    /// - Parameter values: what each entry of `write` has put.
    init(_ write: Write, _ values: [Node?], before: Root, after: Root) {
        kind = write.kind
        base = write.base
        entries = zip(write.entries, values).map { entry, value in
            // Who listens is told of a priority by the node that has it.
            entry.path.isPriority
                ? (entry.path.node, after.value(at: write.base.appending(entry.path.node))) : (entry.path, value)
        }
        self.before = before
        self.after = after
    }
}
