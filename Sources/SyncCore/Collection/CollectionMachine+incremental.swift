package import SyncModel

/// What only `pull: incremental` needs: the first load in pages, and comparing the keys of both sides now and then.
extension CollectionMachine {
    /// Milliseconds.
    static let day: UInt64 = 86_400_000
    /// A write that was on its way when the first page was asked for may carry an earlier time than that. Who says what time it
    /// is need not be the database, but a proxy before it: as far as clocks may differ unnoticed comes on top.
    private static let overlap: UInt64 = 10_000

    /// The first load asks for pages by key; the cursor then starts at the server's time when the first page was asked for.
    mutating func beginFirstLoad<Book>(_ keyspace: Keyspace, _ step: inout Step<Book>) {
        if step.time.serverIsKnown { return loadFirstPage(keyspace, &step) }
        // This machine's clock may be ahead, and what was written in between would never be asked for.
        let number = streams[keyspace]?.number ?? 0
        send(.serverTime(keyspace, stream: number), .readRange(from: nil, through: nil, limit: 1, keyspace), &step)
    }

    mutating func loadFirstPage<Book>(_ keyspace: Keyspace, _ step: inout Step<Book>) {
        notePhase(.snapshot, keyspace, &step)
        streams[keyspace]?.resume(at: nil)
        if case .tombstones = keyspace { peers.shown = ShownTombstones(rows: RowSet(), ids: []) }
        // By the clock that is behind, where the two can't agree: what is shown twice does no harm.
        let policy = step.time.policy
        let known = policy.isClockWrong ? min(policy.wall, policy.serverNow) : policy.serverNow
        let now = step.time.serverIsKnown ? known : 0
        let overlap = CollectionMachine.overlap + policy.maxAhead
        let began = now > overlap ? now - overlap : 0
        loadPage(keyspace, from: nil, began: began, &step)
    }

    mutating func loadPage<Book>(
        _ keyspace: Keyspace, from first: String?, began: UInt64, _ step: inout Step<Book>
    ) {
        let stream = streams[keyspace] ?? StreamState()
        let limit = stream.pageSize.limit
        send(
            .firstLoad(keyspace, stream: stream.number, from: first, limit: limit, began: began),
            .readRange(from: first, through: nil, limit: limit, keyspace), &step)
    }

    /// A page has not come. One that is refused or cut may have been too long, for the remote or for a proxy. The pages before
    /// it are not asked for again.
    mutating func firstLoadFailed<Book>(
        _ keyspace: Keyspace, from first: String?, limit: Int, began: UInt64, _ error: RemoteError,
        _ step: inout Step<Book>
    ) {
        let isRefused = error.code == .tooLarge || error.code == .refused
        if isRefused || error.code == .outcomeUnknown { streams[keyspace]?.pageSize.failed(at: limit) }
        if isRefused, limit > 1 { return loadPage(keyspace, from: first, began: began, &step) }
        if isRefused, case .records = keyspace {
            let number = streams[keyspace]?.number ?? 0
            let kind = Job.Kind.firstLoadKeys(keyspace, stream: number, from: first, began: began)
            return send(kind, .keys(keyspace), &step)
        }
        firstLoadWaits(keyspace, from: first, began: began, error, &step)
    }

    mutating func firstLoadWaits<Book>(
        _ keyspace: Keyspace, from first: String?, began: UInt64, _ error: RemoteError, _ step: inout Step<Book>
    ) {
        streams[keyspace]?.retryAt = step.time.monotonic
        streams[keyspace]?.firstLoad = FirstLoadPlace(first: first, began: began)
        failedForAll(error, &step)
    }

    /// A record alone is more than is let through, and no page tells which. What is left to be loaded is read key by key: then
    /// that one is named.
    mutating func firstLoad<Book>(
        _ keyspace: Keyspace, from first: String?, began: UInt64, answered keys: [String], _ step: inout Step<Book>
    ) throws {
        remoteIsEmpty = keys.isEmpty
        for key in keys {
            let isLoaded = !rules.key.isKeyed && first.map { key.utf8.lexicographicallyPrecedes($0.utf8) } ?? false
            guard !isLoaded else { continue }
            guard let id = rules.recordID(of: key) else {
                try takeStray(step.reader.read(present: key, in: keyspace), &step)
                continue
            }
            try hint(at: key, of: id, &step)
        }
        try endFirstLoad(keyspace, began: began, &step)
    }

    mutating func firstLoad<Book>(
        _ keyspace: Keyspace, began: UInt64, answered page: RemotePage, _ step: inout Step<Book>
    ) throws {
        var gone: [RecordID] = []
        if case .records = keyspace { remoteIsEmpty = began > 0 && page.entries.isEmpty && page.next == nil }
        for shown in page.entries {
            let entry = try judged(step.reader.read(shown, in: keyspace), step)
            guard let id = entry.id else {
                try takeStray(entry, &step)
                continue
            }
            streams[keyspace]?.noteLoaded(entry, step.time.policy)
            var row: Int64?
            if inFlight.contains(id) {
                deferred[id, default: []].append((keyspace, entry))
            } else {
                row = try observe(entry, id, keyspace, gone: &gone, &step)
            }
            if case .tombstones = keyspace { noteShown(tombstone: id, row: row, keyspace) }
        }
        step.note(.ingested(page.entries.count))
        if let next = page.next {
            streams[keyspace]?.pageSize.answered()
            return loadPage(keyspace, from: next, began: began, &step)
        }
        try endFirstLoad(keyspace, began: began, &step)
    }

