internal import DatabaseTree
internal import FirebaseWire

extension ListenerEvent {
    /// Leaves what is inside the window; a child that enters it is sent whole, one that leaves it is sent as null.
    mutating func narrow(_ change: CommittedChange, _ subscription: Subscription, _ query: Query) {
        var announced: Set<WireKey> = []
        var stay: [Update] = []
        var moved: [Update] = []
        for (path, update) in touched(change, subscription) {
            guard let key = path.keys.first, !announced.contains(key) else { continue }
            let place = subscription.path.appending(key)
            let after = change.after.value(at: place)
            let was = Node.isAdmitted(key, change.before.value(at: place), by: query)
            let isIn = Node.isAdmitted(key, after, by: query)
            if was, isIn {
                stay.append(update)
            } else if was || isIn {
                announced.insert(key)
                moved.append((WirePath([key]), isIn ? after : nil))
            }
        }
        join(stay, moved)
    }

    /// Tells who comes into a window with a limit, who leaves it, and what changes in it.
    mutating func reselect(_ change: CommittedChange, _ subscription: Subscription, _ window: inout QueryWindow) {
        let touched = touched(change, subscription)
        let parent = change.after.value(at: subscription.path)
        let moved = window.follow(Set(touched.compactMap(\.path.keys.first)), in: parent) { query in
            change.after.selected(at: subscription.path, by: query, check: {})
        }
        let stay = touched.compactMap { path, update -> Update? in
            guard let key = path.keys.first, window.contains(key), !moved.entered.contains(key) else { return nil }
            return update
        }
        let entered = moved.entered.map { (path: WirePath([$0]), value: parent?.descend([$0])) }
        join(stay, entered + moved.left.map { (path: WirePath([$0]), value: nil) })
    }

    /// The updates with their paths below the listened place.
    private func touched(
        _ change: CommittedChange, _ subscription: Subscription
    ) -> [(path: WirePath, update: Update)] {
        updates.map { update in ((patchBase ?? .root).appending(update.path), update) }
    }

    /// What stays in the window, as it was written, and who comes and goes. A patch that only changes what stays is told
    /// as the patch it was.
    private mutating func join(_ stay: [Update], _ moved: [Update]) {
        guard let base = patchBase, !moved.isEmpty || stay.isEmpty else {
            updates = (stay + moved).sorted { $0.path < $1.path }
            return
        }
        patchBase = nil
        updates = (stay.map { (base.appending($0.path), $0.value) } + moved).sorted { $0.path < $1.path }
    }

    // MARK: Keys alone

    /// Leaves the children that come and go.
    mutating func keepKeys() {
        guard patchBase == nil else {
            updates = []
            return
        }
        updates = updates.filter { $0.path.keys.count == 1 }.map {
            ($0.path, $0.value.map { _ in ListenerEvent.there })
        }
    }

    /// Tells the children that come and go; of a place that is no branch, all.
    mutating func tellKeys(_ change: CommittedChange, _ subscription: Subscription) {
        let keys = Set(touched(change, subscription).compactMap(\.path.keys.first)).sorted()
        patchBase = nil
        let (before, after) = (subscription.snapshot(of: change.before), subscription.snapshot(of: change.after))
        guard let before, let after, before.leaf == nil, after.leaf == nil else {
            updates = before?.text(form) == after?.text(form) ? [] : [(.root, after)]
            return
        }
        updates = keys.compactMap { key in
            let (was, isThere) = (before.descend([key]) != nil, after.descend([key]) != nil)
            return was == isThere ? nil : (WirePath([key]), isThere ? ListenerEvent.there : nil)
        }
    }

    private static let there = Node(canonical: Array("true".utf8))
}
