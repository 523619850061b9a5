/// How far a hook is, as it is stored.
package struct StoredHook: Hashable, Sendable {
    /// Its kind and its name.
    package var name: String
    /// The last entry of the change feed that it needs no more.
    package var cursor: Int64
    /// How often the event after that has been tried.
    package var attempts = 0
    /// When that failed first, in milliseconds since 1970; nil where it has not.
    package var since: UInt64?
    /// Why nothing is delivered until a person wants it; nil where it is.
    package var off: String?

    package init(name: String, cursor: Int64) {
        self.name = name
        self.cursor = cursor
    }
}

/// An event that a hook did not take, put aside until a person has it tried again.
package struct RefusedEvent: Hashable, Sendable {
    /// The hook's kind and name.
    package var hook: String
    package var sequence: Int64
    /// When it was put aside, in milliseconds since 1970.
    package var since: UInt64
    package var attempts: Int
    /// One line.
    package var reason: String
    /// Whether it is to be tried again now.
    package var isDue = false
    /// The event as it is delivered.
    package var event: [UInt8]

    package init(
        hook: String, sequence: Int64, since: UInt64, attempts: Int, reason: String, event: [UInt8]
    ) {
        self.hook = hook
        self.sequence = sequence
        self.since = since
        self.attempts = attempts
        self.reason = reason
        self.event = event
    }
}
