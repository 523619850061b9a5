internal import RTDBWire

/// The listeners of one database, found by the places a write touches.
struct ListenerTree: Sendable {
    private var rooms: [WireQuery?: ListenerRoom] = [:]
    private var children: [WireKey: ListenerTree] = [:]

    var isEmpty: Bool { rooms.isEmpty && children.isEmpty }

    /// How many listen.
    var count: Int {
        rooms.values.reduce(0) { $0 + $1.listeners.count } + children.values.reduce(0) { $0 + $1.count }
    }

    /// Lets `change` see and change the room of `interest`; a room without listeners vanishes.
    mutating func update(_ interest: Interest, _ change: (inout ListenerRoom) -> Void) {
        update(interest.path.keys[...], interest.query, change)
    }

    private mutating func update(
        _ path: ArraySlice<WireKey>, _ query: WireQuery?, _ change: (inout ListenerRoom) -> Void
    ) {
        if let key = path.first {
            children[key, default: ListenerTree()].update(path.dropFirst(), query, change)
            if children[key]?.isEmpty == true { children[key] = nil }
        } else {
            change(&rooms[query, default: ListenerRoom()])
            if rooms[query]?.listeners.isEmpty == true { rooms[query] = nil }
        }
    }

    /// What is listened to at, above or below any of the places that `change` has written.
    func interests(touchedBy change: CommittedChange) -> Set<Interest> {
        var found: Set<Interest> = []
        for entry in change.entries {
            collect(change.base.appending(entry.path).keys[...], [], &found)
        }
        return found
    }

    private func collect(_ rest: ArraySlice<WireKey>, _ here: [WireKey], _ found: inout Set<Interest>) {
        for query in rooms.keys { found.insert(Interest(path: WirePath(here), query: query)) }
        if let key = rest.first {
            children[key]?.collect(rest.dropFirst(), here + [key], &found)
        } else {
            for (key, child) in children { child.collect([], here + [key], &found) }
        }
    }
}
