internal import SyncModel

/// Streams: opening them, what they show, and how far their cursors may go.
extension CollectionMachine {
    /// Opens the streams whose time has come. In incremental mode the first load comes before, in pages.
    mutating func openStreams<Book>(_ step: inout Step<Book>) {
        guard !paused.contains(.pull) else { return }
        for keyspace in settings.keyspaces(of: id) {
            guard let stream = streams[keyspace], let retryAt = stream.retryAt, retryAt <= step.time.monotonic else {
                continue
            }
            streams[keyspace]?.retryAt = nil
            notePhase(.connecting, keyspace, &step)
            if settings.pull == .full || stream.cursor != nil {
                listen(keyspace, &step)
            } else if let place = stream.firstLoad {
                streams[keyspace]?.firstLoad = nil
                loadPage(keyspace, from: place.first, began: place.began, &step)
            } else {
                beginFirstLoad(keyspace, &step)
            }
        }
    }

    mutating func listen<Book>(_ keyspace: Keyspace, _ step: inout Step<Book>) {
        guard var stream = streams[keyspace] else { return }
        stream.open(isWhole: settings.pull == .full, at: step.time.monotonic)
        streams[keyspace] = stream
        step.effects.append(.listen(keyspace, stream: stream.number, after: stream.isWhole ? nil : stream.cursor))
    }

    func notePhase<Book>(_ phase: StreamPhase, _ keyspace: Keyspace, _ step: inout Step<Book>) {
        step.note(.stream(keyspace, phase))
    }

    /// In milliseconds: what ends a token sooner ends the next one too, as far as anybody knows.
    static let leastTokenLife: UInt64 = 60_000
    /// A stream that shows what happens for this long, in milliseconds, has not failed.
    static let leastLife: UInt64 = 10_000

    mutating func streamEnded<Book>(_ keyspace: Keyspace, _ error: RemoteError, _ step: inout Step<Book>) throws {
        let wasLive = streams[keyspace]?.phase == .live
        try close(keyspace, &step)
        guard var stream = streams[keyspace], !paused.contains(.pull) else { return }
        if error.code == .tokenEnded, step.time.monotonic >= stream.openedAt + CollectionMachine.leastTokenLife {
            stream.retryAt = step.time.monotonic
        } else {
            var wait = stream.backoff.failed(retryAfter: error.retryAfter, random: step.time.random)
            if wasLive, step.time.monotonic < stream.liveSince + CollectionMachine.leastLife {
                // One that is cut whenever it has shown everything would show it over and over.
                wait = max(wait, stream.shortLives.failed(random: step.time.random))
            } else if wasLive {
                stream.shortLives.succeeded()
            }
            stream.retryAt = step.time.monotonic + wait.milliseconds
            step.note(.streamDown(keyspace, error, retryIn: wait.milliseconds))
        }
        streams[keyspace] = stream
    }

    /// The stream is no more. The next one shows a snapshot of its own; by then an unfinished one is old.
    mutating func close<Book>(_ keyspace: Keyspace, _ step: inout Step<Book>) throws {
        guard var stream = streams[keyspace] else { return }
        if case .records = keyspace, stream.phase == .live { try noteWatched(&step) }
        stream.phase = .down
        stream.number += 1
        stream.retryAt = nil
        stream.begin()
        streams[keyspace] = stream
        if case .records = keyspace {
            compareAgain(&step)
            completeSnapshot = nil
            forgetOwnEntry()
        }
        notePhase(.down, keyspace, &step)
    }

    /// What a stream has shown.
    mutating func take<Book>(_ events: [RemoteEvent], of keyspace: Keyspace, _ step: inout Step<Book>) throws {
        var gone: [RecordID] = []
        let strayKeys = streams[keyspace]?.strayKeys
        for event in events {
            switch event {
            case .snapshotBegan:
                streams[keyspace]?.begin()
                streams[keyspace]?.phase = .snapshot
                if case .records = keyspace { try showsAnew(&step) }
                notePhase(.snapshot, keyspace, &step)
            case .snapshotEntry(let entry), .changed(let entry):
                try take(step.reader.read(entry, in: keyspace), of: keyspace, gone: &gone, &step)
            case .echoed(let elements, let time):
                try take(echoed: elements, at: time, of: keyspace, gone: &gone, &step)
            case .replaced(let key, let present):
                if case .records = keyspace { try take(replaced: key, by: present, gone: &gone, &step) }
            case .touched(let key):
                if case .records = keyspace { try touch(key, &step) }
            case .snapshotEnded(let entries):
                try judge(disappeared: &gone, &step)
                try snapshotEnded(keyspace, entries: entries, &step)
                try judgeForeignChanges(keyspace, &step)
            }
        }
        try judge(disappeared: &gone, &step)
        if case .records = keyspace, streams[keyspace]?.strayKeys != strayKeys { try judgeStrays(&step) }
        step.note(.ingested(events.entryCount))
    }

