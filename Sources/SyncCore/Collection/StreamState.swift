internal import SyncModel

/// One stream of a collection: how far it is, and what it has shown. It owns its cursor.
struct StreamState: Sendable {
    /// The number of the present stream; an input of another one is too late.
    var number = 0
    var phase = CollectionMachine.StreamPhase.down
    /// Whether it shows everything, not only what was written after a cursor.
    var isWhole = true
    var backoff = Backoff()
    /// After lives so short that they showed little more than the snapshot.
    var shortLives = Backoff()
    /// When the present one was opened, on the monotonic clock.
    var openedAt: UInt64 = 0
    /// How long a stream may be open without a snapshot, in milliseconds.
    static let snapshotPatience: UInt64 = 120_000
    /// When it ends that has not begun its snapshot yet, on the monotonic clock.
    var showsUntil: UInt64?
    /// Since when it shows what happens, on the monotonic clock; means nothing before.
    var liveSince: UInt64 = 0
    /// When the next one is opened, on the monotonic clock; nil while one is open, or the pull is paused.
    var retryAt: UInt64?

    /// What the present snapshot has shown: rows, and ids of what had no row then.
    var shown = RowSet()
    var shownIDs: Set<RecordID> = []
    var entries = 0
    /// Keys of the present snapshot that are no UUIDs.
    var strayKeys: Set<String> = []
    /// When the versions in the present snapshot were made that were there when this node looked last, in milliseconds since
    /// 1970.
    var times: [UInt64] = []
    /// Whether a record was shown in an older version than it had been.
    private(set) var older: OlderVersion?
    /// When what one record stood in the place of is back, as far as nodes have written it back, on the monotonic clock; nil
    /// while its keys stand there, or nobody is asked about it.
    private(set) var rootClearUntil: UInt64?
    /// The server's time of the newest write that was shown, and judged together with what was missing then; nil where none
    /// is known.
    var lookedUntil: UInt64?
    /// Records that were shown changed by apps: how many at once is judged later.
    var foreignChanges = ForeignChanges()

    /// The highest server time of a write that was shown, but for times that are ahead.
    var newest: UInt64?
    /// The last ones of those, as far as it is known of whose record, or tombstone, each was.
    private(set) var newestWrites = NewestWrites()
    /// The last write of this node that was acknowledged, and that no stream has shown yet.
    private(set) var acknowledged: RecordID?
    /// What was the newest before the present snapshot, and what was acknowledged last before it was asked for, as far as it
    /// has not shown that yet.
    var awaited = AwaitedWrites()
    /// Whether it is known what it means that the present snapshot has not shown all of them.
    var isJudged = true
    /// Those that were shown while they were ahead, or this machine's clock and the server's could not agree.
    private var unjudged = UnjudgedTimes()
    /// Whether the present stream goes on after a time that the server had not reached when it was opened.
    private(set) var isAheadOfServer = false
    /// What could not be taken.
    var unread = UnreadEntries()
    /// Where the next stream goes on; nil before the first load.
    var cursor: UInt64?
    /// The same as it is stored.
    private(set) var stored: StreamPlace?
    /// Of the first load.
    var pageSize = PageSize(standard: 1000)
    /// Where that goes on: a page of it has not come.
    var firstLoad: FirstLoadPlace?

    /// How long, in milliseconds, what shows an older state of the remote is left for other nodes to see, if what is missing
    /// can't be judged sooner.
    private static let patience: UInt64 = 20_000
    /// How long, in milliseconds, nothing more must have come back.
    private static let quiet: UInt64 = 5_000

    /// When something that was shown is judged, on the monotonic clock.
    var judgements: [UInt64] { [foreignChanges.due, older?.until, rootClearUntil].compactMap(\.self) }

    /// A record is there in an older version.
    ///
    /// - Parameter amongAll: whether all that there is is shown, not only what has changed.
    mutating func noteOlder(amongAll: Bool, at monotonic: UInt64) {
        older = OlderVersion(amongAll: amongAll, until: monotonic + StreamState.patience)
    }

    /// What is missing beside it was judged.
    mutating func forgetOlder() { older = nil }

    /// All that was awaited is there.
    mutating func forgetOlderChange() { if older?.amongAll == false { older = nil } }

