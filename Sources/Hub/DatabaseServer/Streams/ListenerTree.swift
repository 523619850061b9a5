internal import DatabaseTree
internal import FirebaseWire

/// The listeners of one database, found by the places a write touches.
struct ListenerTree: Sendable {
    /// What the subscriptions to one place differ in.
    private struct Selection: Hashable {
        let query: Query?
        let isExport: Bool
        let isShallow: Bool
        let wire: Subscription.Wire

        init(_ subscription: Subscription) {
            query = subscription.query
            isExport = subscription.isExport
            isShallow = subscription.isShallow
            wire = subscription.wire
        }

        func subscription(at path: [WireKey]) -> Subscription {
            Subscription(
                path: WirePath(path), query: query, isExport: isExport, isShallow: isShallow, wire: wire)
        }
    }

    private var groups: [Selection: SubscriberGroup] = [:]
    private var children: [WireKey: ListenerTree] = [:]

    var isEmpty: Bool { groups.isEmpty && children.isEmpty }

    /// How many listen.
    var count: Int {
        groups.values.reduce(0) { $0 + $1.listeners.count } + children.values.reduce(0) { $0 + $1.count }
    }

    /// Lets `change` see and change the group of `subscription`; a group without listeners is removed.
    mutating func update(_ subscription: Subscription, _ change: (inout SubscriberGroup) -> Void) {
        update(subscription.path.keys[...], Selection(subscription), change)
    }

    private mutating func update(
        _ path: ArraySlice<WireKey>, _ selection: Selection, _ change: (inout SubscriberGroup) -> Void
    ) {
        if let key = path.first {
            children[key, default: ListenerTree()].update(path.dropFirst(), selection, change)
            if children[key]?.isEmpty == true { children[key] = nil }
        } else {
            change(&groups[selection, default: SubscriberGroup()])
            if groups[selection]?.listeners.isEmpty == true { groups[selection] = nil }
        }
    }

    /// What is listened to at, above or below any of the places that `change` has written.
    func subscriptions(touchedBy change: CommittedChange) -> Set<Subscription> {
        let here = change.base.keys
        var (found, last) = (Set<Subscription>(), [WireKey]())
        insertGroups(at: [], into: &found)
        guard let base = descend(here, below: [], into: &found), !base.children.isEmpty else { return found }
        for entry in change.entries {
            let path = entry.path.keys
            // What is above the first key that is another than in the path before has been found with that.
            let known = zip(last, path).prefix { $0 == $1 }.count
            if let end = base.descend(path, from: known, below: here, into: &found), !end.children.isEmpty {
                end.forEachGroup(here + path) { subscription, _ in found.insert(subscription) }
            }
            last = path
        }
        return found
    }

    /// Everybody who listens, with what to.
    func forEachListener(_ body: (Subscription, any Listening) -> Void) {
        forEachGroup([]) { subscription, group in
            for listener in group.listeners.values { body(subscription, listener) }
        }
    }

    /// - Parameter here: where this is.
    private func forEachGroup(_ here: [WireKey], _ body: (Subscription, SubscriberGroup) -> Void) {
        for (selection, group) in groups { body(selection.subscription(at: here), group) }
        for (key, child) in children { child.forEachGroup(here + [key], body) }
    }

    /// Inserts what is listened to along `path`, this place left out, from its key at `known` on.
    ///
    /// - Parameter here: where this is.
    /// - Returns: what is at its end; nil where nobody listens there or below.
    private func descend(
        _ path: [WireKey], from known: Int = 0, below here: [WireKey], into found: inout Set<Subscription>
    ) -> ListenerTree? {
        var tree = self
        for (depth, key) in path.enumerated() {
            guard let child = tree.children[key] else { return nil }
            tree = child
            if depth >= known { tree.insertGroups(at: here + path[...depth], into: &found) }
        }
        return tree
    }

    private func insertGroups(at here: [WireKey], into found: inout Set<Subscription>) {
        for selection in groups.keys { found.insert(selection.subscription(at: here)) }
    }
}
