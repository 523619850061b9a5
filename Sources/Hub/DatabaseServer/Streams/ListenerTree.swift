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
        var (found, base, last) = (Set<Subscription>(), self, [WireKey]())
        base.insert(at: [], into: &found)
        for (depth, key) in change.base.keys.enumerated() {
            guard let child = base.children[key] else { return found }
            base = child
            base.insert(at: change.base.keys[...depth], into: &found)
        }
        guard !base.children.isEmpty else { return found }
        for entry in change.entries {
            let path = entry.path.keys
            // What is above the first key that is another than in the path before has been found with that.
            let known = zip(last, path).prefix { $0 == $1 }.count
            base.insert(along: path, from: known, below: change.base.keys, into: &found)
            last = path
        }
        return found
    }

    /// Everybody who listens, with what to.
    func forEachListener(_ here: [WireKey] = [], _ body: (Subscription, any Listening) -> Void) {
        for (selection, group) in groups {
            let subscription = selection.subscription(at: here)
            for listener in group.listeners.values { body(subscription, listener) }
        }
        for (key, child) in children { child.forEachListener(here + [key], body) }
    }

    /// What is listened to here.
    private func insert(at here: ArraySlice<WireKey>, into found: inout Set<Subscription>) {
        for selection in groups.keys { found.insert(selection.subscription(at: Array(here))) }
    }

    /// What is listened to on the way along `path`, from its key at `known` on, and below its end.
    ///
    /// - Parameter here: where this is.
    private func insert(
        along path: [WireKey], from known: Int, below here: [WireKey], into found: inout Set<Subscription>
    ) {
        var tree = self
        for (depth, key) in path.enumerated() {
            guard let child = tree.children[key] else { return }
            tree = child
            if depth >= known { tree.insert(at: (here + path[...depth])[...], into: &found) }
        }
        if !tree.children.isEmpty { tree.insertAll(below: here + path, into: &found) }
    }

    private func insertAll(below here: [WireKey], into found: inout Set<Subscription>) {
        for (key, child) in children {
            child.insert(at: (here + [key])[...], into: &found)
            child.insertAll(below: here + [key], into: &found)
        }
    }
}
