internal import DatabaseTree
internal import FirebaseWire

/// The listeners of one database, found by the places a write touches.
struct ListenerTree: Sendable {
    /// What tells apart those who listen to one place.
    private struct Wish: Hashable {
        let query: Query?
        let isExport: Bool

        func interest(at path: [WireKey]) -> Subscription {
            Subscription(path: WirePath(path), query: query, isExport: isExport)
        }
    }

    private var rooms: [Wish: SubscriberGroup] = [:]
    private var children: [WireKey: ListenerTree] = [:]

    var isEmpty: Bool { rooms.isEmpty && children.isEmpty }

    /// How many listen.
    var count: Int {
        rooms.values.reduce(0) { $0 + $1.listeners.count } + children.values.reduce(0) { $0 + $1.count }
    }

    /// Lets `change` see and change the room of `interest`; a room without listeners vanishes.
    mutating func update(_ interest: Subscription, _ change: (inout SubscriberGroup) -> Void) {
        update(interest.path.keys[...], Wish(query: interest.query, isExport: interest.isExport), change)
    }

    private mutating func update(
        _ path: ArraySlice<WireKey>, _ wish: Wish, _ change: (inout SubscriberGroup) -> Void
    ) {
        if let key = path.first {
            children[key, default: ListenerTree()].update(path.dropFirst(), wish, change)
            if children[key]?.isEmpty == true { children[key] = nil }
        } else {
            change(&rooms[wish, default: SubscriberGroup()])
            if rooms[wish]?.listeners.isEmpty == true { rooms[wish] = nil }
        }
    }

    /// What is listened to at, above or below any of the places that `change` has written.
    func interests(touchedBy change: CommittedChange) -> Set<Subscription> {
        var found: Set<Subscription> = []
        for entry in change.entries {
            collect(change.base.appending(entry.path).keys[...], [], &found)
        }
        return found
    }

    /// Everybody who listens, with what to.
    func forEachListener(_ here: [WireKey] = [], _ body: (Subscription, Listener) -> Void) {
        for (wish, room) in rooms {
            let interest = wish.interest(at: here)
            for listener in room.listeners.values { body(interest, listener) }
        }
        for (key, child) in children { child.forEachListener(here + [key], body) }
    }

    private func collect(_ rest: ArraySlice<WireKey>, _ here: [WireKey], _ found: inout Set<Subscription>) {
        for wish in rooms.keys { found.insert(wish.interest(at: here)) }
        if let key = rest.first {
            children[key]?.collect(rest.dropFirst(), here + [key], &found)
        } else {
            for (key, child) in children { child.collect([], here + [key], &found) }
        }
    }
}
