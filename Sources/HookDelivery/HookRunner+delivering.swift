internal import HookRules
internal import LocalStore
internal import Logging
internal import SyncModel
internal import Synchronization

// One event after the other.
extension HookRunner {
    /// Tells of all that is there.
    ///
    /// - Returns: when to look again, in milliseconds since 1970; nil where nothing is to be done before something changes.
    func work() async -> UInt64? {
        do {
            while !Task.isCancelled {
                switch state.withLock({ $0.course.phase }) {
                case .waiting(let until, _) where until > context.wall(): return until
                case .off: return nil
                case .waiting, .ready: break
                }
                let (id, after) = (settings.id, state.withLock { $0.course.stored.cursor })
                if let due = try await context.store.read({ try $0.dueEvent(of: id) }) {
                    try await retry(due)
                    continue
                }
                let changes = try await context.store.read {
                    try $0.changesWithPast(after: after, limit: HookRunner.page)
                }
                if changes.isEmpty {
                    try await note(isLast: true)
                    return nil
                }
                for change in changes where !Task.isCancelled { guard try await tell(of: change) else { break } }
            }
        } catch {
            if !Task.isCancelled { logFailure(ofState: error) }
            return context.wall() + HookRunner.statePause
        }
        return nil
    }

    /// Whether the next change may follow.
    private func tell(of change: Change) async throws -> Bool {
        let (gap, isConcerned) = state.withLock { state in
            (state.course.gap(before: change, node: context.node), state.course.concerns(change))
        }
        if let gap, try await !deliver(gap) { return false }
        if isConcerned { return try await deliver(HookEvent(change, node: context.node)) }
        state.withLock { $0.course.pass(change.sequence) }
        try await note()
        return true
    }

    /// Whether the next event may follow.
    private func deliver(_ event: HookEvent) async throws -> Bool {
        state.withLock { $0.eventAt = event.at }
        var outcome = await tell(event)
        if Task.isCancelled { return false }
        if case .refused(let reason) = outcome, state.withLock({ $0.quarantined >= HookRunner.mostRefused }) {
            outcome = .failed("\(HookRunner.mostRefused) events are put aside, and no more fit: \(reason)")
        }
        let now = context.wall()
        let (verdict, attempts) = state.withLock { state in
            let attempts = state.course.stored.attempts + 1
            if outcome == .taken { state.delivered += 1 } else { state.failures += 1 }
            let verdict = state.course.attempted(event.sequence, outcome, at: now)
            if verdict == .next { state.eventAt = nil }
            if case .putAside(let reason) = verdict {
                state.eventAt = nil
                state.quarantined += 1
                state.unstored = RefusedEvent(
                    hook: settings.id, sequence: event.sequence, since: now, attempts: attempts, reason: reason,
                    event: event.text)
            }
            return (verdict, attempts)
        }
        switch verdict {
        case .next:
            logTaken(event.sequence)
            try await note()
        case .putAside(let reason):
            try await keep()
            logger.error(
                "A hook does not take an event, which is put aside",
                metadata: ["event": "hook.quarantined", "seq": "\(event.sequence)", "reason": "\(reason)"])
        case .again, .stop:
            logFailure(of: event, attempts)
            try await note(isLast: true)
        }
        return verdict != .again && verdict != .stop
    }

    private func tell(_ event: HookEvent) async -> HookOutcome {
        state.withLock { $0.isTelling = true }
        defer { state.withLock { $0.isTelling = false } }
        return await context.deliver(event, by: settings)
    }

    /// Stores what is put aside as soon as the state can be written: in memory the hook is past it already. Where it is
    /// stopped meanwhile, the last ``note(isLast:)`` does.
    private func keep() async throws {
        while true {
            do {
                return try await note(isLast: true)
            } catch {
                try Task.checkCancellation()
                logFailure(ofState: error)
                await context.sleep(HookRunner.statePause)
                try Task.checkCancellation()
            }
        }
    }

    private func logFailure(ofState error: any Error) {
        logger.error("A hook waits for the state", metadata: ["event": "hook.state", "reason": "\(error)"])
    }

    /// One more attempt with an event that was put aside. A person may drop it meanwhile.
    private func retry(_ refused: RefusedEvent) async throws {
        guard let event = HookEvent(text: refused.event) else { return noteDropped(try await take(refused) ? 1 : 0) }
        let outcome = await tell(event)
        if Task.isCancelled { return }
        var after = refused
        after.isDue = false
        after.attempts += 1
        switch outcome {
        case .taken:
            let wasThere = try await take(refused)
            state.withLock { state in
                state.delivered += 1
                state.quarantined -= wasThere ? 1 : 0
            }
            return logTaken(refused.sequence)
        case .failed(let reason, _), .refused(let reason): after.reason = reason
        case .off(let reason):
            (after.reason, after.isDue) = (reason, true)
            state.withLock { $0.course.end(reason) }
            logFailure(of: event, after.attempts)
        }
        state.withLock { $0.failures += 1 }
        _ = try await context.store.write { [after] transaction in
            guard try transaction.removeRefusedEvent(after.sequence, of: after.hook) else { return }
            try transaction.insert(after)
        }
        try await note(isLast: true)
    }

    /// Takes an event that was put aside away; false where a person has dropped it.
    private func take(_ refused: RefusedEvent) async throws -> Bool {
        try await context.store.write { try $0.removeRefusedEvent(refused.sequence, of: refused.hook) }.result
    }

    /// Has the store know how far it is: at the latest when it has nothing to do.
    func note(isLast: Bool = false) async throws {
        let (stored, aside): (StoredHook?, RefusedEvent?) = state.withLock { state in
            let isDue = isLast || state.notedAt.duration(to: .now) >= HookRunner.noting
            return isDue && state.noted != state.course.stored ? (state.course.stored, state.unstored) : (nil, nil)
        }
        guard let stored else { return }
        _ = try await context.store.write(isShort: true) { transaction in
            if let aside { try transaction.insert(aside) }
            try transaction.store(stored)
        }
        state.withLock { state in
            (state.noted, state.notedAt) = (stored, .now)
            state.unstored = nil
        }
    }

    private func logTaken(_ sequence: Int64) {
        logger.debug("A hook has taken an event", metadata: ["event": "hook.taken", "seq": "\(sequence)"])
    }

    private func logFailure(of event: HookEvent, _ attempts: Int) {
        let phase = state.withLock { $0.course.phase }
        switch phase {
        case .waiting(let until, let reason):
            let now = context.wall()
            logger.warning(
                "A hook has failed, and is told again later",
                metadata: [
                    "event": "hook.failed", "seq": "\(event.sequence)", "attempts": "\(attempts)",
                    "reason": "\(reason)", "pause": "\((until > now ? until - now : 0) / 1_000) s",
                ])
        case .off(let reason):
            logger.error("A hook is off", metadata: ["event": "hook.off", "reason": "\(reason)"])
        case .ready: break
        }
    }
}
