internal import DatabaseTree
internal import FirebaseWire
internal import JSONText

/// Turns a committed change into the event that listeners of one subscription get.
struct ListenerEvent {
    /// New values by their path below the listened place; the root path stands alone.
    private(set) var updates: [(path: WirePath, value: Node?)] = []
    /// Where a patch was sent to, relative to the listened place.
    private var patchBase: WirePath?
    private let form: NodeEncoder.Form

    /// - Parameter window: what a query with a limit had selected, where that was looked for before; follows the change.
    init(_ change: CommittedChange, for subscription: Subscription, window: inout QueryWindow?) {
        form = change.after.form(isExport: subscription.isExport)
        let isWhole = !gather(change, subscription.path)
        if isWhole {
            let after = subscription.snapshot(of: change.after)
            window = subscription.query.flatMap { $0.limit == nil ? nil : QueryWindow($0, of: after) }
            updates = ListenerEvent.areEqual(subscription.snapshot(of: change.before), after) ? [] : [(.root, after)]
        } else if let query = subscription.query {
            patchBase = nil
            if query.limit == nil {
                narrow(change, subscription, query)
            } else {
                var known = window ?? QueryWindow(query, of: subscription.snapshot(of: change.before))
                window = nil
                reselect(change, subscription, &known)
                window = known
            }
        }
    }

    /// The frame; nil where there is nothing to tell.
    var frame: [UInt8]? {
        guard let first = updates.first else { return nil }
        let base = patchBase ?? .root
        if updates.count == 1, patchBase == nil {
            return EventFrame.change(.put, at: first.path, data: first.value?.text(form) ?? ListenerEvent.null)
        }
        var out = EventFrame.opening(.patch, at: base)
        for (index, update) in updates.enumerated() {
            out.append(UInt8(ascii: index == 0 ? "{" : ","))
            JSONWriter.append(update.path.text, to: &out)
            out.append(UInt8(ascii: ":"))
            out.append(contentsOf: update.value?.text(form) ?? ListenerEvent.null)
        }
        out.append(UInt8(ascii: "}"))
        out.append(contentsOf: EventFrame.end)
        return out
    }

    private static let null = Array("null".utf8)

    private static func areEqual(_ left: Node?, _ right: Node?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.hasSameContent(as: right)
    }

    /// Collects what was written below `place`. False where `place` itself or something above it was written.
    private mutating func gather(_ change: CommittedChange, _ place: WirePath) -> Bool {
        if let base = place.relative(change.base) {
            if change.kind == .patch { patchBase = base }
            guard !base.isRoot || change.kind == .patch else { return false }
            updates = change.kind == .patch ? change.entries : [(base, change.entries.first?.value)]
            return true
        }
        for entry in change.entries {
            let path = change.base.appending(entry.path)
            if path.contains(place) { return false }
            if let inside = place.relative(path) { updates.append((inside, entry.value)) }
        }
        return true
    }

    // MARK: Queries

    /// Leaves what is inside the window; a child that enters it is sent whole, one that leaves it is sent as null.
    private mutating func narrow(_ change: CommittedChange, _ subscription: Subscription, _ query: Query) {
        var announced: Set<WireKey> = []
        var result: [(path: WirePath, value: Node?)] = []
        let base = subscription.path.relative(change.base) ?? .root
        for update in updates {
            let path = change.kind == .patch ? base.appending(update.path) : update.path
            guard let key = path.keys.first, !announced.contains(key) else { continue }
            let place = subscription.path.appending(key)
            let after = change.after.value(at: place)
            let was = Node.isAdmitted(key, change.before.value(at: place), by: query)
            let isIn = Node.isAdmitted(key, after, by: query)
            if was, isIn {
                result.append((path, update.value))
            } else if was || isIn {
                announced.insert(key)
                result.append((WirePath([key]), isIn ? after : nil))
            }
        }
        updates = result
    }

    /// Tells who comes into a window with a limit, who leaves it, and what changes in it.
    private mutating func reselect(_ change: CommittedChange, _ subscription: Subscription, _ window: inout QueryWindow)
    {
        let base = subscription.path.relative(change.base) ?? .root
        let touched = updates.map { change.kind == .patch ? base.appending($0.path) : $0.path }
        let parent = change.after.value(at: subscription.path)
        let old = window.keys
        window.follow(Set(touched.compactMap(\.keys.first)), in: parent)
        let new = window.keys
        let stay = zip(touched, updates).compactMap { path, update -> (path: WirePath, value: Node?)? in
            guard let key = path.keys.first, old.contains(key), new.contains(key) else { return nil }
            return (path, update.value)
        }
        let others = old == new ? [] : old.symmetricDifference(new)
        let moved = others.map { (path: WirePath([$0]), value: new.contains($0) ? parent?.descend([$0]) : nil) }
        updates = (stay + moved).sorted { $0.path < $1.path }
    }
}