    /// Others have had the time to see it.
    mutating func lookAtOlder(at monotonic: UInt64) {
        if let until = older?.until, until <= monotonic { older?.until = nil }
    }

    /// The keys of the one record are gone.
    ///
    /// - Returns: whether nothing has come back for a while.
    mutating func rootIsClear(at monotonic: UInt64) -> Bool {
        let until = rootClearUntil ?? monotonic + StreamState.quiet
        rootClearUntil = until
        return until <= monotonic
    }

    /// A record has come back.
    mutating func noteBack(at monotonic: UInt64) {
        if rootClearUntil != nil { rootClearUntil = monotonic + StreamState.quiet }
    }

    /// They stand there, or nobody is asked about them any more.
    mutating func forgetRoot() { rootClearUntil = nil }

    /// An entry was shown.
    ///
    /// - Parameter monotonic: in milliseconds.
    mutating func note(_ entry: ObservedEntry, _ policy: StampPolicy, at monotonic: UInt64) {
        entries += 1
        unread.note(entry)
        if let id = entry.id { noteShown(id, at: entry.serverTime) }
        if let time = entry.serverTime {
            note(time, of: entry.id, policy, at: monotonic)
        } else if phase == .live, let id = entry.id {
            newestWrites.forget(id)
        }
        guard phase == .snapshot, isWhole, case .record(let reading) = entry.value, let stamp = reading.stamp else {
            return
        }
        // What was written since this node looked last shows nothing of what became of what was there then.
        if let lookedUntil, let time = entry.serverTime, time > lookedUntil { return }
        times.append(stamp.physical)
    }

    /// What stands there for this record, or tombstone, was shown.
    mutating func noteShown(_ id: RecordID, at time: UInt64?) {
        if !awaited.isEmpty, !awaited.noteShown(id, at: time) { return }
        if id == acknowledged { acknowledged = nil }
    }

    /// A write of this node was acknowledged that the stream has not shown yet: while it stands there, it will be.
    mutating func noteAcknowledged(_ id: RecordID) { acknowledged = id }

    /// Whoever writes a time of their own may write any. One that is ahead says nothing of what the server has not written
    /// yet; which one is, nobody knows while the clocks can't agree.
    mutating func note(_ time: UInt64, of id: RecordID?, _ policy: StampPolicy, at monotonic: UInt64) {
        if StreamState.isDoubtful(time, policy) {
            unjudged.add(time, at: monotonic)
        } else {
            noteNewest(time, of: id, policy)
        }
    }

    private static func isDoubtful(_ time: UInt64, _ policy: StampPolicy) -> Bool {
        policy.isClockWrong || policy.isFuture(time)
    }

    private mutating func noteNewest(_ time: UInt64, of id: RecordID?, _ policy: StampPolicy) {
        newest = max(newest ?? 0, StreamState.past(time, policy))
        if let id { newestWrites.note(id, at: time, since: cursor ?? 0) }
    }

    /// How far what is known of the server's time may be off, in milliseconds: it tells whole seconds.
    private static let timeError: UInt64 = 2_000

    /// What the server writes from now on may be as early as now: no cursor goes beyond that.
    private static func past(_ time: UInt64, _ policy: StampPolicy) -> UInt64 {
        let now = policy.serverNow
        guard policy.serverIsKnown, time > now + timeError else { return time }
        return now - min(now, timeError)
    }

    /// Its snapshot has ended, and what is known of the server's time is new.
    mutating func noteServerTime(_ policy: StampPolicy) {
        guard !isWhole, policy.serverIsKnown, let cursor else { return }
        isAheadOfServer = cursor > policy.serverNow + 2 * StreamState.timeError
    }

    /// What was shown while it was ahead, as seen from a clock that was behind, or while the clocks could not agree, counts
    /// once it is known that it was not.
    mutating func judgeTimes(_ policy: StampPolicy, at monotonic: UInt64) {
        guard !policy.isClockWrong, let time = unjudged.take(policy, at: monotonic) else { return }
        newest = max(newest ?? 0, StreamState.past(time, policy))
    }

    /// The next stream goes on there; nil where everything is to be loaded first.
    mutating func resume(at place: StreamPlace?) {
        (cursor, stored, newest, newestWrites) = (place?.cursor, place, nil, place?.newest ?? NewestWrites())
        (acknowledged, awaited) = (place?.acknowledged, AwaitedWrites())
    }