    /// Something below a key changed, which only apps do; where that is only the beginning of keys, below all that is known
    /// there.
    private mutating func touch<Book>(_ key: String, _ step: inout Step<Book>) throws {
        if let id = rules.recordID(of: key) {
            let state = try step.book.record(self.key(id)).state
            guard state.remote != nil, state.keyInRemote == key else { return try hint(at: key, of: id, &step) }
            return touch(id, &step)
        }
        guard rules.key.isKeyed else { return }
        try releaseStrays(below: key, &step)
        for id in try step.book.records(of: rules.id, under: key) {
            if try step.book.record(self.key(id)).state.remote != nil || inFlight.contains(id) {
                touch(id, &step)
            } else {
                try lookAtUnreadable(id, &step)
            }
        }
    }

    private mutating func releaseStrays<Book>(
        below key: String, but present: [String] = [], _ step: inout Step<Book>
    ) throws {
        guard rules.key.isKeyed, key.split(separator: "/").count < rules.key.depth else { return }
        try releaseStrays(from: key, but: Set(present), &step)
    }

    /// What stood below a key, and does not now, is gone; of what was edited, or is in flight, a read tells.
    private mutating func take<Book>(
        replaced key: String, by present: [String], gone: inout [RecordID], _ step: inout Step<Book>
    ) throws {
        guard rules.key.isKeyed else { return }
        try releaseStrays(below: key, but: present, &step)
        let present = Set(present.compactMap { rules.recordID(of: $0) })
        for id in try step.book.records(of: rules.id, under: key) where !present.contains(id) {
            let state = try step.book.record(self.key(id)).state
            // What is in flight may have been there, and is not now.
            guard state.remote != nil || inFlight.contains(id) else {
                try lookAtUnreadable(id, &step)
                continue
            }
            if !inFlight.contains(id), state.wouldBeDeletedWithoutTombstone {
                hint(id, Hint())
                gone.append(id)
            } else {
                touch(id, &step)
            }
        }
    }

    /// What could not be read of a record may be gone, or readable: a read tells.
    private mutating func lookAtUnreadable<Book>(_ id: RecordID, _ step: inout Step<Book>) throws {
        if try !items(named: id.description, areTombstones: false, step.book).isEmpty { hint(id, Hint()) }
    }

    mutating func take<Book>(
        _ entry: ObservedEntry, of keyspace: Keyspace, gone: inout [RecordID], _ step: inout Step<Book>
    ) throws {
        streams[keyspace]?.note(entry, step.time.policy, at: step.time.monotonic)
        if !entry.isAbsent { try releaseStrays(above: entry.key, &step) }
        guard let id = entry.id else {
            if entry.isAbsent {
                streams[keyspace]?.strayKeys.remove(entry.key)
            } else {
                streams[keyspace]?.strayKeys.insert(entry.key)
            }
            return try takeStray(entry, &step)
        }
        if inFlight.contains(id) {
            deferred[id, default: []].append((keyspace, entry))
            noteShown(id, row: nil, keyspace)
            return
        }
        let row = try observe(entry, id, keyspace, gone: &gone, &step)
        noteShown(id, row: row, keyspace)
    }

    private mutating func noteShown(_ id: RecordID, row: Int64?, _ keyspace: Keyspace) {
        guard case .records = keyspace else {
            noteShown(tombstone: id, row: row, keyspace)
            return
        }
        seenSinceKeys?.insert(id)
        if completeSnapshot != nil {
            if let row { completeSnapshot?.shown.insert(row) } else { completeSnapshot?.shownIDs.insert(id) }
        }
        guard streams[keyspace]?.phase == .snapshot, streams[keyspace]?.isWhole == true else { return }
        if let row { streams[keyspace]?.shown.insert(row) } else { streams[keyspace]?.shownIDs.insert(id) }
    }

