internal import ControlAPI
internal import LocalStore
internal import PluginKit
internal import SyncCore
internal import SyncModel

/// What the status knows from the state.
extension SyncEngine {
    /// Fills the status from the state, at a start.
    ///
    /// Between two transactions: requests are answered already, and what they change is counted too.
    ///
    /// - Throws: what the store throws; ``OtherKey``.
    func load() async throws {
        try await context.betweenTransactions {
            let session = context.session
            try await noteKeys(of: session)
            try await notePlaces(of: session)
            let loaded = try await loaded(session)
            let (journal, paused) = try await context.store.read { transaction in
                (try JournalIngest.Course.lines(in: transaction), try transaction.paused())
            }
            context.status.update { facts in
                facts.takeOver(loaded)
                facts.journal.lines = journal
                facts.paused = paused
            }
        }
    }

    /// Fills the status anew, for another session; while no transaction runs.
    func reload(for session: RemoteSession) async throws {
        try await noteKeys(of: session)
        try await notePlaces(of: session)
        let (loaded, traffic) = (try await loaded(session), context.remote.traffic)
        context.status.update { facts in
            facts.takeOver(loaded)
            facts.forgetRemote(after: traffic)
        }
    }

    private func loaded(_ session: RemoteSession) async throws -> LoadedFacts {
        let ids = session.collections.map(\.id)
        return try await context.store.read { transaction in
            var loaded = LoadedFacts()
            for id in ids {
                loaded.counts[id] = try transaction.counts(of: id)
                loaded.oldest[id] = try transaction.oldestPending(in: id)
                loaded.lastVerify[id] = try transaction.lastVerify(of: id)
            }
            loaded.disabled = try transaction.allCounts().filter { id, counts in
                !ids.contains(id) && (counts.records > 0 || counts.pending > 0)
            }
            loaded.elsewhere = try transaction.quarantinedElsewhere(than: ids)
            loaded.fromJournal = try transaction.quarantinedFromJournal()
            loaded.holds = try transaction.holds()
            loaded.lastChange = try transaction.changeBounds()?.last ?? 0
            return loaded
        }
    }

    /// Notes what the keys of each collection are made of.
    ///
    /// - Throws: ``OtherKey`` where records are stored whose keys are made of something else.
    private func noteKeys(of session: RemoteSession) async throws {
        let rules = session.collections.compactMap { session.rules[$0.id] }
        let areNoted = try await context.store.read { book in
            try rules.map { try $0.isKeyNoted(in: book) }.allSatisfy { $0 }
        }
        guard !areNoted else { return }
        _ = try await context.store.write { book in
            for collection in rules { try collection.noteKey(in: book) }
        }
    }

    /// Notes where each collection is kept.
    private func notePlaces(of session: RemoteSession) async throws {
        let places = session.places
        guard try await !context.store.read({ try CollectionMachine.areNoted(places, in: $0) }) else { return }
        _ = try await context.store.write { try CollectionMachine.note(places, in: $0) }
    }
}

extension Transaction {
    /// The directions that a person has paused.
    func paused() throws -> Set<Direction> {
        Set((try text("paused") ?? "").split(separator: ",").compactMap { Direction(rawValue: String($0)) })
    }

    func setPaused(_ paused: Set<Direction>) throws {
        try setText("paused", paused.map(\.rawValue).sorted().joined(separator: ","))
    }
}

/// What the state says of the collections.
struct LoadedFacts: Sendable {
    var counts: [CollectionID: CollectionCounts] = [:]
    var oldest: [CollectionID: Int64] = [:]
    var lastVerify: [CollectionID: CollectionStatus.LastVerify] = [:]
    /// Of collections that are not enabled.
    var disabled: [CollectionID: CollectionCounts] = [:]
    var elsewhere = 0
    var fromJournal = 0
    var holds: [Hold] = []
    var lastChange: Int64 = 0
}

extension EngineStatus.Facts {
    fileprivate mutating func takeOver(_ loaded: LoadedFacts) {
        counts = loaded.counts
        oldestPending = loaded.oldest
        lastVerify = loaded.lastVerify
        disabled = loaded.disabled
        quarantinedElsewhere = loaded.elsewhere
        journal.quarantined = loaded.fromJournal
        holds = loaded.holds
        lastChange = loaded.lastChange
    }

    /// Forgets what is known of a remote that is left, but not what was sent there.
    fileprivate mutating func forgetRemote(after traffic: RemoteTraffic) {
        (streams, unconfirmed, failing, failedAttempts, toldFailures) = ([:], [:], [:], [:], [:])
        restingPeople = [:]
        fenced = fenced.filter { counts[$0.key] != nil }
        declaredOtherwise = [:]
        earlierTraffic.requests += traffic.requests
        earlierTraffic.bytesSent += traffic.bytesSent
        earlierTraffic.bytesReceived += traffic.bytesReceived
    }
}
