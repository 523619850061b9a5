internal import SyncModel

/// One stream of a collection: how far it is, and what it has shown. It owns its cursor.
struct StreamState: Sendable {
    /// The number of the present stream; an input of another one is too late.
    var number = 0
    var phase = CollectionMachine.StreamPhase.down
    /// Whether it shows everything, not only what was written after a cursor.
    var isWhole = true
    var backoff = Backoff()
    /// When the next one is opened, on the monotonic clock; nil while one is open, or the pull is paused.
    var retryAt: UInt64?

    /// What the present snapshot has shown: rows, and ids of what had no row then.
    var shown = RowSet()
    var shownIDs: Set<RecordID> = []
    var entries = 0
    /// Keys of the present snapshot that are no UUIDs.
    var strayKeys: Set<String> = []
    /// Records that the present snapshot showed changed by an app: how many at once is judged at its end.
    var foreignChanges: [(id: RecordID, shown: Content, hint: Hint)] = []

    /// The highest server time of a write that was shown.
    var newest: UInt64?
    /// The lowest server time of a tombstone that could not be taken.
    var unread: UInt64?
    /// Where the next stream goes on; nil before the first load.
    var cursor: UInt64?
    /// The cursor as it is stored.
    var stored: UInt64?

    mutating func note(_ entry: ObservedEntry) {
        entries += 1
        if case .unreadable = entry.value { unread = min(unread ?? .max, entry.serverTime ?? 0) }
        if let time = entry.serverTime { newest = max(newest ?? 0, time) }
    }

    mutating func begin() {
        shown = RowSet()
        shownIDs = []
        entries = 0
        strayKeys = []
        foreignChanges = []
    }
}

/// A whole snapshot of the records, as far as it matters for what is missing from it.
struct CompleteSnapshot: Sendable {
    var shown: RowSet
    var shownIDs: Set<RecordID>
    var isEmpty: Bool
    /// The keys that are no UUIDs: they tell whether the base looks like one record.
    var strayKeys: Set<String>

    var hasRecords: Bool { shown.count > 0 || !shownIDs.isEmpty }
}

/// A record that must be read, and why an answer may be counted.
struct Hint: Sendable {
    /// A second key for the same UUID, to be merged and removed.
    var duplicateKey: String?
    /// The record is to be read under its own key; not where only a second one is to be looked at.
    var readsOwnKey = true
    /// Its disappearance has been counted, and is within the limit of deletes.
    var counted = false
    /// Read for its ETag, which the next write needs.
    var needsETag = false
    /// What its stream's cursor must not pass before it is answered, per keyspace.
    var floors: [Keyspace: UInt64] = [:]

    /// A second key for a record's UUID is to be looked at.
    static func second(_ key: String) -> Hint { Hint(duplicateKey: key, readsOwnKey: false) }

    mutating func add(_ other: Hint) {
        duplicateKey = other.duplicateKey ?? duplicateKey
        readsOwnKey = readsOwnKey || other.readsOwnKey
        counted = counted || other.counted
        needsETag = needsETag || other.needsETag
        floors.merge(other.floors, uniquingKeysWith: min)
    }
}

/// A request in flight, and what its answer is for.
struct Job: Sendable {
    enum Kind: Sendable {
        case read(RecordID, Hint)
        /// After an absence: the record's tombstone decides when it was deleted.
        case readTombstone(RecordID, Hint, ObservedEntry)
        case readPage([(id: RecordID, hint: Hint)])
        case readDuplicate(RecordID, key: String)
        case removeDuplicate(RecordID, key: String)
        /// The remote refused the version with this stamp, where that is known: what it holds decides what that means.
        case readRefused(RecordID, Stamp?, RemoteError)
        case write(Sent)
        /// For its ETag, before it is raised.
        case fetchTombstone(RecordID)
        case writeTombstone(RecordID, KnownTombstone)
        case remove(RecordID)
        case removeStray(String)
        case readStray(String)
        case batch([Sent])
        case serverTime(Keyspace)
        case firstLoad(Keyspace, from: String?, limit: Int, began: UInt64)
        case reconcile
        case askHorizon
        /// What was announced: the server's time up to which tombstones are applied.
        case announce(UInt64)
        case peers
        /// A tombstone that may have ended.
        case readEnded(RecordID)
        case readHorizon
        case raiseHorizon(Stamp)
        case removeEnded(RecordID)
    }

    var kind: Kind
    /// On the monotonic clock.
    var sentAt: UInt64

    /// The records of which a request is in flight.
    var records: [RecordID] {
        switch kind {
        case .read(let id, _), .readTombstone(let id, _, _), .readDuplicate(let id, _), .removeDuplicate(let id, _),
            .readRefused(let id, _, _), .fetchTombstone(let id), .writeTombstone(let id, _), .remove(let id),
            .readEnded(let id), .removeEnded(let id):
            [id]
        case .write(let sent): [sent.id]
        case .batch(let sent): sent.map(\.id)
        case .readPage(let hints): hints.map(\.id)
        case .removeStray, .readStray, .serverTime, .firstLoad, .reconcile, .askHorizon, .announce, .peers,
            .readHorizon, .raiseHorizon:
            []
        }
    }

    var isBatch: Bool { if case .batch = kind { true } else { false } }
}

/// What was sent of a record.
struct Sent: Sendable {
    var id: RecordID
    /// Where the state has the record, in a batch.
    var row: Int64?
    /// The version; nil for a delete.
    var content: StampedContent?
    var stamp: Stamp
    /// The tombstone that went with it.
    var tombstone: KnownTombstone?
    var elements: [BatchElement]
    /// Whether it went out without a condition.
    var isFirstAttempt: Bool

    /// About how many bytes it takes in a request.
    var size: Int { (content?.content.text.count ?? 0) + 256 * max(1, elements.count) }
}

/// What a stream will show of a write that was acknowledged, where it can be told from the entry alone.
struct Echo: Sendable {
    var stamp: Stamp?
    var hash: ContentHash?

    /// Whether this entry says no more than the record's base: nobody needs to look at the record then.
    ///
    /// True only where nothing has been learned of the record since the write was acknowledged.
    func `is`(_ entry: ObservedEntry, _ book: some RecordBook) throws -> Bool {
        guard let hash, case .record(.stamped(let version)) = entry.value, entry.nonCanonicalKey == nil else {
            return false
        }
        guard version.stamp == stamp, version.content.hash == hash else { return false }
        return try !book.anyQuarantined() && !book.anyHeld()
    }
}
