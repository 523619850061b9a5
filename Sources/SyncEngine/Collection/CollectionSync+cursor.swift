internal import AsyncAlgorithms
internal import ControlAPI
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

extension CollectionSync {
    private func cursorName(_ keyspace: Keyspace) -> String {
        switch keyspace {
        case .records(let id): "cursor.records.\(id)"
        case .tombstones(let id): "cursor.tombstones.\(id)"
        }
    }

    /// Where a stream goes on; nil for the whole keyspace.
    ///
    /// In incremental mode the first load asks for pages by key, and its cursor starts at the server's time when the
    /// first page was asked for, less an overlap.
    func cursor(of keyspace: Keyspace) async throws -> UInt64? {
        guard pull == .incremental else { return nil }
        let name = cursorName(keyspace)
        if let stored = try await context.store.read({ try $0.value(name) }) {
            return UInt64(String(decoding: stored, as: UTF8.self))
        }
        let overlap: UInt64 = 10_000
        let start = try await serverTime(of: keyspace)
        try await loadPages(of: keyspace)
        let cursor = start > overlap ? start - overlap : 0
        try await store(cursor, name)
        return cursor
    }

    /// The server's time, asked for where no answer has told it yet; 0 where the server does not tell it. This machine's
    /// own clock may be ahead, and what was written in between would never be asked for.
    private func serverTime(of keyspace: Keyspace) async throws -> UInt64 {
        if context.remote.traffic.clockOffset == nil {
            _ = try await context.remote.readRange(from: nil, through: nil, limit: 1, in: keyspace)
        }
        return context.remote.traffic.clockOffset == nil ? 0 : context.time.serverNow
    }

    /// Compares the keys of the remote with the base, at most once a day: finds what was deleted without a tombstone,
    /// or never seen, while only changes were pulled.
    func reconcileKeys() async throws {
        guard pull == .incremental else { return }
        let name = "reconciled.\(id)"
        let now = context.wall()
        let last = try await context.store.read { try $0.value(name) }
        guard let last = last.flatMap({ UInt64(String(decoding: $0, as: UTF8.self)) }) else {
            // The first load has seen every key.
            return try await store(now, name)
        }
        guard now >= last + 86_400_000 else { return }
        let known = Set(try await context.store.read { [id] in try $0.idsInBase(of: id) })
        let keys = try await context.remote.keys(in: .records(id))
        let ids = Set(keys.compactMap { RecordID($0) })
        work.withLock { work in
            for id in ids.subtracting(known) { work.hint(id, .init()) }
        }
        view.withLock { $0.completeSnapshot = CompleteSnapshot(shown: ids, known: known) }
        try await processMissing()
        try await store(now, name)
    }

    /// Reconciles the keys once a day, for as long as the daemon runs.
    func reconcileDaily() async {
        guard pull == .incremental else { return }
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(86_400))
            do { try await reconcileKeys() } catch { failed(error) }
        }
    }

    private func store(_ cursor: UInt64, _ name: String) async throws {
        try await context.commit { try $0.setValue(name, Array(String(cursor).utf8)) }
    }

    private func loadPages(of keyspace: Keyspace) async throws {
        setStream(keyspace, .snapshot)
        var next: String?
        repeat {
            let page = try await page(of: keyspace, from: next)
            try await observe(
                page.entries.map { entry in
                    var observed = reader.read(entry)
                    if case .tombstones = keyspace, observed.isAbsent { observed.value = .tombstone(nil) }
                    return observed
                })
            next = page.next
        } while next != nil
    }

    /// A page of up to 1,000 entries, or of as many as fit into one answer.
    private func page(of keyspace: Keyspace, from first: String?) async throws -> RemotePage {
        var limit = 1000
        while true {
            do {
                return try await context.remote.readRange(from: first, through: nil, limit: limit, in: keyspace)
            } catch let error as RemoteError where error.code == .tooLarge && limit > 1 {
                limit /= 2
            }
        }
    }

    /// Stores how far the stream has been taken: only what is answered counts, so nothing while hints are open.
    ///
    /// A write of the same millisecond as the newest one seen may still come: the cursor includes that millisecond
    /// until the server's clock has certainly left it.
    func saveCursor(of keyspace: Keyspace) async throws {
        guard pull == .incremental, work.withLock({ $0.hints.isEmpty }) else { return }
        guard let newest = view.withLock({ $0.newestTime[keyspace] }) else { return }
        let passed = context.time.serverNow > newest + 1_000
        let cursor = passed ? newest + 1 : newest
        let name = cursorName(keyspace)
        let stored = try await context.store.read { try $0.value(name) }
        guard stored.flatMap({ UInt64(String(decoding: $0, as: UTF8.self)) }) ?? 0 < cursor else { return }
        try await store(cursor, name)
    }

    /// Follows the streams with the cursors, once things have been quiet for a moment; idle stays idle.
    func followCursors() async {
        guard pull == .incremental else { return }
        for await _ in streamActivity.debounce(for: .seconds(2)) {
            for keyspace in keyspaces { try? await saveCursor(of: keyspace) }
        }
    }
}