    private mutating func endFirstLoad<Book>(
        _ keyspace: Keyspace, began: UInt64, _ step: inout Step<Book>
    ) throws {
        // How much apps have changed is known when all is loaded.
        try judgeForeignChanges(keyspace, &step)
        // What the pages hinted at is not read yet: were the cursor stored and the daemon killed now, it would never be.
        hints.holdBack(keyspace)
        streams[keyspace]?.loaded(since: began)
        listen(keyspace, &step)
    }

    // MARK: Keys

    private var reconciledName: String { CollectionMachine.reconciledName(rules.id) }

    private static func reconciledName(_ collection: CollectionID) -> String { "reconciled.\(collection)" }

    /// Whether it is noted that each collection is kept at this place.
    package static func areNoted(_ places: [CollectionID: String], in book: some RecordBook) throws -> Bool {
        try places.allSatisfy { collection, place in try book.text(placeName(collection)) == place }
    }

    /// Notes where each collection is kept. What was kept elsewhere before is begun anew: how far it was read and when its keys
    /// were compared means nothing at a place where nothing tells a record that was never there from one that was deleted. For
    /// machines that start afterwards.
    package static func note(_ places: [CollectionID: String], in book: some RecordBook) throws {
        for (collection, place) in places {
            let last = try book.text(placeName(collection))
            guard last != place else { continue }
            try book.setText(placeName(collection), place)
            if let last { try forgetProgress(of: collection, from: last, to: place, in: book) }
        }
    }

    private static func placeName(_ collection: CollectionID) -> String { "place.\(collection)" }

    private static func forgetProgress(
        of collection: CollectionID, from last: String, to place: String, in book: some RecordBook
    ) throws {
        try forgetProgress(of: collection, in: book)
        // Back where it was before anything was read elsewhere, it has not moved.
        let known = try book.text(movedName(collection)) ?? ""
        let first = known.isEmpty ? last : known
        try book.setText(movedName(collection), first == place ? "" : first)
    }

    /// Everything is loaded anew, and the keys are compared, also after the next start.
    static func forgetProgress(of collection: CollectionID, in book: some RecordBook) throws {
        for keyspace in [Keyspace.records(collection), .tombstones(collection)] {
            try book.setText(cursorName(keyspace), "")
        }
        try book.setText(reconciledName(collection), "0")
    }

    /// When the keys are compared next: once a day.
    mutating func loadReconciliation<Book>(_ step: inout Step<Book>) throws {
        guard settings.pull == .incremental else { return }
        let stored = try step.book.text(reconciledName).flatMap { UInt64($0) }
        if stored == nil { try noteReconciled(&step) }
        let now = step.time.wall
        // This machine's clock may have been ahead then: nobody knows how long ago that was.
        let passed = stored.map { $0 > now ? CollectionMachine.day : now - $0 } ?? 0
        reconcileAt = step.time.monotonic + CollectionMachine.day - min(passed, CollectionMachine.day)
    }

    private func noteReconciled<Book>(_ step: inout Step<Book>) throws {
        try step.book.setText(reconciledName, String(step.time.wall))
    }

    /// Without tombstones nothing else tells what is gone: both sides are equal only once their keys are compared.
    mutating func awaitKeys(at now: UInt64) {
        guard settings.pull == .incremental, !settings.keepsTombstones else { return }
        (reconcileAt, keysAreAwaited) = (now, true)
    }

    mutating func sendReconciliation<Book>(_ step: inout Step<Book>) {
        // Whether the remote was set back is known first. One list at a time: what is written and shown meanwhile is noted for
        // that one.
        guard let due = reconcileAt, due <= step.time.monotonic, mayPush, knowsOwnEntry, seenSinceKeys == nil else {
            return
        }
        reconcileAt = settings.pull == .incremental ? step.time.monotonic + CollectionMachine.day : nil
        seenSinceKeys = []
        send(.reconcile, .keys(.records(rules.id)), &step)
    }

    /// Finds what was deleted without a tombstone, or never seen, while only changes were pulled.
    mutating func reconciled<Book>(_ keys: [String], _ step: inout Step<Book>) throws {
        // They were asked for before everything was to be loaded anew, and are compared with that.
        guard mayPush || !isComparing else {
            (reconcileAt, seenSinceKeys) = (step.time.monotonic, nil)
            return
        }
        var shown = RowSet()
        var shownIDs = seenSinceKeys ?? []
        seenSinceKeys = nil
        var strayKeys: Set<String> = []
        for key in keys {
            guard let id = rules.recordID(of: key) else {
                strayKeys.insert(key)
                continue
            }
            let stored = try step.book.record(self.key(id))
            let isKnown = stored.state.remote != nil
            if isKnown, let row = stored.row { shown.insert(row) } else { shownIDs.insert(id) }
            // What is there again waits for nobody.
            let isBack = try isKnown && waitsForPerson(self.key(id), step.book)
            if !isKnown || isBack || stored.state.keyInRemote != key { try hint(at: key, of: id, &step) }
        }
        // Whoever has asked since they were waits for the next ones.
        keysAreAwaited = keysAreAwaited && reconcileAt.map { $0 <= step.time.monotonic } ?? false
        completeSnapshot = CompleteSnapshot(
            shown: shown, shownIDs: shownIDs, isEmpty: keys.isEmpty, strayKeys: strayKeys, list: keys)
        try processMissing(&step)
        try noteReconciled(&step)
        try lookForSetBack(among: keys, &step)
    }
}
