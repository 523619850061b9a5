internal import DatabaseTree
internal import Dispatch
internal import FirebaseWire
internal import SecurityRules
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
    private let queue = DispatchQueue(label: "DatabaseServer.listeners")

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

    /// Adds `listener`. To be called between two commits, together with taking the root whose snapshot it begins with.
    func add(_ listener: Listener, to interest: Subscription, in database: String) {
        state.withLock { state in
            state.databases[database, default: ListenerTree()].update(interest) { room in
                // What was gathered is in the new listener's snapshot already.
                room.deliver(.now)
                room.listeners[listener.id] = listener
            }
        }
    }

    func remove(_ id: Int, from interest: Subscription, in database: String) {
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
        let now = ContinuousClock.now
        let later = state.withLock { state in
            var told: [String: Set<Subscription>] = [:]
            for change in changes {
                let database = change.after.database
                for interest in state.databases[database]?.interests(touchedBy: change) ?? [] {
                    state.databases[database]?.update(interest) { room in
                        let event = ListenerEvent(change, for: interest, window: &room.window)
                        guard let frame = event.frame else { return }
                        room.gather(frame)
                        told[database, default: []].insert(interest)
                    }
                }
            }
            return Listeners.deliver(&state, told, now)
        }
        for (database, interest, pause) in later {
            let nanoseconds = Int(pause / .nanoseconds(1))
            queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
                self?.state.withLock { $0.databases[database]?.update(interest) { $0.deliver(.now) } }
            }
        }
    }

    /// - Returns: what is to be delivered later, and after which time.
    private static func deliver(
        _ state: inout State, _ told: [String: Set<Subscription>], _ now: ContinuousClock.Instant
    ) -> [(database: String, interest: Subscription, pause: Duration)] {
        var later: [(database: String, interest: Subscription, pause: Duration)] = []
        for (database, interests) in told {
            for interest in interests {
                state.databases[database]?.update(interest) { room in
                    if let pause = room.deliverWhenDue(now) { later.append((database, interest, pause)) }
                }
            }
        }
        return later
    }
}
