package import SyncModel

/// What became of one attempt to deliver an event.
package enum HookOutcome: Hashable, Sendable {
    case taken
    /// It failed; trying again may help. `retryAfter` in seconds, where the hook says how long to wait.
    case failed(String, retryAfter: Double? = nil)
    /// The hook will never take this one.
    case refused(String)
    /// The hook wants nothing any more.
    case off(String)
}

/// One hook's way through the change feed: which events it is told of, when a failed one is tried again, and when it is
/// put aside.
///
/// In order, and at least once: the cursor moves when an event was taken, was put aside, or is none of its business.
package struct HookCourse: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        /// Told of everything so far.
        case ready
        /// An event failed, and is tried again at this moment (milliseconds since 1970).
        case waiting(until: UInt64, reason: String)
        case off(String)
    }

    /// What is to be done with an event after an attempt.
    package enum Verdict: Hashable, Sendable {
        /// The next event follows.
        case next
        /// It is put aside with this reason, and the next one follows.
        case putAside(String)
        /// It is tried again when ``Phase/waiting`` is over.
        case again
        /// Nothing is delivered until a person wants it.
        case stop
    }

    package static let pauses: ClosedRange<UInt64> = 1_000...3_600_000
    /// The longest pause that a hook may ask for, in seconds.
    private static let mostAsked: Double = 86_400
    /// How long an event is tried, in milliseconds.
    package static let patience: UInt64 = 86_400_000

    /// The name by which journal lines say who wrote them.
    package let name: String
    /// The collections that it is told of; empty for all.
    package let collections: Set<String>
    package private(set) var stored: StoredHook
    package private(set) var phase: Phase

    package init(name: String, collections: Set<String>, _ stored: StoredHook) {
        self.name = name
        self.collections = collections
        self.stored = stored
        phase = stored.off.map { .off($0) } ?? .ready
    }

    /// Whether it is told of a change: of all in its collections that it did not make itself.
    package func concerns(_ change: Change) -> Bool {
        if change.origin == .plugin(name) { return false }
        return collections.isEmpty || collections.contains(change.key.collection.name)
    }

    /// What lies before `change`, the next one that is kept, and is not; nil where nothing does.
    package func gap(before change: Change, node: String) -> HookEvent? {
        guard change.sequence > stored.cursor + 1 else { return nil }
        return HookEvent(gapFrom: stored.cursor + 1, to: change.sequence - 1, node: node)
    }

    /// Moves over an entry that needs no delivery.
    package mutating func pass(_ sequence: Int64) {
        stored.cursor = max(stored.cursor, sequence)
        stored.attempts = 0
        stored.since = nil
    }

    /// Takes note of an attempt with the event `sequence`.
    ///
    /// - Parameter now: milliseconds since 1970.
    package mutating func attempted(_ sequence: Int64, _ outcome: HookOutcome, at now: UInt64) -> Verdict {
        stored.attempts += 1
        switch outcome {
        case .taken:
            pass(sequence)
            phase = .ready
            return .next
        case .refused(let reason):
            pass(sequence)
            phase = .ready
            return .putAside(reason)
        case .off(let reason):
            end(reason)
            return .stop
        case .failed(let reason, let wanted):
            let since = min(stored.since ?? now, now)
            stored.since = since
            guard now - since < HookCourse.patience else {
                pass(sequence)
                phase = .ready
                return .putAside(reason)
            }
            phase = .waiting(until: now + pause(wanted), reason: reason)
            return .again
        }
    }

    /// The hook wants nothing any more.
    package mutating func end(_ reason: String) {
        stored.off = reason
        phase = .off(reason)
    }

    /// A person wants it to go on: at once, also where it was off.
    package mutating func resume() {
        stored.off = nil
        phase = .ready
    }

    /// In milliseconds: twice as long after each attempt, and no shorter than the hook asks for.
    private func pause(_ wanted: Double?) -> UInt64 {
        let doubled = HookCourse.pauses.lowerBound << UInt64(min(max(stored.attempts - 1, 0), 20))
        let asked = wanted.map { UInt64(max(0, min($0, HookCourse.mostAsked)) * 1_000) } ?? 0
        return max(min(doubled, HookCourse.pauses.upperBound), asked)
    }
}
