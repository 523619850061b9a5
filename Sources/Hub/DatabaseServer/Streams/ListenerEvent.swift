internal import DatabaseTree
internal import FirebaseWire
internal import JSONText

/// Turns a committed change into the event that listeners of one subscription get.
struct ListenerEvent {
    typealias Update = (path: WirePath, value: Node?)

    /// New values by their path below the listened place; the root path stands alone.
    var updates: [Update] = []
    /// Where a patch was sent to, relative to the listened place.
    var patchBase: WirePath?
    let form: NodeEncoder.Form
    /// The listened place.
    private let place: WirePath
    private let wire: Subscription.Wire

    /// - Parameter window: what a query with a limit had selected, where that was looked for before; follows the change.
    init(_ change: CommittedChange, for subscription: Subscription, window: inout QueryWindow?) {
        form = subscription.form(of: change.after)
        place = subscription.path
        wire = subscription.wire
        let isWhole = !gather(change, subscription.path)
        tellPriority(selecting: subscription.query != nil || subscription.isShallow)
        if isWhole {
            let after = subscription.snapshot(of: change.after)
            window = subscription.window(of: change.after)
            updates = areEqual(subscription.snapshot(of: change.before), after) ? [] : [(.root, after)]
        } else if let query = subscription.query {
            if var known = window.take() ?? subscription.window(of: change.before) {
                reselect(change, subscription, &known)
                window = known
            } else {
                narrow(change, subscription, query)
            }
            if subscription.isShallow { keepKeys() }
        } else if subscription.isShallow {
            tellKeys(change, subscription)
        }
    }

    /// The frame; nil where there is nothing to tell.
    var frame: [UInt8]? {
        guard let first = updates.first else { return nil }
        let base = patchBase ?? .root
        let isSocket = wire == .socket
        if updates.count == 1, patchBase == nil {
            let text = first.value?.text(form) ?? ListenerEvent.null
            return isSocket
                ? SocketEvents.event(.put, at: place.appending(first.path), text)
                : EventFrame.change(.put, at: first.path, data: text)
        }
        if isSocket { return SocketEvents.event(.merge, at: place.appending(base), members) }
        return EventFrame.change(.patch, at: base, data: members)
    }

    /// The updates as one object.
    private var members: [UInt8] {
        var out: [UInt8] = []
        for (index, update) in updates.enumerated() {
            out.append(UInt8(ascii: index == 0 ? "{" : ","))
            JSONWriter.append(update.path.text, to: &out)
            out.append(UInt8(ascii: ":"))
            out.append(contentsOf: update.value?.text(form) ?? ListenerEvent.null)
        }
        out.append(UInt8(ascii: "}"))
        return out
    }

    private static let null = Array("null".utf8)

    private func areEqual(_ left: Node?, _ right: Node?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return form == .shallow ? left.text(form) == right.text(form) : left.hasSameContent(as: right)
    }

    /// A patch that changes the priority of its own place is told by the whole node: its path has no key. Who is told of
    /// children alone hears nothing of the listened place's.
    private mutating func tellPriority(selecting: Bool) {
        guard let base = patchBase, let own = updates.last(where: \.path.isRoot) else { return }
        if base.isRoot, selecting {
            updates.removeAll { $0.path.isRoot }
        } else {
            (patchBase, updates) = (nil, [(base, own.value)])
        }
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
}
