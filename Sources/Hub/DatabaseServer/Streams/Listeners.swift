internal import DatabaseTree
internal import Dispatch
internal import FirebaseWire
internal import SecurityRules
internal import Synchronization

/// All open event streams, by what they listen to.
///
/// The text of an event is built once for all listeners of one subscription.
final class Listeners: Sendable {
    private struct State: Sendable {
        var databases: [String: ListenerTree] = [:]
        /// Where something may wait to be delivered.
        var late: [String: Set<Subscription>] = [:]
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
    func add(_ listener: any Listening, to subscription: Subscription, in database: String) {
        state.withLock { state in
            state.databases[database, default: ListenerTree()].update(subscription) { group in
                // What is buffered is in the new listener's snapshot already.
                group.deliver(.now)
                group.listeners[listener.id] = listener
            }
        }
    }

    func remove(_ id: Int, from subscription: Subscription, in database: String) {
        state.withLock { state in
            state.databases[database]?.update(subscription) { $0.listeners[id] = nil }
            if state.databases[database]?.isEmpty == true { state.databases[database] = nil }
        }
    }

    /// Ends the listeners of the database of `root` that `rules` don't let read any more.
    ///
    /// - Parameter now: milliseconds since 1970.
    func cancel(in root: Root, by rules: Ruleset, now: Int64) {
        let tree = state.withLock { $0.databases[root.database] }
        tree?.forEachListener { subscription, listener in
            guard !listener.principal.mayRead(subscription, of: root, by: rules, now: now) else { return }
            listener.revoke()
        }
    }

    /// Delivers to these listeners what waits for them because many others have to be told too.
    ///
    /// - Parameter listeners: is asked only where something waits.
    func catchUp(in database: String, _ listeners: () -> [SocketListener]) {
        guard state.withLock({ $0.late[database] != nil }) else { return }
        let listeners = listeners()
        state.withLock { state in
            guard let late = state.late[database] else { return }
            for listener in listeners where late.contains(listener.subscription) {
                state.databases[database]?.update(listener.subscription) { $0.deliver(to: listener.id) }
            }
        }
    }

    /// Offers the changes of one commit, in their order, to all they concern: to each of them all its frames at once.
    func publish(_ changes: [CommittedChange]) {
        guard !changes.isEmpty else { return }
        let now = ContinuousClock.now
        let later = state.withLock { state in
            var notified: [String: Set<Subscription>] = [:]
            for change in changes {
                let database = change.after.database
                for subscription in state.databases[database]?.subscriptions(touchedBy: change) ?? [] {
                    state.databases[database]?.update(subscription) { group in
                        let event = ListenerEvent(change, for: subscription, window: &group.window)
                        guard let frame = event.frame else { return }
                        group.append(frame)
                        notified[database, default: []].insert(subscription)
                    }
                }
            }
            return Listeners.deliver(&state, notified, now)
        }
        for (database, subscription, pause) in later {
            let nanoseconds = Int(pause / .nanoseconds(1))
            queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
                self?.state.withLock { state in
                    state.late[database]?.remove(subscription)
                    if state.late[database]?.isEmpty == true { state.late[database] = nil }
                    state.databases[database]?.update(subscription) { $0.deliver(.now) }
                }
            }
        }
    }

    /// - Returns: what is to be delivered later, and after which time.
    private static func deliver(
        _ state: inout State, _ notified: [String: Set<Subscription>], _ now: ContinuousClock.Instant
    ) -> [(database: String, subscription: Subscription, pause: Duration)] {
        var later: [(database: String, subscription: Subscription, pause: Duration)] = []
        for (database, subscriptions) in notified {
            for subscription in subscriptions {
                state.databases[database]?.update(subscription) { group in
                    if let pause = group.deliverWhenDue(now) { later.append((database, subscription, pause)) }
                    if group.isBuffering { state.late[database, default: []].insert(subscription) }
                }
            }
        }
        return later
    }
}
