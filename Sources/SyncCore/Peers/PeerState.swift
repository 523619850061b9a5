internal import SyncModel

/// What the machine of a collection knows of tombstones that end, and of itself among the other nodes
/// (`docs/protocol.md` section 11). What must outlive it stands in the book.
struct PeerState: Sendable {
    /// The highest stamp of which tombstones may have ended, as this node has heard.
    var horizon: Stamp?
    /// It is to be asked for, before anything else is decided about tombstones.
    var wantsHorizon = false
    var asksHorizon = false
    var horizonIsReadable = Readability()
    /// The rules hide it, as far as the last answer tells.
    var horizonIsHidden = false
    /// Records whose tombstone has disappeared: the horizon tells whether it has ended.
    var lost: Set<RecordID> = []
    /// Deleted records, whose tombstone has ended, that were read before they are removed again.
    var readAfterEnd: Set<RecordID> = []
    /// What the last whole snapshot of tombstones has shown, and the stream since; nil where nothing is to be compared.
    var shown: ShownTombstones?

    /// The server's time up to which every tombstone is applied here.
    var applied: UInt64 = 0
    /// What the others are told of this node.
    var card = NodeCard()
    /// What was announced last; nil where this node has never announced anything.
    var announced: UInt64?
    /// As what; nil where that is not known.
    var announcedCard: NodeCard?
    /// How many milliseconds before `loadedAt`, a moment of the monotonic clock, that was.
    var announcedAgo: UInt64 = 0
    var loadedAt: UInt64 = 0
    /// Something of the collection has changed on the remote since.
    var hasChanged = true
    /// How often this node has told the others of the collection, as far as it knows that it arrived.
    var told: UInt64 = 0
    var ownEntry = OwnEntry.unread
    /// How often what was shown of the records has become void.
    var snapshots = 0
    var entriesAreReadable = Readability()
    /// An announcement is under way.
    var isAnnouncing = false
    /// No announcement before this moment of the monotonic clock: the last one has failed.
    var announceNotBefore: UInt64 = 0

    /// The server's time at which this node was last in touch with the remote, as it is stored.
    var touched: UInt64?
    /// Whether it is known how long ago that was when the machine was made: the server has said what time it has.
    var isTouchJudged = false
    /// Since when the stream of tombstones is down, on the monotonic clock.
    var downSince: UInt64?
    /// It was away for longer than tombstones are kept: whatever it knows of the remote is compared anew.
    var isAway = false
    /// That has begun, and is not over.
    var isRebuilding = false
    /// The remote was set back to an older state, and not all of what it has forgotten is known yet.
    var isSetBack = false

    /// The highest stamp of any tombstone that was ever known here; nil where that was not noted yet.
    var newest: Stamp?
    /// The stamp of the oldest tombstone that is known to be on the remote; nil where there is none.
    var oldest: Stamp?
    /// Tombstones are not looked through before this moment of the monotonic clock.
    var collectNotBefore: UInt64 = 0
    var run: TombstoneRun?

    /// Whether an announcement, or a question, is still owed.
    var isSettled: Bool {
        !wantsHorizon && !asksHorizon && lost.isEmpty && !isAnnouncing && run == nil && announced == applied
    }
}

/// Whether the rules hide something below `<meta>`, and not only a moment: then nobody here can know of ended tombstones, or
/// of an older state, and everything else goes on.
struct Readability: Sendable {
    /// How often in a row it was refused or denied.
    private var refusals = 0
    /// It was read since this machine was made: the rules don't hide it.
    private var wasRead = false

    mutating func wasAnswered() { (refusals, wasRead) = (0, true) }

    /// Whether it is hidden, after it was asked for in vain. A request that is called wrong may have been spoilt on the way, and
    /// what was shown once is rather denied by a token that has just ended.
    mutating func isHidden(after error: RemoteError) -> Bool {
        if [.refused, .denied].contains(error.code) { refusals += 1 }
        let isHidden = wasRead ? refusals > 20 : error.code == .denied || refusals > 5
        if isHidden { refusals = 0 }
        return isHidden
    }
}

/// Tombstones by their rows, and by the ids of those that had none then.
struct ShownTombstones: Sendable {
    var rows: RowSet
    var ids: Set<RecordID>

    func contains(_ tombstone: RowOfTombstone) -> Bool {
        rows.contains(tombstone.row) || ids.contains(tombstone.id)
    }
}

/// One look through the old tombstones: read, then the horizon raised above those that may end, then they are removed.
struct TombstoneRun: Sendable {
    struct Found: Sendable {
        var id: RecordID
        var stamp: Stamp
        var etag: String
    }

    enum Phase: Sendable { case peers, reading, horizon, removing }

    var phase = Phase.peers
    var limit: TombstoneLimit?
    /// Where the next page of candidates begins.
    var after: Stamp?
    /// Those are read that may be stamped later than they were written.
    var isBeyond = false
    /// Still to be read, or to be removed.
    var next: [RecordID] = []
    var found: [Found] = []
    /// What the remote's horizon was found to be, or raised to; nil while that is not known.
    var horizon: Stamp?
    /// Requests under way.
    var open = 0
    /// When the first of those that are too young may end, by the server's time.
    var youngUntil: UInt64?
    /// How often the horizon was raised by somebody else meanwhile.
    var collisions = 0
    var ended = 0
}
