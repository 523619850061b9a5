extension PluginLife {
    /// The connection is open, or the configuration has changed: the plugin is greeted.
    package mutating func opened(_ greeting: PluginGreeting, at now: UInt64) -> [Effect] {
        switch phase {
        case .starting, .running: passOn(session?.greet(greeting, at: now) ?? [], at: now)
        default: []
        }
    }

    /// The plugin has printed something.
    package mutating func read(_ bytes: ArraySlice<UInt8>, at now: UInt64) -> [Effect] {
        switch phase {
        case .starting, .running: passOn(session?.read(bytes, at: now) ?? [], at: now)
        default: []
        }
    }

    /// The plugin has ended its output: nothing more can come.
    package mutating func outputEnded() -> [Effect] {
        switch phase {
        case .starting, .running: close(isContent ? .judge : .fail)
        default: []
        }
    }

    /// The connection is over, whoever ended it.
    package mutating func closed(_ ending: PluginEnding, at now: UInt64) -> [Effect] {
        var next = Next.fail
        if case .closing(let planned) = phase { next = planned }
        if next == .judge { next = ending.isClean ? .idle : .fail }
        let why = next == .fail || next == .refuse ? reason ?? ending.words : "the plugin was ended"
        let failures = passOn(session?.close(why) ?? [], at: now)
        session = nil
        switch next {
        case .fail, .judge: return failures + failed(why, at: now)
        case .refuse: return failures + rest(in: .refused)
        case .stop: return failures + [.event(.ended(ending))] + rest(in: .stopped)
        case .start: return failures + [.event(.ended(ending))] + reopen(at: now)
        case .idle: return failures + [.event(.ended(ending))] + (queued.isEmpty ? rest(in: .idle) : reopen(at: now))
        }
    }

    /// Whether it may end now: nobody waits for it.
    private var isContent: Bool { greetedAt != nil && session?.isIdle == true && declaration?.stays == false }

    private mutating func failed(_ why: String, at now: UInt64) -> [Effect] {
        counts.failures += 1
        reason = why
        guard let pause = backoff.failed(at: now, lived: greetedAt.map { now - $0 }) else {
            return [.event(.down(why))] + rest(in: .down)
        }
        return [.event(.failed(why, pause: pause))] + rest(in: .resting(now + pause))
    }

    private mutating func rest(in phase: Phase) -> [Effect] {
        self.phase = phase
        let late = queued
        queued = []
        return late.flatMap { fail($0.number, reason ?? "the plugin does not run") }
    }

    private mutating func reopen(at now: UInt64) -> [Effect] {
        let late = queued
        queued = []
        reason = nil
        var effects = open(at: now)
        for call in late {
            effects += passOn(session?.call(call.number, call.name, with: call.arguments, at: now) ?? [], at: now)
        }
        return effects
    }
}

// What people and time do.
extension PluginLife {
    /// Starts it anew, also where it is down or refused; calls that have not ended fail.
    package mutating func restart(at now: UInt64) -> [Effect] {
        backoff = PluginBackoff()
        switch phase {
        case .idle, .resting, .down, .refused:
            reason = nil
            return open(at: now)
        case .starting, .running: return close(.start)
        case .closing(let next):
            if next != .stop { phase = .closing(.start) }
            return []
        case .stopped: return []
        }
    }

    /// What it is told in `hello` has changed: it hears it now, or when it is started next.
    package mutating func reconfigured(at now: UInt64) -> [Effect] {
        switch phase {
        case .running: return [.greet]
        case .starting: return close(.start)
        case .refused, .down, .resting: return restart(at: now)
        case .idle, .closing, .stopped: return []
        }
    }

    /// Ends it for good.
    package mutating func stop() -> [Effect] {
        switch phase {
        case .starting, .running: return close(.stop)
        case .closing:
            phase = .closing(.stop)
            return []
        case .idle, .resting, .down, .refused, .stopped: return rest(in: .stopped)
        }
    }

    /// When ``time(at:)`` has something to do, unless something else happens before.
    package var wakeAt: UInt64? {
        switch phase {
        case .resting(let until): until
        case .starting, .running: [session?.wakeAt, idleEnd].compactMap(\.self).min()
        case .idle, .closing, .down, .refused, .stopped: nil
        }
    }

    /// When it ends because nobody needs it; nil where somebody does.
    private var idleEnd: UInt64? { isContent ? idleSince + limits.idle : nil }

    package mutating func time(at now: UInt64) -> [Effect] {
        switch phase {
        case .resting(let until) where until <= now:
            guard declaration == nil || declaration?.stays == true else {
                phase = .idle
                return []
            }
            return open(at: now)
        case .starting, .running:
            if let idleEnd, idleEnd <= now { return close(.idle) }
            return passOn(session?.time(at: now) ?? [], at: now)
        case .idle, .resting, .closing, .down, .refused, .stopped: return []
        }
    }
}
