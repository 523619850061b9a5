internal import ControlAPI
internal import JSONText
internal import LocalStore
internal import PluginKit
internal import SyncCore
internal import SyncModel

/// One more attempt with what is in quarantine: as a person asks, when something else may hold, and now and then.
extension SyncEngine {
    package func retryQuarantined(_ id: Int64) async throws { try await retry(id, isDecided: true) }

    package func retryQuarantined(_ ids: [Int64]) async throws { try await retry(ids, isDecided: true) }

    /// - Parameter isDecided: whether a person asks for it.
    /// - Returns: false where a check can't be asked about it now.
    @discardableResult
    private func retry(_ id: Int64, isDecided: Bool) async throws -> Bool {
        let (checked, objection, isAsked) = try await rechecked(id)
        let item = try await context.commit { [context] transaction in
            guard let item = try transaction.quarantined(id) else { throw ControlError.unknownQuarantined(id) }
            if item.defect.code == .more { throw ControlError.standsForOthers(id) }
            if let objection {
                try transaction.noteAttempt(context.applier.named(item), objection)
            } else {
                try transaction.retry(item, as: checked, isDecided: isDecided, context.applier)
            }
            return item
        }
        guard item.source == .pull else { return isAsked }
        if item.key != nil { readAgain([item]) } else { try await lookAgain(at: item) }
        return isAsked
    }

    private func retry(_ ids: [Int64], isDecided: Bool) async throws {
        let checking = await collectionsWithChecks()
        let items = try await context.commit { [context] transaction in
            let items = try Set(ids).sorted().compactMap { try transaction.quarantined($0) }
            let known = items.filter { !$0.isAskedAbout(in: checking) }
            try transaction.retry(known, isDecided: isDecided, context.applier)
            return items
        }
        readAgain(items)
        var waiting: Set<RecordKey> = []
        // One that stands for others is nothing that could be tried.
        for item in items where item.isAskedAbout(in: checking) && item.defect.code != .more {
            // What follows a line of the same record does not overtake it.
            let key = context.applier.named(item).key
            if let key, waiting.contains(key) { continue }
            do {
                let isAsked = try await retry(item.number, isDecided: isDecided)
                if !isAsked, let key { waiting.insert(key) }
            } catch let error as ControlError where error == .unknownQuarantined(item.number) {
                // It was settled with another one.
            }
        }
    }

    /// What came from the remote of these is read again.
    func readAgain(_ items: [QuarantinedItem]) {
        for collection in collections {
            for input in CollectionMachine.Input.rereading(items, of: collection.id) { collection.tell(input) }
        }
    }

    /// What checks say now about a line; nothing about any other item.
    private func rechecked(
        _ id: Int64
    ) async throws -> (checked: CheckedOperation?, objection: Defect?, isAsked: Bool) {
        let found = try await context.store.read { try $0.quarantined(id) }
        guard let found, found.isForChecks, let line = found.payload,
            let operation = try? context.applier.operation(line[...])
        else { return (nil, nil, true) }
        switch try await LineChecks(context: context).ask(operation) {
        case .passed(let checked, _): return (checked, nil, true)
        case .refused(let defect): return (nil, defect, true)
        case .waits(let reason): return (nil, Defect(found.defect.code, reason), false)
        }
    }

    /// An entry under a key that no record can have: it leaves the quarantine when it is gone.
    private func lookAgain(at item: QuarantinedItem) async throws {
        // What stands in place of all records has no key to read it by: a stream shows it when it is gone.
        guard let collection = item.collection, let key = item.record, !key.isEmpty else { return }
        let isGone: Bool
        do {
            let entry = try await context.remote.read(key, in: .records(collection))
            // That is no answer: something else than the database may have given it.
            if entry.isDoubtful { throw RemoteError.noETag(key) }
            isGone = entry.value == .absent
        } catch {
            throw ControlError(502, "remoteFailed", "the remote can't be read: \(error)")
        }
        try await context.commit { [context] transaction in
            if isGone {
                try transaction.release(item, context.applier.context(collection))
            } else {
                try transaction.noteAttempt(item, item.defect)
            }
        }
    }

    /// Tries once more what may be taken now that something else may hold.
    func retryQuarantine() async throws {
        try await context.commit { try $0.forgetRetried() }
        try await retryAll(because: .otherwise(checking: collectionsWithChecks()))
    }

    /// Lines that no check has seen, as their collection was not enabled, or refused them by itself, and that can be applied
    /// now: where there are checks, those see them first.
    func retryUnseen() async throws {
        for collection in await collectionsWithChecks() {
            let ids = try await context.store.read { [context] transaction in
                try transaction.linesUnseenByChecks(of: collection, context.applier)
            }
            if !ids.isEmpty { try await retry(ids, isDecided: false) }
        }
    }

    private func collectionsWithChecks() async -> Set<CollectionID> {
        var collections: Set<CollectionID> = []
        for collection in context.session.collections.map(\.id)
        where await !context.checks.checks(of: collection).isEmpty { collections.insert(collection) }
        return collections
    }

    /// After a reload, whatever it has changed: the files with people's tokens are read again, nobody whose token is not named
    /// any more is waited for, and ``retryQuarantine()``.
    /// Where the state can't be written now, the log says so.
    @discardableResult
    package func lookAgainAfterReload() async -> TokenNews {
        let news = people.readTokensAgain(now: context.wall)
        try? await endWaiting()
        try? await retryQuarantine()
        unseen.notify()
        return news
    }

    /// ``retryUnseen()`` at the start and after each reload: who reloads need not wait for checks. Runs until cancelled.
    func runUnseen() async {
        while !Task.isCancelled {
            try? await retryUnseen()
            await unseen.wait(for: nil)
        }
    }

    /// Tries once more what it is time for; runs until cancelled.
    func runRetries() async {
        while !Task.isCancelled {
            await context.clock.sleep(context.clock.monotonic() + Retrial.pause)
            if Task.isCancelled { return }
            guard status().collections.values.contains(where: { $0.quarantined > 0 }) else { continue }
            // Where the state can't be written now, the log says so: again in a while.
            try? await retryAll(because: .due(now: context.wall))
            unseen.notify()
        }
    }

    private func retryAll(because reason: Retrial) async throws {
        var last: Int64? = 0
        while let after = last {
            let (next, retried) = try await context.commit { [context] transaction in
                let items = try transaction.quarantined(after: after, limit: 500)
                return (items.last?.number, try transaction.retry(items, because: reason, context.applier))
            }
            readAgain(retried)
            last = next
        }
    }
}

extension Transaction {
    /// The numbers of lines in quarantine that checks are to see now.
    fileprivate func linesUnseenByChecks(of collection: CollectionID, _ applier: OperationApplier) throws -> [Int64] {
        var lines: [Int64] = []
        var last: Int64? = 0
        while let after = last {
            let items = try quarantined(after: after, limit: 500)
            for item in items where try applier.isUnseenByChecks(item, of: collection, in: self) {
                lines.append(item.number)
            }
            last = items.last?.number
        }
        return lines
    }
}
