internal import AsyncAlgorithms
package import ControlAPI
internal import JournalTail
package import LocalStore
package import Logging
internal import OperatingSystem
package import PluginKit
internal import ServiceLifecycle
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// Keeps this machine's records and the remote equal: the shells that run SyncCore against the adapters.
package final class SyncEngine: Service {
    let context: EngineContext
    private let syncs: Mutex<[CollectionSync]>
    /// Sessions that are to take the place of the one that runs.
    let changes = SessionChanges()
    let journal: JournalIngest
    /// Notified at each new entry of the change feed.
    let changed = Signal()
    /// Notified when something may end by itself at another time than before.
    let deadlines = Signal()
    /// There may be lines in quarantine that no check has seen.
    let unseen = Signal()
    /// One change of the pauses at a time.
    let pausing = CommitGate()
    /// Many records come in. For one reader.
    private let (bulkLoads, noteBulkLoad) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let watched: AsyncStream<Void>
    private let watching: AsyncStream<Void>.Continuation
    private let changeListener = Mutex<(@Sendable () -> Void)?>(nil)
    let reloader = Mutex<(@Sendable () async throws -> ReloadReply)?>(nil)
    let liveReaders = LiveReaders()
    let journalPreview = JournalPreview()
    /// Whether the state was asked for a sign of life, and has not given it yet.
    let isStateAsked = Mutex(false)
    /// At most one comparison with the remote at a time.
    let isVerifying = Mutex(false)
    /// At most one copy of the state at a time.
    let isBackingUp = Mutex(false)

    /// - Parameters:
    ///   - registry: the plugins; each collection of `settings` must be one of them.
    ///   - checks: who is asked about lines of the journal.
    package init(
        settings: EngineSettings, store: LocalStore, remote: any Remote, registry: PluginRegistry,
        checks: any CheckService = NoChecks(), logger: Logger, pid: Int32, clock: EngineClock
    ) {
        let session = RemoteSession(settings, remote, registry)
        let context = EngineContext(
            settings: settings, store: store, session: session, checks: checks, logger: logger, pid: pid, clock: clock)
        let (watched, watching) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.context = context
        self.watched = watched
        self.watching = watching
        context.people.configure(settings.users, now: clock.wall())
        journal = JournalIngest(context) { watching.yield() }
        syncs = Mutex(SyncEngine.syncs(of: session, context))
        context.setObservers(
            .init(
                edited: { [weak self] keys in
                    for collection in self?.collections ?? [] {
                        collection.tell(.edited(keys.filter { $0.collection == collection.id }.map(\.id)))
                    }
                },
                setAside: { [weak self] in
                    for collection in self?.collections ?? [] { collection.tell(.setAside) }
                },
                changed: { [changed, liveReaders, weak self] in
                    changed.notify()
                    liveReaders.notify()
                    self?.changeListener.withLock { $0 }?()
                },
                deadlines: { [deadlines] in deadlines.notify() },
                bulkLoad: { [noteBulkLoad] in noteBulkLoad.yield() }))
        for collection in collections { collection.noteUnheard() }
    }

    /// The sync of each enabled collection.
    var collections: [CollectionSync] { syncs.withLock { $0 } }

    /// Makes the syncs of the session that holds from now on.
    func takeOverSession() {
        syncs.withLock { $0 = SyncEngine.syncs(of: context.session, context) }
        for collection in collections { collection.noteUnheard() }
    }

    private static func syncs(of session: RemoteSession, _ context: EngineContext) -> [CollectionSync] {
        session.collections.compactMap { collection in
            session.registry.collection(collection.id).map {
                CollectionSync(
                    collection.id,
                    settings: MachineSettings(
                        pull: collection.pull, writeGuard: session.writeGuard,
                        keepsTombstones: session.remote.keepsTombstones,
                        place: "\(session.places[collection.id] ?? "") \(session.meta)"),
                    plugin: $0, context: context)
            }
        }
    }

    /// Returns as soon as the journal, or the folder where it will appear, is watched.
    ///
    /// - Throws: `CancellationError` where that is not waited for any more.
    package func journalIsWatched() async throws {
        for await _ in watched { return }
        throw CancellationError()
    }

    /// What a reload of the configuration does; asked for over the control socket.
    package func onReload(_ reload: @escaping @Sendable () async throws -> ReloadReply) {
        reloader.withLock { $0 = reload }
    }

    /// Whom to tell, beside those who read it live, that the change feed has new entries; has to return at once.
    package func onChange(_ listener: @escaping @Sendable () -> Void) {
        changeListener.withLock { $0 = listener }
    }

    /// Puts a new `clock.maxAhead` in force, in milliseconds.
    package func setMaxAhead(_ milliseconds: UInt64) {
        context.maxAhead.withLock { $0 = milliseconds }
        deadlines.notify()
    }

    /// Puts a new `tombstones.keep` in force, in milliseconds.
    package func setKeep(_ milliseconds: UInt64) {
        context.keep.withLock { $0 = milliseconds }
        for collection in collections { collection.tell(.time) }
    }

    /// Puts new limits of the change feed in force.
    package func setFeed(_ limits: FeedLimits) {
        context.feed.withLock { $0 = limits }
    }

    /// Puts a new name of this node in force; the others hear of it at once.
    package func setNodeName(_ name: String) {
        context.nodeName.withLock { $0 = name }
        for collection in collections { collection.tell(.card(context.card(of: collection.id))) }
    }

    package func run() async throws {
        do {
            guard try await cancelWhenGracefulShutdown({ try await self.hasLoaded() }) else {
                return await context.remote.shutdown()
            }
        } catch {
            await context.remote.shutdown()
            throw error
        }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.supervised { try await self.context.store.readPresence() } }
            group.addTask { await self.supervised { try await self.journal.run() } }
            group.addTask { await self.runSessions() }
            group.addTask(executorPreference: BlockingExecutor("change feed")) { await self.changeFeed.run() }
            group.addTask { await self.runDeadlines() }
            group.addTask { await self.runClock() }
            group.addTask { await self.runStateProbe() }
            group.addTask { await self.runPlaces() }
            group.addTask { await self.releaseMemoryAfterLoads() }
            group.addTask { await self.runWeeklyVerification() }
            group.addTask { await self.runRetries() }
            group.addTask { await self.runUnseen() }
            group.addTask { await self.runDeclarations() }
            group.addTask { await self.runPeople() }
            try? await gracefulShutdown()
            await finishInFlight()
            group.cancelAll()
        }
        await context.remote.shutdown()
    }

    /// Loads what a start needs; where the disk has no room for it, once there may be some: a service that ends again and again
    /// is given up by its manager.
    ///
    /// - Returns: false where the daemon stops meanwhile.
    private func hasLoaded() async throws -> Bool {
        var backoff = Backoff()
        while true {
            do {
                try await load()
                try await retryQuarantine()
                return true
            } catch let error as StoreError where error.code == .diskFull {
                context.status.update { $0.storeError = error.message }
                try? await Task.sleep(for: backoff.failed(random: .random(in: 0...1)))
                if Task.isCancelled { return false }
            } catch is CancellationError {
                return false
            }
        }
    }

    private var changeFeed: ChangeFeedFile {
        var file = ChangeFeedFile(
            store: context.store, path: context.settings.changesPath, logger: context.logger, signal: changed
        ) { [status = context.status] result in
            guard case .failure(let error) = result else {
                if status.current.feedError != nil { status.update { $0.feedError = nil } }
                return
            }
            status.update { $0.feedError = "\(error)" }
        }
        file.limits = { [context] in context.feed.withLock { $0 } }
        file.now = { [context] in context.time.ageTime }
        return file
    }

    /// Runs a part again after a failure; a part that the disk stopped goes on when the disk does.
    func supervised(_ part: @Sendable () async throws -> Void) async {
        var backoff = Backoff()
        while !Task.isCancelled {
            let begun = context.clock.monotonic()
            do {
                return try await part()
            } catch is CancellationError {
                return
            } catch {
                backoff.ran(for: context.clock.monotonic() - begun)
                context.logger.error(
                    "A part of the engine failed", metadata: ["event": "engine.failed", "reason": "\(error)"])
                try? await Task.sleep(for: backoff.failed(random: .random(in: 0...1)))
            }
        }
    }

    /// Tells the collections which directions are paused.
    func tellPaused() {
        let paused = context.status.current.paused
        for collection in collections { collection.tell(.paused(paused)) }
    }

    /// Lets requests in flight end: nothing new is begun.
    private func finishInFlight() async {
        context.status.update { facts in
            facts.stopping = true
            facts.paused = [.push, .pull]
        }
        await letRequestsEnd(within: .seconds(8))
    }

    /// Gives memory back after a large load, once it is over.
    private func releaseMemoryAfterLoads() async {
        var released = context.status.current.entriesIngested
        for await _ in bulkLoads.debounce(for: .seconds(1)) {
            let ingested = context.status.current.entriesIngested
            guard ingested - released > 1000 else { continue }
            released = ingested
            await context.store.releaseMemory()
            Memory.trim()
        }
    }
}