    private mutating func snapshotEnded<Book>(
        _ keyspace: Keyspace, entries: Int, _ step: inout Step<Book>
    ) throws {
        guard var stream = streams[keyspace] else { return }
        stream.phase = .live
        stream.backoff.succeeded()
        stream.liveSince = step.time.monotonic
        streams[keyspace] = stream
        notePhase(.live, keyspace, &step)
        step.note(.succeeded(writing: false))
        step.note(.snapshotMerged(keyspace, entries: entries))
        if case .records = keyspace {
            try noteWatched(&step)
            try queueWhatLackedKeys(&step)
        }
        switch keyspace {
        case .tombstones:
            if stream.isWhole {
                try releaseGoneTombstones(&step)
                peers.shown = ShownTombstones(rows: stream.shown, ids: stream.shownIDs)
            }
            peers.wantsHorizon = true
        case .records where stream.isWhole:
            completeSnapshot = CompleteSnapshot(
                shown: stream.shown, shownIDs: stream.shownIDs, isEmpty: stream.entries == 0,
                strayKeys: stream.strayKeys, times: stream.times)
            streams[keyspace]?.times = []
            streams[keyspace]?.shown = RowSet()
            streams[keyspace]?.shownIDs = []
        case .records:
            recordsMerged = true
            // Whatever was acknowledged before this stream was opened, and is not in it, may be gone since.
            for id in unechoed.keys.sorted() { hint(id, Hint(isUnechoed: true)) }
            // Without tombstones nothing else tells what was deleted while no stream was open.
            if !settings.keepsTombstones { reconcileAt = step.time.monotonic }
        }
        try processMissing(&step)
        try lookForSetBack(&step)
        try retryUnknownRecords(&step)
    }

    // MARK: Cursors

    static func cursorName(_ keyspace: Keyspace) -> String {
        switch keyspace {
        case .records(let id): "cursor.records.\(id)"
        case .tombstones(let id): "cursor.tombstones.\(id)"
        }
    }

    func storedPlace(_ keyspace: Keyspace, _ book: some RecordBook) throws -> StreamPlace? {
        guard settings.pull == .incremental else { return nil }
        return try book.text(CollectionMachine.cursorName(keyspace)).flatMap { StreamPlace($0) }
    }

    /// Stores how far each stream has been taken, with what it stands for: a low-water mark over everything that it has
    /// shown and that is not dealt with. Within a snapshot, which does not come in the order of times, it does not move.
    ///
    /// It includes the millisecond of the newest write seen: another write of the same millisecond may still come.
    func lowWater(_ keyspace: Keyspace) -> UInt64? {
        guard let stream = streams[keyspace], stream.phase == .live, var mark = stream.newest else { return nil }
        // So many are soon fewer: until then it stays where it is.
        guard hints.count < 1000 else { return nil }
        if let unread = stream.unread.lowest { mark = min(mark, unread - min(unread, 1)) }
        let waiting = stream.foreignChanges.floor(of: keyspace)
        for floor in [hints.floor(of: keyspace), requests.floor(of: keyspace), waiting] {
            mark = min(mark, floor ?? mark)
        }
        for entries in deferred.values {
            for (shownIn, entry) in entries where shownIn == keyspace { mark = min(mark, entry.serverTime ?? 0) }
        }
        return mark
    }

    mutating func saveCursors<Book>(_ step: inout Step<Book>) throws {
        // Were the daemon killed before the keys are compared, it would never compare them.
        guard settings.pull == .incremental, !isComparing, !isNewestAwaited else { return }
        for keyspace in settings.keyspaces(of: id) {
            guard let stream = streams[keyspace], stream.newest ?? 0 > stream.stored ?? 0 else { continue }
            guard let mark = lowWater(keyspace), mark > stream.stored ?? 0 else { continue }
            guard let place = streams[keyspace]?.reached(mark) else { continue }
            try step.book.setText(CollectionMachine.cursorName(keyspace), place.description)
        }
    }
}

extension Job {
    /// What the cursor must not pass while the request is in flight.
    func floor(of keyspace: Keyspace) -> UInt64? { Job.floor(of: keyspace, kind) }

    private static func floor(of keyspace: Keyspace, _ kind: Kind) -> UInt64? {
        switch kind {
        case .readNobodys(let kind, _): floor(of: keyspace, kind)
        case .read(_, let hint), .readTombstone(_, let hint, _): hint.floors[keyspace]
        case .readDuplicate(let second), .removeDuplicate(let second): second.floors[keyspace]
        case .readPage(let hints): hints.compactMap { $0.hint.floors[keyspace] }.min()
        default: nil
        }
    }
}
