internal import NIOCore
internal import RTDBWire
internal import Synchronization

/// All open event streams, by what they listen to.
///
/// The text of an event is built once for all that listen to the same thing.
final class Listeners: Sendable {
    private struct State: Sendable {
        var databases: [String: ListenerTree] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    /// How many streams are open.
    var count: Int { state.withLock { $0.databases.values.reduce(0) { $0 + $1.count } } }

    /// Whether anybody listens to anything in `database`.
    func listen(to database: String) -> Bool { state.withLock { $0.databases[database] != nil } }

    /// A number for the next listener.
    func nextID() -> Int {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// Adds `listener`. To be called between two commits, together with taking the snapshot it begins with.
    func add(_ listener: Listener, to interest: Interest, snapshot: Node?, in database: String) {
        let query = interest.query.flatMap { $0.limit == nil ? nil : $0 }
        let window = query.map { QueryWindow($0, of: snapshot) }
        state.withLock { state in
            state.databases[database, default: ListenerTree()].update(interest) { room in
                room.listeners[listener.id] = listener
                room.window = window
            }
        }
    }

    func remove(_ id: Int, from interest: Interest, in database: String) {
        state.withLock { state in
            state.databases[database]?.update(interest) { $0.listeners[id] = nil }
            if state.databases[database]?.isEmpty == true { state.databases[database] = nil }
        }
    }

    /// Ends the listeners of the database of `root` that `rules` don't let read any more.
    ///
    /// - Parameter now: milliseconds since 1970.
    func cancel(in root: Root, by rules: Ruleset, now: Int64) {
        let tree = state.withLock { $0.databases[root.database] }
        tree?.forEachListener { interest, listener in
            guard !listener.authority.mayRead(interest, of: root, by: rules, now: now) else { return }
            listener.finish(EventFrame.notice(.cancel))
        }
    }

    /// Offers the changes of one commit, in their order, to all they concern: to each of them all its frames at once.
    func publish(_ changes: [CommittedChange]) {
        guard !changes.isEmpty else { return }
        state.withLock { state in
            var told: [String: Set<Interest>] = [:]
            for change in changes {
                let database = change.after.database
                for interest in state.databases[database]?.interests(touchedBy: change) ?? [] {
                    state.databases[database]?.update(interest) { room in
                        guard let frame = ListenerEvent(change, for: interest, window: &room.window).frame else {
                            return
                        }
                        room.frames.writeBytes(frame)
                        told[database, default: []].insert(interest)
                    }
                }
            }
            for (database, interests) in told {
                for interest in interests {
                    state.databases[database]?.update(interest) { room in
                        for listener in room.listeners.values { listener.offer(room.frames) }
                        room.frames = ByteBuffer()
                    }
                }
            }
        }
    }
}
