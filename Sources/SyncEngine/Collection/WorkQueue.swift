internal import Collections
internal import DequeModule
internal import SyncModel

/// What a collection has to do next, and what is being done: an index in memory of conditions in the store.
///
/// At most one request for a record is in flight. A value; its owner keeps it in a lock.
struct WorkQueue: Sendable {
    /// A record that must be read, and why an answer may be counted.
    struct Hint: Sendable {
        /// The key where it is not the upper-case id.
        var nonCanonicalKey: String?
        /// A second key for the same UUID, to be merged and removed.
        var duplicateKey: String?
        /// Its disappearance has been counted, and is within the limit of deletes.
        var admitted = false
    }

    enum Job: Sendable {
        case push([RecordID])
        case read([(id: RecordID, hint: Hint)])
    }

    static let maxBatch = 500
    /// Hints beyond this number are read in pages.
    static let maxSingleReads = 64
    static let maxJobs = 4

    private var queue: Deque<RecordID> = []
    private var queued: Set<RecordID> = []
    private(set) var hints: [RecordID: Hint] = [:]
    private(set) var inFlight: Set<RecordID> = []
    private var deferred: [RecordID: [ObservedEntry]] = [:]
    private(set) var jobs = 0
    private var timerArmed = false
    /// The snapshots of the records and of the tombstones have been merged since the start.
    var recordsMerged = false
    var tombstonesMerged = false
    /// The collection's first snapshot of this run was empty, and so was the base.
    var emptyAtStart = false

    var mayPush: Bool { recordsMerged && tombstonesMerged }
    var unconfirmed: Int { hints.count + inFlight.count }

    mutating func enqueue(_ id: RecordID) {
        if queued.insert(id).inserted { queue.append(id) }
    }

    mutating func hint(_ id: RecordID, _ hint: Hint) {
        let known = hints[id]
        hints[id] = Hint(
            nonCanonicalKey: hint.nonCanonicalKey ?? known?.nonCanonicalKey,
            duplicateKey: hint.duplicateKey ?? known?.duplicateKey,
            admitted: hint.admitted || (known?.admitted ?? false))
    }

    /// Takes the next job, and puts its records in flight; nil when there is nothing to do now.
    mutating func next(pushing: Bool, reading: Bool) -> Job? {
        guard jobs < WorkQueue.maxJobs else { return nil }
        let job = (reading ? nextReading() : nil) ?? (pushing && mayPush ? nextPush() : nil)
        if job != nil { jobs += 1 }
        return job
    }

    private mutating func nextReading() -> Job? {
        guard !hints.isEmpty else { return nil }
        var ready: [(id: RecordID, hint: Hint)] = []
        for (id, hint) in hints where !inFlight.contains(id) {
            ready.append((id, hint))
            if ready.count == WorkQueue.maxBatch { break }
        }
        guard !ready.isEmpty else { return nil }
        for (id, _) in ready {
            hints[id] = nil
            inFlight.insert(id)
        }
        return .read(ready)
    }

    private mutating func nextPush() -> Job? {
        var ids: [RecordID] = []
        var later: [RecordID] = []
        while ids.count < WorkQueue.maxBatch, let id = queue.popFirst() {
            if inFlight.contains(id) || hints[id] != nil {
                later.append(id)
            } else {
                queued.remove(id)
                inFlight.insert(id)
                ids.append(id)
            }
        }
        queue.append(contentsOf: later)
        return ids.isEmpty ? nil : .push(ids)
    }

    /// Whether an event on the record must wait for the answer in flight; it is kept then.
    mutating func deferIfInFlight(_ entry: ObservedEntry) -> Bool {
        guard let id = entry.id, inFlight.contains(id) else { return false }
        deferred[id, default: []].append(entry)
        return true
    }

    /// The requests for these records are answered: gives the events that came meanwhile.
    mutating func complete(_ ids: some Sequence<RecordID>) -> [ObservedEntry] {
        var entries: [ObservedEntry] = []
        for id in ids {
            inFlight.remove(id)
            if let waiting = deferred.removeValue(forKey: id) { entries.append(contentsOf: waiting) }
        }
        return entries
    }

    mutating func jobEnded() { jobs -= 1 }

    /// Whether a timer for the end of a back-off must be started: one is enough.
    mutating func armTimer() -> Bool {
        defer { timerArmed = true }
        return !timerArmed
    }

    mutating func timerFired() { timerArmed = false }
}
