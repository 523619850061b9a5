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

    /// One that stays open and shows nothing of what stands there is no use.
    mutating func endSilentStreams<Book>(_ step: inout Step<Book>) throws {
        for keyspace in settings.keyspaces(of: id) {
            guard let end = streams[keyspace]?.showsUntil, end <= step.time.monotonic else { continue }
            step.effects.append(.close(keyspace))
            let words = "it has shown nothing of what stands there for \(StreamState.snapshotPatience / 1000) s"
            try streamEnded(keyspace, RemoteError(.streamEnded, words), &step)
        }
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
        _ shown: ObservedEntry, of keyspace: Keyspace, gone: inout [RecordID], _ step: inout Step<Book>
    ) throws {
        let entry = try judged(shown, step)
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
        try noteSecondKeyGone(entry, id, after: gone, step)
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

    /// What has changed while no stream was open is shown.
    private mutating func changesMerged(_ keyspace: Keyspace, at monotonic: UInt64) {
        recordsMerged = true
        let isAllThere = streams[keyspace]?.awaited.isEmpty == true
        if isAllThere { streams[keyspace]?.forgetOlderChange() }
        if !isComparing, isAllThere || !settings.keepsTombstones {
            hintUnechoed()
        } else {
            streams[keyspace]?.isJudged = false
        }
        // Of what was deleted meanwhile.
        awaitKeys(at: monotonic)
    }

    private mutating func snapshotEnded<Book>(
        _ keyspace: Keyspace, entries: Int, _ step: inout Step<Book>
    ) throws {
        guard var stream = streams[keyspace] else { return }
        stream.phase = .live
        stream.noteServerTime(step.time.policy)
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
            changesMerged(keyspace, at: step.time.monotonic)
        }
        try processMissing(&step)
        try lookForSetBack(&step)
        try retryUnknownRecords(&step)
    }
}
