internal import GRDB
internal import SQLiteFile
internal import SyncModel

/// A new record that is not in its table yet: what stands in the columns of a plain one, while the others are null.
struct UnwrittenRecord {
    private let row: Int64
    private let collection: Int64
    private let id: RecordID
    private let stamp: Stamp?
    private let content: Content?
    private let baseKind: Int64
    private let baseStamp: Stamp?
    private let ownStamp: Stamp?
    private let newInRun: Int64?
    private let timesPutBack: Int64
    private let isLive: Bool
    private let pending: Pending
    /// Since when it is pending, milliseconds since 1970.
    private let pendingSince: Int64?
    private let lastChange: Int64?

    static let table = RowInserter.Table(
        "record",
        """
        row, collection, id, stamp, text, hash, base, baseStamp, ownStamp, fresh, putBack, live, pending, pendingSince, \
        lastChange
        """)

    /// - Parameter stored: whose state is plain.
    init(_ stored: StoredRecord, row: Int64, collection: Int64, _ pending: Pending, since: Int64?) {
        (self.row, self.collection, self.pending, pendingSince) = (row, collection, pending, since)
        id = stored.state.key.id
        stamp = stored.state.stamp
        content = stored.state.known.fields?.content
        baseKind = stored.state.base.kind
        baseStamp = stored.state.remote?.stamp
        ownStamp = stored.state.ownStamp
        newInRun = stored.state.newInRun
        timesPutBack = Int64(stored.state.timesPutBack)
        isLive = stored.state.isLive
        lastChange = stored.lastChange
    }

    /// The run that it makes where it stands in its table as if it were acknowledged; nil where it can't be.
    var run: UnacknowledgedRows.Run? {
        guard pending == .yes, baseKind < RecordState.Base.complete, let pendingSince else { return nil }
        return UnacknowledgedRows.Run(
            rows: row...row, collection: collection, isAbsent: baseKind == RecordState.Base.absent.kind,
            newInRun: newInRun, pendingSince: pendingSince)
    }

    /// Binds what the index has of it, after `last`.
    func bindPlace(to statement: HotStatement, after last: Int32) {
        RecordIndex.bind(collection, id, row: row, to: statement, after: last)
    }

    /// Binds its parameters after `last`.
    ///
    /// - Parameter isInRun: whether a run says that it is not acknowledged: the row says that it is.
    func bind(to statement: HotStatement, after last: Int32, isInRun: Bool) {
        statement.bind(last + 1, row)
        statement.bind(last + 2, collection)
        statement.bind(last + 3, id)
        statement.bind(last + 4, stamp)
        statement.bind(last + 5, content?.text)
        statement.bind(last + 6, content?.hash)
        statement.bind(last + 7, isInRun ? RecordState.Base.complete : baseKind)
        statement.bind(last + 8, isInRun ? stamp : baseStamp)
        statement.bind(last + 9, ownStamp)
        statement.bind(last + 10, isInRun ? nil : newInRun)
        statement.bind(last + 11, timesPutBack)
        statement.bind(last + 12, isLive ? 1 : 0)
        statement.bind(last + 13, Int64(isInRun ? Pending.no.rawValue : pending.rawValue))
        statement.bind(last + 14, isInRun ? nil : pendingSince)
        statement.bind(last + 15, lastChange)
    }
}

extension RecordState {
    /// Whether all that is known of it stands in the columns of an ``UnwrittenRecord``.
    var isPlain: Bool {
        guard let fields = known.fields, known.deletion == nil, fields.stamps.named.isEmpty,
            fields.stamps.common == stamp, remoteKey == nil, observed == nil, editedOver.isEmpty, tombstone == nil
        else { return false }
        guard let remote else { return true }
        return remote.lastStamp == nil && remote.etag == nil && remote.content == fields.content
            && remote.fieldStamps == fields.stamps
    }
}

/// New records go into their table many at a time: that takes half of what single ones do. Whoever else looks into the
/// database finds them there, because ``db`` writes them first.
extension Transaction {
    /// Adds a record that has no row; gives the one that it gets.
    func insert(_ stored: StoredRecord, pending: Pending, now: UInt64) throws -> Int64 {
        let row = try rowNumbers.next(connection)
        presence.insert(stored.state.key.id)
        let collection = try number(stored.state.key.collection)
        guard stored.state.isPlain else {
            let insert = try statements.insert
            insert.bind(stored, pending: pending, now: now)
            insert.bind(28, collection)
            insert.bind(29, stored.state.key.id)
            insert.bind(30, row)
            try insert.run()
            try addToIndex(collection, stored.state.key.id, row: row)
            return row
        }
        let since = pending == .no ? nil : stored.pendingSince ?? Int64(now)
        unwrittenRecords.append(
            UnwrittenRecord(stored, row: row, collection: collection, pending, since: since))
        unwrittenIDs.append(stored.state.key.id.low)
        if unwrittenRecords.count == RowInserter.rowsAtOnce { try writeNewRecords() }
        return row
    }

    /// Writes the new records that are not in their table yet.
    func writeNewRecords() throws {
        guard !unwrittenRecords.isEmpty else { return }
        let run = runOfUnwritten
        try recordInserter.insert(unwrittenRecords) { record, statement, last in
            record.bind(to: statement, after: last, isInRun: run != nil)
        }
        try indexInserter.insert(unwrittenRecords) { record, statement, last in
            record.bindPlace(to: statement, after: last)
        }
        indexed += unwrittenRecords.count
        if let run { unacknowledged.append(run) }
        unwrittenRecords.removeAll(keepingCapacity: true)
        unwrittenIDs.removeAll(keepingCapacity: true)
        try writeOutShortRuns()
    }

    /// The run that all that are not in their table yet make, where they are several and alike.
    private var runOfUnwritten: UnacknowledgedRows.Run? {
        guard unwrittenRecords.count > 1 else { return nil }
        var run: UnacknowledgedRows.Run?
        for record in unwrittenRecords {
            guard let next = record.run else { return nil }
            if run == nil { run = next } else if run?.extend(by: next) != true { return nil }
        }
        return run
    }
}
