internal import SyncModel

/// Where only changes are shown, a remote that was set back to an older state shows nothing of that. But the newest that it
/// had shown stands there no more then, at least not as it was (`docs/protocol.md` section 8).
extension CollectionMachine {
    /// What is gone without a tombstone, or a tombstone that is gone and has not ended, tells.
    mutating func lookForSetBack<Book>(_ step: inout Step<Book>) throws {
        guard settings.pull == .incremental, settings.keepsTombstones, !peers.isRebuilding,
            !peers.wantsHorizon, !peers.asksHorizon,
            settings.keyspaces(of: id).allSatisfy({ streams[$0]?.phase == .live }),
            isNewestAwaited || streams[.records(rules.id)]?.isJudged == false
        else { return }
        var missing: (keyspace: Keyspace, id: RecordID)?
        for keyspace in settings.keyspaces(of: id) {
            for awaited in takeAwaited(keyspace) {
                let state = try step.book.record(key(awaited.id)).state
                let isExplained =
                    switch keyspace {
                    case .records: inFlight.contains(awaited.id) || state.remote == nil || state.deletionIsStamped
                    case .tombstones: state.tombstone.map { $0.stamp <= peers.horizon ?? .zero } ?? true
                    }
                if awaited.isOlder || !isExplained { missing = (keyspace, awaited.id) }
            }
        }
        streams[.records(rules.id)]?.isJudged = true
        if let missing { return try takeForSetBack(missing.keyspace, missing.id, &step) }
        streams[.records(rules.id)]?.forgetOlderChange()
        hintUnechoed()
    }

    /// Whatever was acknowledged before the stream was opened, and is not in it, may be gone since: a read tells, where the
    /// remote was not set back.
    mutating func hintUnechoed() {
        for id in unechoed.keys.sorted() { hint(id, Hint(isUnechoed: true)) }
    }

    /// The same where no tombstones are kept, and nothing explains what is gone: what stands there, though the stream has not
    /// shown it, is older than it was.
    mutating func lookForSetBack<Book>(among keys: [String], _ step: inout Step<Book>) throws {
        let keyspace = Keyspace.records(rules.id)
        // One that is just being opened has not shown yet what there is to see: the keys are compared once more when it has.
        guard !settings.keepsTombstones, !peers.isRebuilding, streams[keyspace]?.phase == .live else { return }
        for awaited in takeAwaited(keyspace) {
            let state = try step.book.record(key(awaited.id)).state
            let isThere = state.remote != nil && keys.contains(state.keyInRemote)
            guard awaited.isOlder || isThere && !inFlight.contains(awaited.id) else { continue }
            return try takeForSetBack(keyspace, awaited.id, &step)
        }
    }

    /// What a stream has not shown, though it was there; it is judged now.
    private mutating func takeAwaited(_ keyspace: Keyspace) -> [AwaitedWrites.Write] {
        streams[keyspace]?.awaited.take() ?? []
    }

    /// Whether one of the streams has not shown the newest it had shown before, and it is not known yet what that means: no
    /// cursor may go beyond it.
    var isNewestAwaited: Bool {
        settings.keyspaces(of: id).contains { streams[$0]?.phase == .live && streams[$0]?.awaited.isEmpty == false }
    }

    /// Whether a stream goes on after a time that the server has not reached.
    var isTimeSetBack: Bool { settings.keyspaces(of: id).contains { streams[$0]?.isAheadOfServer == true } }

    /// The server's clock was set back behind what it had written: what it has written since then would never be shown. Where
    /// the data was set back with it, that is found first.
    mutating func lookForTimeSetBack<Book>(_ step: inout Step<Book>) throws {
        guard isTimeSetBack, !peers.isRebuilding, !isNewestAwaited, streams[.records(rules.id)]?.isJudged != false,
            settings.keyspaces(of: id).allSatisfy({ streams[$0]?.phase == .live }),
            let ahead = settings.keyspaces(of: id).first(where: { streams[$0]?.isAheadOfServer == true })
        else { return }
        step.note(.serverTimeSetBack(ahead))
        try compareAll(loading: settings.keyspaces(of: id), &step)
        // Were the daemon stopped before that is done, nothing would show it any more once the server has reached that time.
        try CollectionMachine.forgetProgress(of: rules.id, in: step.book)
    }

    /// Whether the remote is known to have been set back, and what it lacks is not judged yet.
    var isSetBack: Bool { peers.isSetBack || peers.ownEntry == .read(isOlder: true) }

    /// This node's own entry is older than it has written it.
    mutating func entryIsOlder<Book>(_ step: inout Step<Book>) throws {
        guard !peers.isSetBack else { return }
        if settings.pull == .incremental { return try takeForSetBack(.records(rules.id), nil, &step) }
        step.note(.setBack(.records(rules.id), nil))
        peers.isSetBack = true
    }

    private mutating func takeForSetBack<Book>(
        _ keyspace: Keyspace, _ record: RecordID?, _ step: inout Step<Book>
    ) throws {
        step.note(.setBack(keyspace, record))
        peers.isSetBack = true
        let records = Keyspace.records(rules.id)
        // No app removes a tombstone; but whether one has ended is not known where the horizon is hidden.
        let isCertain = keyspace != records && !peers.horizonIsHidden
        let showsOlder = isCertain || streams[records]?.older != nil
        streams[records]?.forgetOlder()
        // That may be read by then.
        if showsOlder { streams[records]?.noteOlder(amongAll: true, at: step.time.monotonic) }
        try compareAll(loading: settings.keyspaces(of: id), &step)
    }

    /// The keys of both sides are compared.
    mutating func endComparison() {
        (peers.isRebuilding, peers.isSetBack) = (false, false)
        streams[.records(rules.id)]?.forgetOlder()
        endDoubt()
    }

    /// They were not listed, and are asked for again. Where the remote does not list them, what was loaded has to do after it
    /// was set back; a fenced node needs them.
    mutating func keysRefused<Book>(_ error: RemoteError, _ step: inout Step<Book>) {
        (reconcileAt, seenSinceKeys) = (step.time.monotonic, nil)
        guard peers.isSetBack, error.code == .denied || error.code == .refused else { return }
        (reconcileAt, keysAreAwaited) = (step.time.monotonic + CollectionMachine.day, false)
        endComparison()
        hintUnechoed()
    }
}
