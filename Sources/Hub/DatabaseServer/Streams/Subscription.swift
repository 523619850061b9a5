internal import DatabaseTree
internal import FirebaseWire

/// What an event stream listens to: a place, and perhaps a query on its children.
struct Subscription: Hashable, Sendable {
    let path: WirePath
    let query: Query?
    /// Whether priorities are sent, and no arrays.
    var isExport = false

    /// What a listener of this sees in `root`.
    func snapshot(of root: Root) -> Node? {
        guard let node = root.value(at: path) else { return nil }
        guard let query else { return node }
        return Node(children: node.selected(by: query))
    }
}
