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
    var newest: [Shelf: UInt64] = [:]
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
    func listen(to shelf: Shelf) async {
        var backoff = Backoff()
        while !Task.isCancelled {
            if context.board.current.paused.contains(.pull) {
                setStream(shelf, .down)
                await untilResumed()
                continue
            }
            setStream(shelf, .connecting)
            var wait: Duration = .zero
            do {
                let cursor = try await cursor(of: shelf)
                try await noteBased(shelf)
                try await context.remote.listen(to: shelf, after: cursor) { events in
                    try await self.handle(events, of: shelf, whole: cursor == nil)
                }
                wait = backoff.failed(random: .random(in: 0...1))
            } catch is CancellationError {
                return
            } catch is PullPaused {
                wait = .zero
            } catch let error as RemoteError where error.code == .tokenEnded {
                wait = .zero
            } catch {
                if stream(shelf) == .live { backoff.succeeded() }
                wait = backoff.failed(retryAfter: (error as? RemoteError)?.retryAfter, random: .random(in: 0...1))
                noteStreamDown(shelf, error, wait)
            }
            closed(shelf)
            if wait > .zero, !Task.isCancelled { await alarm.wait(for: wait) }
        }
    }

    /// Notes what the base knows before a stream is opened: what is pushed meanwhile may be missing from its snapshot.
    private func noteBased(_ shelf: Shelf) async throws {
        guard case .records = shelf, pull == .full else { return }
        let based = Set(try await context.store.read { [id] in try $0.basedIDs(in: id) })
        view.withLock { $0.based = based }
    }

    /// Waits while the pull is paused; a resume between two looks is not missed.
    private func untilResumed() async {
        let alarm = Alarm()
        let number = context.board.waiters.add(alarm)
        while context.board.current.paused.contains(.pull), !Task.isCancelled { await alarm.wait(for: nil) }
        context.board.waiters.remove(number)
    }

    private func stream(_ shelf: Shelf) -> RemoteStatus.Stream? { context.board.current.streams[shelf] }

    func setStream(_ shelf: Shelf, _ state: RemoteStatus.Stream) {
        context.board.update { $0.streams[shelf] = state }
    }

    private func closed(_ shelf: Shelf) {
        setStream(shelf, .down)
        view.withLock { view in
            switch shelf {
            case .tombstones: view.tombstonesLive = false
            case .records:
                // The next stream shows a snapshot of its own; by then this one is old.
                view.seen = nil
                view.complete = nil
            }
        }
    }

    private func noteStreamDown(_ shelf: Shelf, _ error: any Error, _ wait: Duration) {
        let known = noteFailure(error, retryIn: wait)
        context.logger.log(
            level: known ? .debug : .warning, "The stream is down",
            metadata: [
                "event": "stream.down", "collection": "\(id)", "shelf": "\(shelf.word)",
                "code": "\((error as? RemoteError)?.code.word ?? "unknown")", "reason": "\(error)",
                "retryIn": "\(wait)",
            ])
    }

    private func handle(_ events: [RemoteEvent], of shelf: Shelf, whole: Bool) async throws {
        if context.board.current.paused.contains(.pull) { throw PullPaused() }
        var entries: [SeenEntry] = []
        for event in events {
            switch event {
            case .snapshotBegan:
                try await take(entries)
                entries = []
                if case .records = shelf, view.withLock({ $0.based == nil }) { try await noteBased(shelf) }
                snapshotBegan(shelf, whole: whole)
            case .snapshotEntry(let entry), .changed(let entry):
                entries.append(seen(entry, in: shelf))
            case .snapshotEnded(let count):
                try await take(entries)
                entries = []
                try await snapshotEnded(shelf, entries: count, whole: whole)
            case .touched(let key):
                guard let id = RecordID(key) else { continue }
                work.withLock { $0.hint(id, .init(oddKey: id.description == key ? nil : key)) }
            }
        }
        try await take(entries)
        noteUnconfirmed()
        quiet.ring()
        wake()
    }

    /// An absence on the tombstones' shelf is the absence of a tombstone.
    private func seen(_ entry: RemoteEntry, in shelf: Shelf) -> SeenEntry {
        var seen = reader.read(entry)
        if case .tombstones = shelf, seen.isAbsent { seen.sight = .tombstone(nil) }
        view.withLock { view in
            if case .records = shelf, let id = seen.id {
                view.seen?.insert(id)
                view.complete?.seen.insert(id)
            }
            if let time = entry.serverTime { view.newest[shelf] = max(view.newest[shelf] ?? 0, time) }
        }
        return seen
    }

    private func snapshotBegan(_ shelf: Shelf, whole: Bool) {
        setStream(shelf, .snapshot)
        view.withLock { view in
            if case .records = shelf { view.seen = whole ? [] : nil } else { view.tombstonesLive = false }
        }
    }

    private func snapshotEnded(_ shelf: Shelf, entries: Int, whole: Bool) async throws {
        setStream(shelf, .live)
        succeeded(writing: false)
        context.logger.info(
            "A snapshot was merged",
            metadata: [
                "event": "snapshot.merged", "collection": "\(id)", "shelf": "\(shelf.word)", "entries": "\(entries)",
            ])
        switch shelf {
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
        try await saveCursor(of: shelf)
    }
}

extension Shelf {
    /// What the shelf is called in the log.
    fileprivate var word: String {
        switch self {
        case .records: "records"
        case .tombstones: "tombstones"
        }
    }
}
