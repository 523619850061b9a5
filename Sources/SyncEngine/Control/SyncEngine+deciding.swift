package import ControlAPI
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
package import SyncModel
internal import Synchronization

extension SyncEngine: ControlService {
    package func restoreConflict(_ id: Int64) async throws {
        try await context.commit { [context] transaction in
            guard let entry = try transaction.conflict(id) else { throw ControlError.unknownConflict(id) }
            let collection = entry.key.collection
            guard let rules = context.rules(collection) else { throw ControlError.notEnabled(collection) }
            let applier = context.applier
            try transaction.change(entry.key, applier) { state, clock, context in
                let now = applier.time.now(over: state, &clock)
                let before = state
                let outcome: Outcome
                do throws(Defect) {
                    outcome = try state.restored(entry, at: now, clock: &clock, context, by: rules.normalized)
                } catch {
                    throw ControlError.restoresNothing(error)
                }
                guard state.isBack(loserOf: entry, since: before) else {
                    throw ControlError.restoresNothing(entry)
                }
                return outcome
            }
            try transaction.setRestored(conflict: id)
        }
    }

    package func sync(wait: Duration?) async throws -> SyncReply {
        for collection in collections { collection.tell(.retryNow) }
        let deadline = ContinuousClock.now + (wait ?? .zero)
        if let wait {
            await journal.catchUp(timeout: wait)
            _ = try await withTimeout(ContinuousClock.now.duration(to: deadline)) { [collections] in
                for collection in collections { await collection.isAlive() }
            }
        }
        let end = journalEnd
        // Who does not wait is told how it stands.
        var inquiry = RemoteInquiry(isOver: (wait ?? .zero) == .zero)
        let progress = context.status.waiters.watch()
        while true {
            var reply = syncReply(journalEnd: end)
            if reply.done, !inquiry.isOver {
                if inquiry.isDue {
                    let left = ContinuousClock.now.duration(to: deadline)
                    inquiry.noteAnswer(await remoteSilence(within: max(left, SyncEngine.leastPatience)))
                }
                guard let silence = inquiry.silence else { continue }
                (reply.done, reply.reasons) = (false, [silence])
            }
            let left = ContinuousClock.now.duration(to: deadline)
            if reply.done || wait == nil || left <= .zero {
                let refused = try await reply.pending > 0 ? refusals() : [:]
                return refused.isEmpty ? reply : syncReply(journalEnd: end, refusals: refused)
            }
            try Task.checkCancellation()
            await progress.wait(for: min(left, .milliseconds(250)))
        }
    }

    /// The items of the quarantine because of which records are pending.
    private func refusals() async throws -> [CollectionID: [Int64]] {
        guard context.status.current.quarantined > 0 else { return [:] }
        return try await context.store.read { transaction in
            var numbers: [CollectionID: [Int64]] = [:]
            let items = try transaction.quarantined(after: 0, limit: QuarantinedItem.mostOfOneSource)
            for item in items where item.source != .journal {
                guard let stored = try item.key.map({ try transaction.record($0) }), stored.pending == .blocked,
                    try transaction.blocking(stored.state).contains(where: { $0.number == item.number })
                else { continue }
                numbers[stored.state.key.collection, default: []].append(item.number)
            }
            return numbers
        }
    }

    private func syncReply(journalEnd: UInt64?, refusals: [CollectionID: [Int64]] = [:]) -> SyncReply {
        let facts = context.status.current
        let pending = facts.counts.values.reduce(0) { $0 + $1.pending }
        var reasons = facts.standstill
        if let failure = facts.writeFailure ?? facts.failure { reasons.append(failure.words) }
        reasons += facts.waitingPeople
        for direction in facts.paused.map(\.rawValue).sorted() { reasons.append("\(direction) is paused") }
        for hold in facts.holds { reasons.append("hold \(hold.number) (\(hold.word)): \(hold.reason)") }
        if !hasRead(journalUpTo: journalEnd) {
            reasons.append("the journal is read up to byte \(facts.journal.offset) of \(journalEnd ?? 0)")
        }
        // The records and the tombstones of a collection have one each, and people know of one.
        let streams = facts.streams.filter { $0.value != .live }
        reasons += Set(streams.map { "the stream of \($0.key.collection) is \($0.value.rawValue)" }).sorted()
        reasons += collections.compactMap(\.silence)
        for (collection, counts) in facts.counts where counts.pending > 0 {
            let pending = SyncEngine.pendingWords(collection, counts, refusals[collection] ?? [])
            let nodes = facts.declaredOtherwise[collection]?.joined(separator: ", ")
            let others = nodes.map { "; \($0) declares \(collection) otherwise: what is merged again and again rests" }
            reasons.append(pending + (others ?? ""))
        }
        for (collection, count) in facts.unconfirmed where count > 0 {
            reasons.append("\(count) \(collection) are being compared with the remote")
        }
        let done = pending == 0 && reasons.isEmpty && facts.stream == .live
        // Nothing is left to do for these, and nobody knows that both sides have the same.
        if done { reasons = facts.counts.filter { $1.quarantined > 0 }.map(SyncEngine.quarantineWords).sorted() }
        return SyncReply(done: done, pending: pending, reasons: reasons)
    }

    /// - Parameter items: the numbers of what in the quarantine keeps records from being pushed.
    private static func pendingWords(
        _ collection: CollectionID, _ counts: CollectionCounts, _ items: [Int64]
    ) -> String {
        let pending = "\(counts.pending) \(collection) are pending"
        guard let first = items.first else {
            let others = "; \(counts.quarantined) are in quarantine: see moviesync quarantine"
            return counts.quarantined > 0 ? pending + others : pending
        }
        let numbers = items.prefix(8).map(String.init).joined(separator: ", ") + (items.count > 8 ? ", …" : "")
        let (noun, verb) = items.count == 1 ? ("item", "keeps") : ("items", "keep")
        let what = "\(noun) \(numbers) of the quarantine \(verb) them back"
        return "\(pending); \(what): see moviesync quarantine show \(first)"
    }

    private static func quarantineWords(_ collection: CollectionID, _ counts: CollectionCounts) -> String {
        let are = counts.quarantined == 1 ? "is" : "are"
        return "\(counts.quarantined) of \(collection) \(are) in quarantine, and may differ: see moviesync quarantine"
    }

    package func pause(_ direction: Direction?) async throws {
        try await setPaused { $0.union(direction.map { [$0] } ?? [.push, .pull]) }
    }

    package func resume(_ direction: Direction?) async throws {
        try await setPaused { $0.subtracting(direction.map { [$0] } ?? [.push, .pull]) }
    }

    /// One after the other: each begins with what the one before has left.
    private func setPaused(
        _ change: @Sendable @escaping (Set<Direction>) -> Set<Direction>
    ) async throws {
        await pausing.close()
        defer { pausing.open() }
        let paused = try await context.commit { transaction in
            let paused = change(try transaction.paused())
            try transaction.setPaused(paused)
            return paused
        }
        context.status.update { $0.paused = paused }
        tellPaused()
        let text = paused.map(\.rawValue).sorted().joined(separator: ",")
        context.logger.notice("The pauses changed", metadata: ["event": "pause.changed", "paused": "\(text)"])
    }

    package func reload() async throws -> ReloadReply {
        guard let reload = reloader.withLock({ $0 }) else { throw ControlError.notYet("reload") }
        return try await reload()
    }
}
