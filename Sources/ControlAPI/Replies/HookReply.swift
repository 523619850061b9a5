package import SyncModel

/// A hook: who is told of changes that took effect.
package struct HookReply: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        /// A program of `hooks.d`, started for each event.
        case program
        case webhook
        /// A plugin that stays.
        case plugin
    }

    package enum State: String, Codable, Sendable {
        /// It is told of each change as it comes.
        case ready
        /// It is being told of an event.
        case delivering
        /// An event failed, and is tried again at `retryAt`.
        case waiting
        /// Nothing is delivered until a person wants it.
        case off
        /// It can't be used as it is.
        case refused
    }

    package var name: String
    package var kind: Kind
    package var state: State
    /// Why it is not ready, in a line; null where it is.
    @Nullable package var reason: String?
    @Nullable package var retryAt: Moment?
    /// The collections that it is told of; empty for all.
    package var collections: [String]
    /// The last entry of the change feed that it needs no more.
    package var cursor: Int64
    /// How many entries of the feed come after that.
    package var lag: Int64 = 0
    /// How old the event is that it is being told of; null where there is none.
    @Nullable package var lagSeconds: Double?
    /// Attempts with that event that failed.
    package var attempts = 0
    /// Since the daemon started.
    package var delivered = 0
    package var failures = 0
    /// Events that it did not take, and that were put aside.
    package var quarantined = 0

    package init(
        name: String, kind: Kind, state: State, reason: String? = nil, retryAt: Moment? = nil,
        collections: [String] = [], cursor: Int64 = 0
    ) {
        self.name = name
        self.kind = kind
        self.state = state
        self.reason = reason
        self.retryAt = retryAt
        self.collections = collections
        self.cursor = cursor
    }

    /// What commands and routes call it: no two have the same.
    package var id: String { "\(kind.rawValue):\(name)" }
}

/// An event that a hook did not take.
package struct RefusedEventReply: Codable, Hashable, Sendable {
    package var hook: String
    package var seq: Int64
    /// When it was put aside.
    package var since: Moment
    package var attempts: Int
    package var reason: String
    /// Whether it is being tried again.
    package var isDue: Bool
    /// As it is delivered.
    package var event: JSONValue

    package init(
        hook: String, seq: Int64, since: Moment, attempts: Int, reason: String, isDue: Bool, event: JSONValue
    ) {
        self.hook = hook
        self.seq = seq
        self.since = since
        self.attempts = attempts
        self.reason = reason
        self.isDue = isDue
        self.event = event
    }
}

/// How many events an order was about.
package struct HookOrderReply: Codable, Hashable, Sendable {
    package var events: Int

    package init(events: Int) { self.events = events }
}
