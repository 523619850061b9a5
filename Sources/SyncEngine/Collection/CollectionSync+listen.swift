internal import ControlAPI
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// What the streams of a collection have shown, beyond what the store keeps.
struct RemoteView: Sendable {
    /// While a snapshot of the records is coming in: the records it has shown.
    var seen: Set<RecordID>?
    /// What the base knew before the present snapshot was asked for: only that can be missing from it. Nil once that
    /// snapshot has begun: a later one on the same stream shows all that was known when it came.
    var based: Set<RecordID>?
    /// A whole snapshot has come in, and the missing ones are not dealt with yet.
    var complete: CompleteSnapshot?
    /// The stream of the tombstones has delivered its snapshot and is live.
    var tombstonesLive = false
    /// The highest server time of a write seen, per stream.
    var newest: [Keyspace: UInt64] = [:]
}

/// A whole snapshot, as far as it matters for what is missing from it.
struct CompleteSnapshot: Sendable {
    /// The records it showed.
    var seen: Set<RecordID>
    /// The records the base knew before it was asked for.
    var based: Set<RecordID>
}

/// The stream is closed because a person paused the pull.
struct PullPaused: Error {}

extension CollectionSync {
    /// Keeps one stream open until cancelled.
    func listen(to keyspace: Keyspace) async {
        var backoff = Backoff()
        while !Task.isCancelled {
            if context.board.current.paused.contains(.pull) {
                setStream(keyspace, .down)
                await untilResumed()
                continue
            }
            setStream(keyspace, .connecting)
            var wait: Duration = .zero
            do {
                let cursor = try await cursor(of: keyspace)
                try await noteBased(keyspace)
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
            if wait > .zero, !Task.isCancelled { await signal.wait(for: wait) }
        }
    }

    /// Notes what the base knows before a stream is opened: what is pushed meanwhile may be missing from its snapshot.
    private func noteBased(_ keyspace: Keyspace) async throws {
        guard case .records = keyspace, pull == .full else { return }
        let based = Set(try await context.store.read { [id] in try $0.basedIDs(in: id) })
        view.withLock { $0.based = based }
    }

    /// Waits while the pull is paused; a resume between two looks is not missed.
    private func untilResumed() async {
        let signal = Signal()
        let number = context.board.waiters.add(signal)
        while context.board.current.paused.contains(.pull), !Task.isCancelled { await signal.wait(for: nil) }
        context.board.waiters.remove(number)
    }

    private func stream(_ keyspace: Keyspace) -> RemoteStatus.Stream? { context.board.current.streams[keyspace] }

    func setStream(_ keyspace: Keyspace, _ state: RemoteStatus.Stream) {
        context.board.update { $0.streams[keyspace] = state }
    }

    private func closed(_ keyspace: Keyspace) {
        setStream(keyspace, .down)
        view.withLock { view in
            switch keyspace {
            case .tombstones: view.tombstonesLive = false
            case .records:
                // The next stream shows a snapshot of its own; by then this one is old.
                view.seen = nil
                view.complete = nil
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
        if context.board.current.paused.contains(.pull) { throw PullPaused() }
        var entries: [SeenEntry] = []
        for event in events {
            switch event {
            case .snapshotBegan:
                try await take(entries)
                entries = []
                if case .records = keyspace, view.withLock({ $0.based == nil }) { try await noteBased(keyspace) }
                snapshotBegan(keyspace, whole: whole)
            case .snapshotEntry(let entry), .changed(let entry):
                entries.append(seen(entry, in: keyspace))
            case .snapshotEnded(let count):
                try await take(entries)
                entries = []
                try await snapshotEnded(keyspace, entries: count, whole: whole)
            case .touched(let key):
                guard let id = RecordID(key) else { continue }
                work.withLock { $0.hint(id, .init(oddKey: id.description == key ? nil : key)) }
            }
        }
        try await take(entries)
        noteUnconfirmed()
        quiet.notify()
        wake()
    }

    /// An absence on the tombstones' keyspace is the absence of a tombstone.
    private func seen(_ entry: RemoteEntry, in keyspace: Keyspace) -> SeenEntry {
        var seen = reader.read(entry)
        if case .tombstones = keyspace, seen.isAbsent { seen.sight = .tombstone(nil) }
        view.withLock { view in
            if case .records = keyspace, let id = seen.id {
                view.seen?.insert(id)
                view.complete?.seen.insert(id)
            }
            if let time = entry.serverTime { view.newest[keyspace] = max(view.newest[keyspace] ?? 0, time) }
        }
        return seen
    }

    private func snapshotBegan(_ keyspace: Keyspace, whole: Bool) {
        setStream(keyspace, .snapshot)
        view.withLock { view in
            if case .records = keyspace { view.seen = whole ? [] : nil } else { view.tombstonesLive = false }
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
                if whole, let seen = view.seen {
                    view.complete = CompleteSnapshot(seen: seen, based: view.based ?? [])
                    view.based = nil
                }
                view.seen = nil
            }
            if !whole {
                work.withLock { $0.recordsMerged = true }
                try await reconcileKeys()
            }
        }
        try await dealWithMissing()
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