    /// A page of the first load has shown an entry.
    mutating func noteLoaded(_ entry: ObservedEntry, _ policy: StampPolicy) {
        if let time = entry.serverTime, !StreamState.isDoubtful(time, policy) { noteNewest(time, of: entry.id, policy) }
    }

    /// All pages were: the next stream goes on from when the first one was asked for, and shows the newest again.
    mutating func loaded(since began: UInt64) { cursor = newestWrites.cursor(below: min(began, newest ?? began)) }

    /// What is to be stored now: so far, if anything is given, everything that was shown is dealt with; nil where that is stored
    /// already.
    mutating func reached(_ mark: UInt64?) -> StreamPlace? {
        var place = stored
        if let mark, mark > stored?.reached ?? 0 {
            place = StreamPlace(reached: mark, newest: newestWrites)
        } else if phase == .live, let stored {
            place = StreamPlace(reached: stored.reached, newest: newestWrites)
        }
        if let acknowledged { place?.acknowledged = acknowledged }
        guard place != stored else { return nil }
        (cursor, stored) = (place?.cursor, place)
        return place
    }

    /// A stream is opened that shows everything, or what was written after the cursor.
    mutating func open(isWhole: Bool, at monotonic: UInt64) {
        number += 1
        openedAt = monotonic
        (self.isWhole, isAheadOfServer) = (isWhole, false)
        (newest, unjudged) = (cursor, UnjudgedTimes())
        begin()
        showsUntil = monotonic + StreamState.snapshotPatience
        // What is acknowledged from now on may come after the snapshot was made.
        if !isWhole, let acknowledged { awaited.add(acknowledged: acknowledged) }
    }

    /// All that the stream has shown so far is forgotten. Changes by apps that were not judged yet still count: what comes
    /// now need not show them.
    mutating func begin() {
        showsUntil = nil
        // All that is there is about to be shown.
        if isWhole { unread = UnreadEntries() }
        if awaited.isEmpty { forgetOlderChange() }
        if isWhole { awaited = AwaitedWrites() } else { awaited.add(newestWrites) }
        shown = RowSet()
        shownIDs = []
        entries = 0
        strayKeys = []
        times = []
        if isWhole { forgetOlder() }
        firstLoad = nil
        foreignChanges.forgetShown()
    }
}

/// A record that a stream has shown in an older version than it had been: what is missing beside it tells whether the remote
/// was set back.
struct OlderVersion: Sendable {
    /// Whether all that there is was shown. What has changed is judged by what it does not show.
    var amongAll: Bool
    /// Until when nothing is written over it, on the monotonic clock: others have to see it, too; nil afterwards.
    var until: UInt64?
}

/// Entries of a keyspace that could not be taken, by their names in quarantine: no cursor goes beyond them.
struct UnreadEntries: Sendable {
    private var times: [String: UInt64] = [:]
    /// The lowest server time of one.
    private(set) var lowest: UInt64?

    var isEmpty: Bool { times.isEmpty }

    func contains(_ name: String) -> Bool { times[name] != nil }

    /// An entry was shown, or read: it can be taken, or it can't.
    mutating func note(_ entry: ObservedEntry) {
        if case .unreadable = entry.value {
            // What has no time is in no snapshot of what changed since some time.
            let time = entry.serverTime ?? .max
            let before = times.updateValue(time, forKey: entry.nameInQuarantine)
            lowest = before != nil && before == lowest ? times.values.min() : min(lowest ?? time, time)
        } else if !times.isEmpty, let time = times.removeValue(forKey: entry.nameInQuarantine), time == lowest {
            lowest = times.values.min()
        }
    }
}

/// A whole snapshot of the records, as far as it matters for what is missing from it.
struct CompleteSnapshot: Sendable {
    var shown: RowSet
    var shownIDs: Set<RecordID>
    var isEmpty: Bool
    /// The keys that are no UUIDs: they tell whether the base looks like one record.
    var strayKeys: Set<String>
    /// When the versions in it were made, in milliseconds since 1970; nil where it shows no versions.
    var times: [UInt64]?
    /// All keys, where it was a list of these: it is newer than what a stream has shown.
    var list: [String]?

    var hasRecords: Bool { shown.count > 0 || !shownIDs.isEmpty }
}
