package import SyncModel

/// All the lives of one plugin, as a value: when it is started, when it rests, when it is given up, and its calls.
///
/// One connection at a time is a ``PluginSession``. A plugin is started once to learn what it provides, and ends after a
/// while if nobody needs it; a call starts it again. After a failure it rests, longer each time; one that fails again and
/// again stays down until a person restarts it. Time is milliseconds of a clock that only goes forward.
package struct PluginLife: Sendable {
    package enum Effect: Hashable, Sendable {
        /// Open a connection; then say ``PluginLife/opened(_:at:)`` and, when it is over, ``PluginLife/closed(_:at:)``.
        case open
        case send([UInt8])
        /// End the connection: close the plugin's input, then more firmly.
        case close
        /// The same, without waiting for what it does when its input ends: it broke the protocol.
        case cut
        /// Greet again, with what the configuration says now: ``PluginLife/opened(_:at:)``.
        case greet
        case answer(UInt64, PluginAnswer)
        case failed(UInt64, PluginError)
        case event(PluginEvent)
    }

    package enum Phase: Hashable, Sendable {
        /// Not running; a call starts it.
        case idle
        /// Begun, and not greeted yet.
        case starting
        case running(since: UInt64)
        /// Being ended; what comes after that.
        case closing(Next)
        /// After a failure; until when.
        case resting(UInt64)
        /// It failed too often.
        case down
        /// It does not want to work, or the two sides don't fit together; until its configuration changes.
        case refused
        /// It will not be started any more.
        case stopped
    }

    /// What follows when a connection has ended.
    package enum Next: Hashable, Sendable {
        case idle, fail, refuse, start, stop
        /// It ended by itself: its exit code says whether that is all right.
        case judge
    }

    package internal(set) var phase = Phase.idle
    /// Why it is not running, one line; nil while there is nothing to say.
    package internal(set) var reason: String?
    /// What the plugin said of itself last.
    package internal(set) var declaration: PluginDeclaration?
    package internal(set) var counts = PluginCounts()
    let limits: PluginLimits
    var session: PluginSession?
    var backoff = PluginBackoff()
    /// Calls that came while a connection was being ended.
    var queued: [PluginSession.Waiting] = []
    /// Since when nothing is asked of it.
    var idleSince: UInt64 = 0
    /// Since when it has been greeted; nil in a life without that.
    var greetedAt: UInt64?

    package init(limits: PluginLimits = PluginLimits()) { self.limits = limits }

    /// Starts it, to learn what it provides.
    package mutating func start(at now: UInt64) -> [Effect] { phase == .idle ? open(at: now) : [] }

    /// Calls that are in flight or wait.
    package var calls: Int { queued.count + (session?.calls ?? 0) }

    /// Calls the plugin, and starts it where it does not run; while it rests, is down or refused, the call fails at once.
    ///
    /// - Parameter number: names the call in effects; no two may have the same.
    package mutating func call(
        _ number: UInt64, _ name: String, with arguments: JSONValue, at now: UInt64
    ) -> [Effect] {
        counts.calls += 1
        switch phase {
        case .idle:
            let opened = open(at: now)
            return opened + passOn(session?.call(number, name, with: arguments, at: now) ?? [], at: now)
        case .starting, .running:
            return passOn(session?.call(number, name, with: arguments, at: now) ?? [], at: now)
        case .closing(let next) where next == .idle || next == .start || next == .judge:
            guard queued.count < limits.waiting else {
                return fail(number, "too many calls wait for the plugin: try later")
            }
            queued.append(.init(number: number, name: name, arguments: arguments, since: now))
            return []
        case .resting(let until):
            return fail(number, reason ?? "", retryAfter: Double(until > now ? until - now : 0) / 1_000)
        case .closing, .down, .refused, .stopped: return fail(number, reason ?? "the plugin does not run")
        }
    }

    /// Nobody waits for a call any more.
    package mutating func cancel(_ number: UInt64, at now: UInt64) -> [Effect] {
        queued.removeAll { $0.number == number }
        return passOn(session?.cancel(number, at: now) ?? [], at: now)
    }

    mutating func fail(_ number: UInt64, _ reason: String, retryAfter: Double? = nil) -> [Effect] {
        counts.failedCalls += 1
        return [.failed(number, PluginError(.unavailable, reason, retryAfter: retryAfter))]
    }

    mutating func open(at now: UInt64) -> [Effect] {
        counts.starts += 1
        phase = .starting
        greetedAt = nil
        session = PluginSession(limits: limits, at: now)
        return [.open]
    }

    /// What the session wants, as effects of this; and what it means here.
    mutating func passOn(_ effects: [PluginSession.Effect], at now: UInt64) -> [Effect] {
        var out: [Effect] = []
        for effect in effects {
            switch effect {
            case .send(let bytes): out.append(.send(bytes))
            case .answer(let number, let answer): out.append(.answer(number, answer))
            case .failed(let number, let error):
                counts.failedCalls += 1
                out.append(.failed(number, error))
            case .greeted(let declaration): out += greeted(declaration, at: now)
            case .refused(let error):
                let isWish = error.code == .refused
                reason = isWish ? "it does not want to work: \(error.message)" : error.message
                out.append(.event(.refused(reason ?? "")))
                out += close(.refuse)
            case .end(let breach) where breach.code == .passesOver:
                // What waits is asked of the next one.
                queued += session?.waiting ?? []
                session?.waiting = []
                phase = .closing(.start)
                out.append(.cut)
            case .end(let breach):
                reason = breach.message
                phase = .closing(.fail)
                out.append(.cut)
            }
        }
        if !effects.isEmpty || session?.isIdle == false { idleSince = now }
        return out
    }

    private mutating func greeted(_ declaration: PluginDeclaration, at now: UInt64) -> [Effect] {
        self.declaration = declaration
        guard greetedAt == nil else { return [] }
        greetedAt = now
        idleSince = now
        phase = .running(since: now)
        reason = nil
        return [.event(.started(declaration))]
    }

    mutating func close(_ next: Next) -> [Effect] {
        phase = .closing(next)
        return [.close]
    }
}
