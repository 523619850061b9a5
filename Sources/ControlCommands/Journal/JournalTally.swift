internal import SyncModel

/// What the lines of a journal say, counted; and what they would make of nothing.
struct JournalTally: Sendable {
    struct Collection: Codable, Hashable, Sendable {
        var creates = 0
        var updates = 0
        var deletes = 0
        /// Different records that were made or deleted.
        var records = 0
        /// Of these, the ones that are there in the end.
        var live = 0
        /// Updates of records that no line before has made: they wait in quarantine, unless the daemon knows the record.
        var updatesOfUnknown = 0
    }

    private(set) var collections: [String: Collection] = [:]
    /// Lines whose `opID` an earlier line has: they have no effect.
    private(set) var repeated = 0
    /// Milliseconds since 1970; nil where no line says.
    private(set) var earliest: UInt64?
    private(set) var latest: UInt64?
    private(set) var withoutTime = 0
    private var opIDs: Set<String> = []
    private var states: [RecordKey: Bool] = [:]

    mutating func add(_ operation: Operation) {
        if let at = operation.at {
            earliest = min(earliest ?? at, at)
            latest = max(latest ?? at, at)
        } else {
            withoutTime += 1
        }
        if let opID = operation.opID, !opIDs.insert(opID).inserted {
            repeated += 1
            return
        }
        apply(operation)
    }

    private mutating func apply(_ operation: Operation) {
        let before = states[operation.key]
        var collection = collections[operation.key.collection.name, default: Collection()]
        defer { collections[operation.key.collection.name] = collection }
        if operation.kind == .update, before != true {
            collection.updates += 1
            collection.updatesOfUnknown += 1
            return
        }
        if before == nil { collection.records += 1 }
        let isLive = operation.kind != .delete
        switch operation.kind {
        case .create: collection.creates += 1
        case .update: collection.updates += 1
        case .delete: collection.deletes += 1
        }
        collection.live += (isLive ? 1 : 0) - (before == true ? 1 : 0)
        states[operation.key] = isLive
    }
}
