internal import ControlAPI
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// Keeps one collection equal to the remote: listens, reads what hints point at, pushes what is pending.
final class CollectionSync: Sendable {
    let id: CollectionID
    let pull: PullMode
    let context: EngineContext
    let plugin: any CollectionPlugin
    let reader: EntryReader
    let deletes: DeleteLimits
    let work = Mutex(WorkQueue())
    let view = Mutex(RemoteView())
    /// Notified when a person resumes, or asks for a sync now.
    let retry = Signal()
    /// A stream has shown something: cursors follow a moment later. For one reader.
    let (streamActivity, noteActivity) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let workAvailable: AsyncStream<Void>
    private let announceWork: AsyncStream<Void>.Continuation

    init(
        _ id: CollectionID, pull: PullMode, plugin: any CollectionPlugin, context: EngineContext, deletes: DeleteLimits
    ) {
        self.id = id
        self.pull = pull
        self.plugin = plugin
        self.context = context
        self.deletes = deletes
        reader = EntryReader(plugin: plugin)
        (workAvailable, announceWork) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        if !context.remote.keepsTombstones { work.withLock { $0.tombstonesMerged = true } }
    }

    /// The keyspaces that are listened to.
    var keyspaces: [Keyspace] {
        context.remote.keepsTombstones ? [.records(id), .tombstones(id)] : [.records(id)]
    }

    /// Adds records to what must be pushed.
    func enqueue(_ ids: [RecordID]) {
        work.withLock { work in
            for id in ids { work.enqueue(id) }
        }
        announceWork.yield()
    }

    /// Looks for work again: something may have become possible.
    func scheduleWork() { announceWork.yield() }

    /// Runs until cancelled.
    func run() async throws {
        let pending = try await context.store.read { [id] in try $0.pendingIDs(in: id) }
        enqueue(pending)
        await withDiscardingTaskGroup { group in
            for keyspace in keyspaces { group.addTask { await self.listen(to: keyspace) } }
            group.addTask { await self.dispatch() }
            group.addTask { await self.followCursors() }
            group.addTask { await self.reconcileDaily() }
        }
    }

    /// Hands out jobs, as many at once as there may be.
    private func dispatch() async {
        await withDiscardingTaskGroup { group in
            for await _ in workAvailable {
                if let wait = context.health.wait {
                    guard work.withLock({ $0.armTimer() }) else { continue }
                    group.addTask {
                        await self.retry.wait(for: wait)
                        self.work.withLock { $0.timerFired() }
                        self.scheduleWork()
                    }
                    continue
                }
                while let job = nextJob() {
                    group.addTask {
                        await self.perform(job)
                        self.work.withLock { $0.jobEnded() }
                        self.noteUnconfirmed()
                        self.scheduleWork()
                    }
                }
                noteUnconfirmed()
            }
        }
    }

    private func nextJob() -> WorkQueue.Job? {
        let paused = context.status.current.paused
        return work.withLock { $0.next(pushing: !paused.contains(.push), reading: !paused.contains(.pull)) }
    }

    func noteUnconfirmed() {
        let count = work.withLock { $0.unconfirmed }
        context.status.update { $0.unconfirmed[id] = count }
    }

    private func perform(_ job: WorkQueue.Job) async {
        switch job {
        case .push(let ids): await push(ids)
        case .read(let hints): await read(hints)
        }
    }

    /// The requests for these records are answered: what was shown of them meanwhile is observed now.
    ///
    /// - Parameter sent: what the remote has acknowledged just now: an event that shows it is an echo.
    func complete(_ ids: [RecordID], acknowledged sent: [RecordState] = []) async {
        var entries = work.withLock { $0.complete(ids) }
        if !entries.isEmpty, !sent.isEmpty {
            let versions = Dictionary(sent.map { ($0.key.id, $0.local) }) { first, _ in first }
            entries.removeAll { entry in
                guard let id = entry.id, let version = versions[id] ?? nil, let content = version.content else {
                    return false
                }
                guard case .record(.stamped(content, version.stamp)) = entry.value else { return false }
                return entry.nonCanonicalKey == nil
            }
        }
        guard !entries.isEmpty else { return }
        do {
            try await observe(entries)
        } catch {
            hint(entries)
        }
    }

    /// Makes hints of entries that could not be observed.
    func hint(_ entries: [ObservedEntry]) {
        work.withLock { work in
            for entry in entries {
                if let id = entry.id { work.hint(id, .init(nonCanonicalKey: entry.nonCanonicalKey)) }
            }
        }
        scheduleWork()
    }

    /// Notes that the remote failed, and when it is tried again.
    func failed(_ error: any Error) {
        if error is CancellationError { return }
        let remoteError = error as? RemoteError
        let wait = context.health.failed(retryAfter: remoteError?.retryAfter)
        let known = noteFailure(error, retryIn: wait)
        context.logger.log(
            level: known ? .debug : .warning, "The remote failed",
            metadata: [
                "event": "remote.failed", "collection": "\(id)", "code": "\(remoteError?.code.word ?? "unknown")",
                "reason": "\(error)", "retryIn": "\(wait)",
            ])
        scheduleWork()
    }

    /// Shows a failure in status; true where it was shown already.
    func noteFailure(_ error: any Error, retryIn wait: Duration) -> Bool {
        let retryAt = context.wall() + UInt64(wait / .milliseconds(1))
        return context.status.update { facts in
            let known = facts.lastError == "\(error)"
            facts.lastError = "\(error)"
            facts.retryAt = retryAt
            return known
        }
    }

    func succeeded(writing: Bool) {
        context.health.succeeded(writing: writing)
        let now = Moment(milliseconds: context.wall())
        context.status.update { facts in
            facts.lastError = nil
            facts.retryAt = nil
            if writing { facts.lastPushAt = now } else { facts.lastPullAt = now }
        }
    }

    var pushContext: PushContext {
        PushContext(
            run: context.store.run, emptyAtStart: work.withLock { $0.emptyAtStart },
            keepsTombstones: context.remote.keepsTombstones)
    }
}
