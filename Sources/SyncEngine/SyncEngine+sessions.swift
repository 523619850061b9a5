internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// One session after the other: a reload may bring another remote, or other collections.
extension SyncEngine {
    /// How long requests in flight are awaited before their remote is left.
    private static let patience: Duration = .seconds(5)

    /// Ends the session that runs, and begins this one; returns when it has begun, or the engine has ended.
    ///
    /// What is pending stays so, and is sent by the new session. The outcome of a request that is not answered in time
    /// counts as unknown, as after a crash.
    ///
    /// - Throws: what the store throws, and ``OtherKey``; then the session before goes on.
    package func change(to session: RemoteSession) async throws {
        let (begun, begin) = AsyncThrowingStream<Void, any Error>.makeStream()
        guard changes.add(.init(session: session, begun: begin)) else { return await session.remote.shutdown() }
        for try await _ in begun {}
    }

    /// Runs the collections of one session after the other until cancelled.
    func runSessions() async {
        await journal.backlogIsRead()
        while !Task.isCancelled {
            let isUnsure = await withDiscardingTaskGroup { group in
                for collection in collections {
                    group.addTask { await self.supervised { try await collection.run() } }
                }
                await changes.untilOneWaits()
                defer { group.cancelAll() }
                return Task.isCancelled ? true : await !letRequestsEnd(within: SyncEngine.patience)
            }
            guard !Task.isCancelled, let change = changes.next() else { continue }
            await begin(change, isUnsure: isUnsure)
        }
        for change in changes.close() {
            await change.session.remote.shutdown()
            change.begun.finish()
        }
    }

    /// - Parameter isUnsure: requests were in flight when the session before was ended.
    private func begin(_ change: SessionChanges.Change, isUnsure: Bool) async {
        let session = change.session
        let before: RemoteSession
        do {
            before = try await context.change(to: session) {
                if isUnsure { _ = try await context.store.write { try $0.countPendingAsAttempted() } }
                try await reload(for: session)
            }
        } catch {
            await session.remote.shutdown()
            return change.begun.finish(throwing: error)
        }
        takeOverSession()
        deadlines.notify()
        await before.remote.shutdown()
        context.logger.notice(
            "Another session with the remote has begun",
            metadata: [
                "event": "remote.changed", "remote": "\(session.remote.name)", "url": "\(session.remote.address)",
                "collections": "\(session.collections.map(\.id.name).joined(separator: ","))",
            ])
        change.begun.finish()
    }

    /// Begins no request any more, and lets those in flight end.
    ///
    /// - Returns: whether they have all ended in time.
    @discardableResult
    func letRequestsEnd(within limit: Duration) async -> Bool {
        for collection in collections { collection.tell(.paused([.push, .pull])) }
        let (clock, collections) = (context.clock, collections)
        let deadline = clock.monotonic() + limit.milliseconds
        await untilEitherEnds({ await clock.sleep(deadline) }) {
            for collection in collections { await collection.untilIdle() }
        }
        return !collections.contains { $0.isBusy || $0.isUnsure }
    }
}

/// The sessions that wait for their turn. For one reader.
final class SessionChanges: Sendable {
    struct Change: Sendable {
        var session: RemoteSession
        /// Finished when the session has begun, or never will.
        var begun: AsyncThrowingStream<Void, any Error>.Continuation
    }

    private let state = Mutex((waiting: [Change](), isClosed: false))
    private let arrived = Signal()

    /// False where nobody takes it any more.
    func add(_ change: Change) -> Bool {
        let isTaken = state.withLock { state in
            if !state.isClosed { state.waiting.append(change) }
            return !state.isClosed
        }
        arrived.notify()
        return isTaken
    }

    /// Returns when a change waits, or the task is cancelled.
    func untilOneWaits() async {
        while !Task.isCancelled, state.withLock({ $0.waiting.isEmpty }) { await arrived.wait(for: nil) }
    }

    func next() -> Change? { state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() } }

    /// Takes nothing more.
    ///
    /// - Returns: those that still wait.
    func close() -> [Change] {
        state.withLock { state in
            defer { state = ([], true) }
            return state.waiting
        }
    }
}
