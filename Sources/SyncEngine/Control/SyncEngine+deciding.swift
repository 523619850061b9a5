package import ControlAPI
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
package import SyncModel
internal import Synchronization

extension SyncEngine: ControlService {
    package func approve(hold id: Int64) async throws { try await decide(id, approved: true) }

    package func reject(hold id: Int64) async throws { try await decide(id, approved: false) }

    private func decide(_ id: Int64, approved: Bool) async throws {
        let context = context
        let (hold, effect) = try await context.commit { transaction in
            guard let hold = try transaction.hold(id) else { throw ControlError.unknownHold(id) }
            let effect = try HoldDecision.decide(hold, approved: approved, in: transaction, context)
            if case .journal(let answer) = effect { try JournalIngest.goOn(as: answer, in: transaction) }
            return (hold, effect)
        }
        if case .journal = effect { journal.decided() }
        context.logger.notice(
            "A hold was decided",
            metadata: [
                "event": "hold.decided", "hold": "\(id)", "kind": "\(hold.word)",
                "decision": approved ? "approved" : "rejected",
            ])
    }

    package func retryQuarantined(_ id: Int64) async throws {
        let retry = QuarantineRetry(context: context)
        let item = try await context.commit { transaction in
            let item = try transaction.quarantined(id)
            if let item, item.source == .journal { _ = try retry.retry(item, in: transaction) }
            return item
        }
        guard let item else { throw ControlError.unknownQuarantined(id) }
        guard let collection = collections.first(where: { $0.id == item.collection }) else { return }
        switch item.source {
        case .journal: break
        case .push: try await unblock(item)
        case .pull:
            guard let record = item.record.flatMap({ RecordID($0) }) else { return }
            collection.work.withLock {
                $0.hint(record, .init(nonCanonicalKey: item.record == record.description ? nil : item.record))
            }
            collection.scheduleWork()
        }
    }

    /// Lets a refused record be pushed again.
    private func unblock(_ item: QuarantinedItem) async throws {
        guard let collection = item.collection, let record = item.record.flatMap({ RecordID($0) }) else { return }
        let context = context
        try await context.commit { transaction in
            var stored = try transaction.record(RecordKey(collection, record))
            stored.state.blocked = nil
            try transaction.release(item)
            try context.writer(transaction).save(stored, Outcome(), origin: .decision)
        }
    }

    package func dropQuarantined(_ id: Int64) async throws {
        let context = context
        let item = try await context.commit { transaction in
            guard let item = try transaction.quarantined(id) else { return QuarantinedItem?.none }
            try transaction.release(item)
            guard let collection = item.collection, let record = item.record.flatMap({ RecordID($0) }) else {
                return item
            }
            var stored = try transaction.record(RecordKey(collection, record))
            switch item.source {
            case .journal: break
            case .push:
                let now = context.time.now(over: stored.state, &transaction.clock)
                let outcome = stored.state.refusedVersionDropped(now: now)
                try context.writer(transaction).save(stored, outcome, origin: .decision)
            case .pull:
                // What waits here is compared again: it goes out, or comes back into quarantine with its reason. Never
                // without a condition: something stands there.
                stored.state.blocked = nil
                stored.state.attempted()
                try context.writer(transaction).save(stored, Outcome(), origin: .decision)
            }
            return item
        }
        guard item != nil else { throw ControlError.unknownQuarantined(id) }
    }

    package func restoreConflict(_ id: Int64) async throws {
        let context = context
        let restored = try await context.commit { transaction in
            guard let entry = try transaction.conflicts(before: id + 1, limit: 1).first, entry.number == id else {
                return false
            }
            var stored = try transaction.record(entry.key)
            let stamp = context.time.now(over: stored.state, &transaction.clock)
            let outcome = stored.state.edited(Version(entry.loser.content, stamp))
            try context.writer(transaction).save(stored, outcome, origin: .decision)
            return true
        }
        guard restored else { throw ControlError.unknownConflict(id) }
    }

    package func verify() async throws { throw ControlError.notYet("verify") }

    package func sync(wait: Duration?) async throws -> SyncReply {
        context.health.retryNow()
        for collection in collections {
            collection.retry.notify()
            collection.scheduleWork()
        }
        let deadline = ContinuousClock.now + (wait ?? .zero)
        if let wait { await journal.catchUp(timeout: wait) }
        let end = journalEnd
        while true {
            let reply = syncReply(journalEnd: end)
            let left = ContinuousClock.now.duration(to: deadline)
            if reply.done || wait == nil || left <= .zero { return reply }
            try Task.checkCancellation()
            await waitForProgress(timeout: min(left, .milliseconds(250)))
        }
    }

    private func syncReply(journalEnd: UInt64?) -> SyncReply {
        let facts = context.status.current
        let pending = facts.counts.values.reduce(0) { $0 + $1.pending }
        var reasons: [String] = []
        if let error = facts.lastError { reasons.append("the remote fails: \(error)") }
        for direction in facts.paused.map(\.rawValue).sorted() { reasons.append("\(direction) is paused") }
        for hold in facts.holds { reasons.append("hold \(hold.number) (\(hold.word)): \(hold.reason)") }
        if !hasRead(journalUpTo: journalEnd) {
            reasons.append("the journal is read up to byte \(facts.journal.offset) of \(journalEnd ?? 0)")
        }
        for (keyspace, stream) in facts.streams where stream != .live {
            reasons.append("the stream of \(keyspace.collection) is \(stream.rawValue)")
        }
        for (collection, counts) in facts.counts where counts.pending > 0 {
            let refused =
                counts.quarantined > 0 ? " (\(counts.quarantined) in quarantine: see moviesync quarantine)" : ""
            reasons.append("\(counts.pending) \(collection) are pending\(refused)")
        }
        for (collection, count) in facts.unconfirmed where count > 0 {
            reasons.append("\(count) \(collection) are being compared with the remote")
        }
        let done =
            pending == 0 && reasons.isEmpty && facts.streams.count == collections.reduce(0) { $0 + $1.keyspaces.count }
        return SyncReply(done: done, pending: pending, reasons: reasons)
    }

    package func pause(_ direction: Direction?) async throws {
        try await setPaused { $0.union(direction.map { [$0] } ?? [.push, .pull]) }
    }

    package func resume(_ direction: Direction?) async throws {
        try await setPaused { $0.subtracting(direction.map { [$0] } ?? [.push, .pull]) }
        for collection in collections {
            collection.retry.notify()
            collection.scheduleWork()
        }
    }

    private func setPaused(_ change: (Set<Direction>) -> Set<Direction>) async throws {
        let paused = change(context.status.current.paused)
        let text = paused.map(\.rawValue).sorted().joined(separator: ",")
        try await context.commit { try $0.setValue("paused", Array(text.utf8)) }
        context.status.update { $0.paused = paused }
        context.logger.notice("The pauses changed", metadata: ["event": "pause.changed", "paused": "\(text)"])
    }

    package func reload() async throws -> ReloadReply {
        guard let reload = reloader.withLock({ $0 }) else { throw ControlError.notYet("reload") }
        return try await reload()
    }
}
