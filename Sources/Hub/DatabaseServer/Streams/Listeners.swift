internal import DatabaseTree
internal import Dispatch
internal import FirebaseWire
internal import SecurityRules
internal import Synchronization

/// All open event streams, by what they listen to.
///
/// The text of an event is built once for all listeners of one subscription. One that is large is built elsewhere, so that
/// the writer does not wait for it; all that comes meanwhile is done behind it, in its order.
final class Listeners: Sendable {
    private struct State: Sendable {
        var databases: [String: ListenerTree] = [:]
        /// Where something may wait to be delivered.
        var late: [String: Set<Subscription>] = [:]
    }

    /// What is known at once, also while a large event is built.
    private struct Counts: Sendable {
        /// How many listen, by database.
        var databases: [String: Int] = [:]
        var lastID = 0
        /// What waits to be done in order, with what is under way.
        var behind = 0
    }

    private let state = Mutex(State())
    private let counts = Mutex(Counts())
    private let queue = DispatchQueue(label: "DatabaseServer.listeners")

    /// How many streams are open.
    var count: Int { counts.withLock { $0.databases.values.reduce(0, +) } }

    /// Whether anybody listens to anything in `database`.
    func listen(to database: String) -> Bool { counts.withLock { $0.databases[database] != nil } }

    /// A number for the next listener.
    func nextID() -> Int {
        counts.withLock { counts in
            counts.lastID += 1
            return counts.lastID
        }
    }

    /// Does `body` behind all that was to be done before: here, unless something waits, or `isLarge`.
    private func inOrder(isLarge: Bool = false, _ body: @escaping @Sendable () -> Void) {
        let mustWait = counts.withLock { counts in
            guard isLarge || counts.behind > 0 else { return false }
            counts.behind += 1
            return true
        }
        guard mustWait else { return body() }
        queue.async { [self] in
            body()
            counts.withLock { $0.behind -= 1 }
        }
    }

    /// Runs `body` when all have been told of what was published before, but for those of large crowds.
    func whenTold(_ body: @escaping @Sendable () -> Void) { inOrder(body) }

    /// Adds `listener`. To be called between two commits, together with taking the root whose snapshot it begins with.
    ///
    /// - Parameters:
    ///   - root: that root.
    ///   - opening: is called right before anything is offered to it.
    func add(
        _ listener: any Listening, to subscription: Subscription, of root: Root,
        opening: @escaping @Sendable () -> Void = {}
    ) {
        let database = root.database
        counts.withLock { $0.databases[database, default: 0] += 1 }
        inOrder { [self] in
            opening()
            state.withLock { state in
                state.databases[database, default: ListenerTree()].update(subscription) { group in
                    // What is buffered is in the new listener's snapshot already.
                    group.deliver(.now)
                    group.listeners[listener.id] = listener
                }
            }
        }
        if subscription.hasWideWindow { makeWindow(subscription, of: root) }
    }

    /// Makes the window of `subscription`, so that the writer needs not when something changes.
    private func makeWindow(_ subscription: Subscription, of root: Root) {
        inOrder(isLarge: true) { [self] in
            var isWanted = false
            state.withLock { state in
                state.databases[root.database]?.update(subscription) { group in
                    isWanted = group.window == nil && !group.listeners.isEmpty
                }
            }
            guard isWanted, let window = subscription.window(of: root) else { return }
            state.withLock { $0.databases[root.database]?.update(subscription) { $0.window = window } }
        }
    }

    /// To be called once for each that was added.
    func remove(_ id: Int, from subscription: Subscription, in database: String) {
        counts.withLock { counts in
            let count = counts.databases[database, default: 0] - 1
            counts.databases[database] = count > 0 ? count : nil
        }
        inOrder { [self] in
            state.withLock { state in
                state.databases[database]?.update(subscription) { $0.listeners[id] = nil }
                if state.databases[database]?.isEmpty == true { state.databases[database] = nil }
            }
        }
    }

    /// Ends the listeners of the database of `root` that `rules` don't let read any more.
    ///
    /// - Parameter now: milliseconds since 1970.
    func cancel(in root: Root, by rules: Ruleset, now: Int64) {
        inOrder { [self] in
            let tree = state.withLock { $0.databases[root.database] }
            tree?.forEachListener { subscription, listener in
                guard !listener.principal.mayRead(subscription, of: root, by: rules, now: now) else { return }
                listener.revoke()
            }
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
    ///
    /// - Parameter isLarge: whether that may take long; it is done elsewhere then.
    func publish(_ changes: [CommittedChange], isLarge: Bool = false) {
        guard !changes.isEmpty else { return }
        inOrder(isLarge: isLarge) { [self] in offer(changes) }
    }

    private func offer(_ changes: [CommittedChange]) {
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
