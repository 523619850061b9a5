package import SyncModel

/// The brain of the sync of one collection: inputs in, effects out; the book is the store's open transaction.
///
/// A value. Its own memory is only an index of what stands in the book and in the remote: a shell that can't commit drops
/// the machine and begins with a new one, as after a crash. The rules are those of `docs/protocol.md`, sections 7 to 10.
package struct CollectionMachine: Sendable {
    package let rules: CollectionRules
    package let settings: MachineSettings

    var streams = Streams()
    var queue = PushQueue()
    /// Those edited while everything seemed to be denied; they go first, as they may show that not everything is.
    var queueOfNew = PushQueue()
    var hints = Hints()
    /// The hinted records in the order they came; one that is read already is passed over.
    var readings = PushQueue()
    /// Records with a request in flight.
    var inFlight: Set<RecordID> = []
    /// What was shown of them meanwhile.
    var deferred: [RecordID: [(Keyspace, ObservedEntry)]] = [:]
    var requests = OpenRequests()
    var window = RequestWindow()
    var backoff = Backoff()
    /// After answers that brought nothing forward; only a write that succeeds ends it.
    var fruitless = Backoff()
    /// How often something has failed.
    var failures = 0
    /// Nothing is asked for before this moment of the monotonic clock.
    var retryAt: UInt64?
    var paused: Set<Direction> = []
    /// The snapshots of the records and of the tombstones have been merged since the start.
    var recordsMerged = false
    var tombstonesMerged = false
    /// A whole snapshot has come in, and what is missing from it is not dealt with yet.
    var completeSnapshot: CompleteSnapshot?
    /// Acknowledged writes that no stream has shown yet.
    var unechoed: [RecordID: Echo] = [:]
    /// How often in a row something was shown of a record that is not believed yet.
    var unbelieved: [Unbelieved: Int] = [:]
    /// What was sent without knowing whether it was carried out.
    var unanswered: [RecordID: [StampedContent]] = [:]
    /// Since when an app's write waits for another node's stamp: until which moment of the monotonic clock.
    var turns: [RecordID: UInt64] = [:]
    var goneSecondKeys = GoneSecondKeys()
    /// What was written again without an edit.
    var rewrites = Rewrites()
    var people = RestingPeople()
    var notedResting: [String: String] = [:]
    /// Records whose turn has come.
    var ownTurns: Set<RecordID> = []
    var deletes = DeleteLimit()
    /// The collection is kept at another place than what the book knows of the remote: whatever is missing there waits for a
    /// person.
    var hasMoved = false
    /// Records that were deleted here before it was known what the remote has of them, and the conflicts of that.
    var deletedUnseen: [RecordID: [DecidedConflict]] = [:]
    /// Whether updates of unknown records are tried again when all that was shown is read.
    var retriesUnknown = false
    /// For the remote's rules: the stamps under which what an app wrote stands in the remote, as it was read last; none
    /// where it stands without one.
    var standing: [RecordID: Stamp?] = [:]
    /// Tombstones that are written again, because the remote's rules did not let the record be removed.
    var renewals: [RecordID: TombstoneRenewal] = [:]
    /// Records that the remote shows in an older version which this node does not know: others may know it, and what of it
    /// is an app's.
    var doubtful: Set<RecordID> = []
    /// Deleted records that an app was shown to have put back: that is counted, and they are not read yet.
    var putBack: Set<RecordID> = []
    /// When a stream of the records last told all, in milliseconds since 1970, by the clock of this node's stamps.
    var watchedUntil: UInt64 = .max
    /// Of records that were shown for the first time, and are not read yet: from which time on edits are above them.
    var editsCountSince: [RecordID: UInt64] = [:]
    /// How many conditional writes of a record failed in a row because others were first.
    var contention: [RecordID: Int] = [:]
    /// How many writes have succeeded, and the versions that were denied.
    var writes = 0
    var denials: [RecordID: Denial] = [:]
    /// How many batches were denied since the last write that succeeded.
    var deniedBatches = 0
    /// The highest stamp in a batch that was denied since many were.
    var newestDenied = Stamp.zero
    /// Whether ``retryAt`` is a denial's.
    var isDenied = false
    /// A hold that covers the whole collection waits.
    var isStopped = false
    /// ``mayWrite``, when that was looked at last.
    var couldWrite = false
    /// Keys beside the records that must be removed.
    var strays: [String] = []
    var reconcileAt: UInt64?
    /// Keys that only then tell whether both sides are equal are asked for.
    var keysAreAwaited = false
    /// What was shown or acknowledged since the keys were asked for: their answer may be older than that.
    var seenSinceKeys: Set<RecordID>?
    var wokenAt: UInt64?
    var peers = PeerState()
    /// The first load of the records has shown that there are none.
    var remoteIsEmpty = false
    /// A record that is read because a list of the keys was empty.
    var askedAfterEmptyList: RecordID?
    /// What the shell was told last.
    var notedUnconfirmed = 0

    package init(_ rules: CollectionRules, _ settings: MachineSettings) {
        self.rules = rules
        self.settings = rules.key.isKeyed ? settings.forKeysOfFields : settings
        tombstonesMerged = !settings.keepsTombstones
    }

    package var id: CollectionID { rules.id }

    /// Whether both snapshots have been merged since the start.
    package var mayPush: Bool { recordsMerged && tombstonesMerged }

    /// Hints not yet answered, changes by apps not yet judged, requests in flight, acknowledgements that no stream has
    /// confirmed, and keys that somebody waits for.
    package var unconfirmed: Int {
        let foreign = streams[.records(rules.id)]?.foreignChanges.count ?? 0
        return hints.count + foreign + inFlight.count + unechoed.count + strays.count
            + (isComparing || keysAreAwaited ? 1 : 0)
    }

    /// Whether nothing is owed to the other nodes: neither an announcement nor a look at old tombstones is under way.
    package var isSettled: Bool { !settings.keepsTombstones || peers.isSettled }

    /// The stamp of the oldest tombstone that the remote is known to hold.
    package var oldestTombstone: Stamp? { peers.oldest }

    /// Whether requests are in flight: a daemon that stops waits for them.
    package var isBusy: Bool { !requests.isEmpty }

    /// Takes one input: changes the book, and says what must be done once that has committed.
    ///
    /// - Throws: what the book throws. Then nothing of this input has happened, and the machine must not be used again.
    package mutating func handle<Book: RecordBook>(
        _ input: Input, in book: Book, at time: MachineTime
    ) throws -> [Effect] {
        var step = try Step(book: book, time: time, rules: rules, settings: settings)
        try stayInTouch(&step)
        try take(input, &step)
        try goOn(&step)
        noteDown(step.time)
        return step.effects
    }

    private mutating func take<Book>(_ input: Input, _ step: inout Step<Book>) throws {
        switch input {
        case .start: try start(&step)
        case .events(let keyspace, let stream, let events):
            guard streams[keyspace]?.number == stream else { return }
            try take(events, of: keyspace, &step)
        case .streamEnded(let keyspace, let stream, let error):
            guard streams[keyspace]?.number == stream else { return }
            try streamEnded(keyspace, error, &step)
        case .answered(let request, let result):
            guard let job = requests.remove(request) else { return }
            try answered(job, result, &step)
        case .edited(let ids):
            try lookAtHolds(&step)
            lookAtSecondKeys()
            for id in ids { isDenied ? queueOfNew.append(id) : queue.append(id) }
            // What is pushed at once needs no such note: its tombstone tells.
            if paused.contains(.push), watchesApps { try noteWatched(&step) }
            tryWhatIsNew(at: step.time.monotonic)
            if try step.book.anyQuarantined() {
                for id in ids { try retryUnknownRecord(key(id), &step) }
            }
        // No stream has shown their records: what apps write there from now on is later.
        case .setAside: if watchesApps { try noteWatched(&step) }
        case .card(let card): peers.card = card
        case .paused(let directions): try pause(directions, &step)
        case .retryNow: retryNow(at: step.time.monotonic)
        case .readAgain(let ids, let tombstones): for id in ids { try readAgain(id, tombstones: tombstones, &step) }
        case .readKeys(let keys): try readAgain(under: keys, &step)
        case .secondKeys(let keys): for key in keys { try hint(secondKey: key, &step) }
        case .reconcile: reconcileAt = step.time.monotonic
        case .absenceApproved: if settings.pull == .incremental { reconcileAt = step.time.monotonic }
        case .time: break
        }
    }

    private mutating func start<Book>(_ step: inout Step<Book>) throws {
        for id in try step.book.pendingIDs(in: id) { queue.append(id) }
        try lookAtHolds(&step)
        try loadReconciliation(&step)
        try loadDeletes(&step)
        try loadWatched(&step)
        try loadDeletedUnseen(&step)
        try loadPeers(&step)
        if peers.isAway, settings.pull == .incremental { reconcileAt = step.time.monotonic }
        for keyspace in settings.keyspaces(of: id) {
            let place = peers.isAway ? nil : try storedPlace(keyspace, step.book)
            streams[keyspace] = StreamState()
            streams[keyspace]?.resume(at: place)
            streams[keyspace]?.retryAt = step.time.monotonic
        }
        try loadLooked(&step)
    }

    /// Does what has become possible, and asks to be woken for what will.
    private mutating func goOn<Book>(_ step: inout Step<Book>) throws {
        takeTurns(at: step.time.monotonic)
        try judgeForeignChanges(&step)
        try judgeRoot(&step)
        try lookForTimeSetBack(&step)
        try endSilentStreams(&step)
        openStreams(&step)
        try schedule(&step)
        for keyspace in settings.keyspaces(of: id) {
            streams[keyspace]?.judgeTimes(step.time.policy, at: step.time.monotonic)
        }
        try saveCursors(&step)
        try noteLooked(&step)
        try noteApplied(&step)
        noteProgress(&step)
        noteResting(&step)
        wake(&step)
    }

    private mutating func noteProgress<Book>(_ step: inout Step<Book>) {
        guard notedUnconfirmed != unconfirmed else { return }
        notedUnconfirmed = unconfirmed
        step.note(.unconfirmed(unconfirmed))
    }

    private mutating func wake<Book>(_ step: inout Step<Book>) {
        var moments = paused.contains(.pull) ? [] : streams.moments
        moments += [turns.values.min(), rewrites.due, people.due, goneSecondKeys.next].compactMap(\.self)
        if let retryAt { moments.append(retryAt) }
        if let reconcileAt { moments.append(reconcileAt) }
        moments += streams[.records(rules.id)]?.judgements ?? []
        moments += peerMoments(step.time)
        // What is due and could not be done waits for another input.
        guard let next = moments.filter({ $0 > step.time.monotonic }).min() else { return }
        guard wokenAt != next else { return }
        wokenAt = next
        step.effects.append(.wake(at: next))
    }

    private mutating func pause<Book>(_ directions: Set<Direction>, _ step: inout Step<Book>) throws {
        let wasPaused = paused.contains(.pull)
        paused = directions
        for id in directions.contains(.pull) ? hints.onlyForPushes : [] { leaveToPush(id) }
        for keyspace in settings.keyspaces(of: id) {
            if directions.contains(.pull), !wasPaused {
                try close(keyspace, &step)
                step.effects.append(.close(keyspace))
            } else if !directions.contains(.pull), wasPaused {
                streams[keyspace]?.retryAt = step.time.monotonic
            }
        }
    }

    /// While the pull is paused no hint is read, and a record that has one is not pushed: what only a push needs is not hinted
    /// then, but asked for by that.
    mutating func leaveToPush(_ id: RecordID) {
        hints[id] = nil
        peers.readAfterEnd.remove(id)
        queue.append(id)
    }

    /// Whether a hold covers the collection as a whole, and what its end has left to do.
    mutating func lookAtHolds<Book>(_ step: inout Step<Book>) throws {
        isStopped = try step.book.holdStopping(id) != nil
        strays = try step.book.strayKeys(of: id)
    }
}

/// One input being handled.
struct Step<Book: RecordBook> {
    let book: Book
    let time: MachineTime
    let context: BookContext
    let reader: EntryReader
    var push: PushContext
    var effects: [CollectionMachine.Effect] = []

    init(book: Book, time: MachineTime, rules: CollectionRules, settings: MachineSettings) throws {
        self.book = book
        self.time = time
        context = BookContext(
            merge: rules.merge, key: rules.key, keepsTombstones: settings.keepsTombstones, time: time.policy)
        reader = EntryReader(
            rules: rules, time: time.policy,
            waiting: try ClockWrong.lowestWaiting(in: rules.id, time.policy, book))
        push = PushContext(
            node: book.clock.node, run: book.run, writeGuard: settings.writeGuard,
            keepsTombstones: settings.keepsTombstones)
    }

    mutating func note(_ note: CollectionMachine.Note) { effects.append(.note(note)) }
}
