internal import ControlAPI
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// The stream is closed because a person paused the pull.
private struct PullPaused: Error {}

extension CollectionSync {
    /// Keeps one stream open until cancelled.
    func listen(to keyspace: Keyspace) async {
        var backoff = Backoff()
        while !Task.isCancelled {
            if context.status.current.paused.contains(.pull) {
                setStream(keyspace, .down)
                await untilResumed()
                continue
            }
            setStream(keyspace, .connecting)
            var wait: Duration = .zero
            do {
                let cursor = try await cursor(of: keyspace)
                try await noteKnown(keyspace)
                try await context.remote.listen(to: keyspace, after: cursor) { events in
                    try await self.handle(events, of: keyspace, whole: cursor == nil)
                }
                wait = backoff.failed(random: .random(in: 0...1))
            } catch is CancellationError {
                return
            } catch is PullPaused {
                wait = .zero
            } catch let error as RemoteError where error.code == .tokenEnded {
                wait = .zero
            } catch {
                if stream(keyspace) == .live { backoff.succeeded() }
                wait = backoff.failed(retryAfter: (error as? RemoteError)?.retryAfter, random: .random(in: 0...1))
                noteStreamDown(keyspace, error, wait)
            }
            closed(keyspace)
            if wait > .zero, !Task.isCancelled { await retry.wait(for: wait) }
        }
    }

    /// Notes what the base knows before a stream is opened: what is pushed meanwhile may be missing from its snapshot.
    private func noteKnown(_ keyspace: Keyspace) async throws {
        guard case .records = keyspace, pull == .full else { return }
        let known = Set(try await context.store.read { [id] in try $0.idsInBase(of: id) })
        view.withLock { $0.known = known }
    }

    /// Waits while the pull is paused; a resume between two checks is not missed.
    private func untilResumed() async {
        let signal = Signal()
        let number = context.status.waiters.add(signal)
        while context.status.current.paused.contains(.pull), !Task.isCancelled { await signal.wait(for: nil) }
        context.status.waiters.remove(number)
    }

    private func stream(_ keyspace: Keyspace) -> RemoteStatus.Stream? { context.status.current.streams[keyspace] }

    func setStream(_ keyspace: Keyspace, _ state: RemoteStatus.Stream) {
        context.status.update { $0.streams[keyspace] = state }
    }

    private func closed(_ keyspace: Keyspace) {
        setStream(keyspace, .down)
        view.withLock { view in
            switch keyspace {
            case .tombstones: view.tombstonesLive = false
            case .records:
                // The next stream shows a snapshot of its own; by then this one is old.
                view.shown = nil
                view.completeSnapshot = nil
            }
        }
    }

    private func noteStreamDown(_ keyspace: Keyspace, _ error: any Error, _ wait: Duration) {
        let known = noteFailure(error, retryIn: wait)
        context.logger.log(
            level: known ? .debug : .warning, "The stream is down",
            metadata: [
                "event": "stream.down", "collection": "\(id)", "keyspace": "\(keyspace.word)",
                "code": "\((error as? RemoteError)?.code.word ?? "unknown")", "reason": "\(error)",
                "retryIn": "\(wait)",
            ])
    }

    private func handle(_ events: [RemoteEvent], of keyspace: Keyspace, whole: Bool) async throws {
        if context.status.current.paused.contains(.pull) { throw PullPaused() }
        var entries: [ObservedEntry] = []
        for event in events {
            switch event {
            case .snapshotBegan:
                try await observe(entries)
                entries = []
                if case .records = keyspace, view.withLock({ $0.known == nil }) { try await noteKnown(keyspace) }
                snapshotBegan(keyspace, whole: whole)
            case .snapshotEntry(let entry), .changed(let entry):
                entries.append(observed(entry, in: keyspace))
            case .snapshotEnded(let count):
                try await observe(entries)
                entries = []
                try await snapshotEnded(keyspace, entries: count, whole: whole)
            case .touched(let key):
                guard let id = RecordID(key) else { continue }
                work.withLock { $0.hint(id, .init(nonCanonicalKey: id.description == key ? nil : key)) }
            }
        }
        try await observe(entries)
        noteUnconfirmed()
        noteActivity.yield()
        scheduleWork()
    }

    /// An absence on the tombstones' keyspace is the absence of a tombstone.
    private func observed(_ entry: RemoteEntry, in keyspace: Keyspace) -> ObservedEntry {
        var observed = reader.read(entry)
        if case .tombstones = keyspace, observed.isAbsent { observed.value = .tombstone(nil) }
        view.withLock { view in
            if case .records = keyspace, let id = observed.id {
                view.shown?.insert(id)
                view.completeSnapshot?.shown.insert(id)
            }
            if let time = entry.serverTime { view.newestTime[keyspace] = max(view.newestTime[keyspace] ?? 0, time) }
        }
        return observed
    }

    private func snapshotBegan(_ keyspace: Keyspace, whole: Bool) {
        setStream(keyspace, .snapshot)
        view.withLock { view in
            if case .records = keyspace { view.shown = whole ? [] : nil } else { view.tombstonesLive = false }
        }
    }

    private func snapshotEnded(_ keyspace: Keyspace, entries: Int, whole: Bool) async throws {
        setStream(keyspace, .live)
        succeeded(writing: false)
        context.logger.info(
            "A snapshot was merged",
            metadata: [
                "event": "snapshot.merged", "collection": "\(id)", "keyspace": "\(keyspace.word)",
                "entries": "\(entries)",
            ])
        switch keyspace {
        case .tombstones:
            view.withLock { $0.tombstonesLive = true }
            work.withLock { $0.tombstonesMerged = true }
        case .records:
            view.withLock { view in
                if whole, let shown = view.shown {
                    view.completeSnapshot = CompleteSnapshot(shown: shown, known: view.known ?? [])
                    view.known = nil
                }
                view.shown = nil
            }
            if !whole {
                work.withLock { $0.recordsMerged = true }
                try await reconcileKeys()
            }
        }
        try await processMissing()
        if work.withLock({ $0.mayPush && $0.hints.isEmpty }) { try await retryUnknownRecords() }
        try await saveCursor(of: keyspace)
    }
}

extension Keyspace {
    /// What the keyspace is called in the log.
    fileprivate var word: String {
        switch self {
        case .records: "records"
        case .tombstones: "tombstones"
        }
    }
}
