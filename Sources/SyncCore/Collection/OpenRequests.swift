internal import SyncModel

/// The requests in flight, by their numbers.
struct OpenRequests: Sendable {
    private var jobs: [Int: Job] = [:]
    private var last = 0
    /// How many of them write many records at once.
    private(set) var batches = 0
    /// How many read many.
    private(set) var pages = 0

    var count: Int { jobs.count }
    var isEmpty: Bool { jobs.isEmpty }

    /// Notes a request, and gives its number.
    mutating func add(_ job: Job) -> Int {
        last += 1
        jobs[last] = job
        count(job, 1)
        return last
    }

    /// It was answered; nil where it is not known, or was before.
    mutating func remove(_ number: Int) -> Job? {
        guard let job = jobs.removeValue(forKey: number) else { return nil }
        count(job, -1)
        return job
    }

    private mutating func count(_ job: Job, _ change: Int) {
        switch job.kind {
        case .batch: batches += change
        case .readPage: pages += change
        default: break
        }
    }

    /// What the cursor of a keyspace must not pass.
    func floor(of keyspace: Keyspace) -> UInt64? { jobs.values.compactMap { $0.floor(of: keyspace) }.min() }
}

/// A request in flight, and what its answer is for.
struct Job: Sendable {
    enum Kind: Sendable {
        case read(RecordID, Hint)
        /// After an absence: the record's tombstone decides when it was deleted.
        case readTombstone(RecordID, Hint, ObservedEntry)
        /// After a read was refused with this: whether anything can be read.
        indirect case readNobodys(after: Kind, RemoteError)
        case readPage([(id: RecordID, hint: Hint)])
        case readDuplicate(SecondKey)
        case removeDuplicate(SecondKey)
        /// The remote refused the version with this stamp, where that is known: what it holds decides what that means.
        case readRefused(RecordID, Stamp?, RemoteError)
        case write(Sent)
        /// For its ETag, before it is raised.
        case fetchTombstone(RecordID)
        case writeTombstone(RecordID, KnownTombstone)
        case remove(RecordID)
        case removeStray(String)
        case readStray(String)
        case batch(SentBatch)
        case serverTime(Keyspace, stream: Int)
        case firstLoad(Keyspace, stream: Int, from: String?, limit: Int, began: UInt64)
        case firstLoadKeys(Keyspace, stream: Int, from: String?, began: UInt64)
        case reconcile
        case askHorizon
        /// What this node has told the others, so often when that was asked, beside the snapshot of the records with this
        /// number.
        case askOwnEntry(snapshot: Int, told: UInt64)
        /// What is told: the server's time up to which tombstones are applied, and as what.
        case announce(UInt64, NodeCard)
        case peers
        /// A tombstone that may have ended.
        case readEnded(RecordID)
        case readHorizon
        case raiseHorizon(Stamp)
        case restoreHorizon
        case removeEnded(RecordID)
    }

    var kind: Kind
    /// In whose name it is made; nil for what the daemon does for all.
    var person: String?
    /// On the monotonic clock.
    var sentAt: UInt64

    /// The records of which a request is in flight.
    var records: [RecordID] { Job.records(of: kind) }

    static func records(of kind: Kind) -> [RecordID] {
        switch kind {
        case .readNobodys(let kind, _): records(of: kind)
        case .read(let id, _), .readTombstone(let id, _, _), .readRefused(let id, _, _), .fetchTombstone(let id),
            .writeTombstone(let id, _), .remove(let id), .readEnded(let id), .removeEnded(let id):
            [id]
        case .readDuplicate(let second), .removeDuplicate(let second): [second.id]
        case .write(let sent): [sent.id]
        case .batch(let batch): batch.records.map(\.id)
        case .readPage(let hints): hints.map(\.id)
        case .removeStray, .readStray, .serverTime, .firstLoad, .firstLoadKeys, .reconcile, .askHorizon,
            .askOwnEntry, .announce, .peers, .readHorizon, .raiseHorizon, .restoreHorizon:
            []
        }
    }
}
