package import SyncModel

/// Where the state has a tombstone, or a delete, and its stamp.
package struct RowOfTombstone: Hashable, Sendable {
    package let row: Int64
    package let id: RecordID
    package let stamp: Stamp

    package init(row: Int64, id: RecordID, stamp: Stamp) {
        self.row = row
        self.id = id
        self.stamp = stamp
    }
}

/// The node's state as an open transaction: what a machine may read and write. All that one input changes commits
/// together, or nothing does (`docs/protocol.md` section 5).
///
/// The store's transaction conforms to it. What stands below "primitives" is only called by `RecordBook+records.swift`,
/// `+holds` and `+quarantine`, so that whether a record is pending is worked out anew wherever it may have changed.
package protocol RecordBook: AnyObject {
    /// The node's clock; stored with the transaction when it has moved.
    var clock: HybridClock { get set }
    /// The number of this run of the daemon.
    var run: Int64 { get }

    /// The state of a record; an empty one where nothing is known of it.
    func record(_ key: RecordKey) throws -> StoredRecord
    /// The ids of all records that must be pushed, those that wait longest first.
    func pendingIDs(in collection: CollectionID) throws -> [RecordID]
    /// The records whose keys are made of fields, and stand below this one, deleted ones included.
    func records(of collection: CollectionID, under key: String) throws -> [RecordID]
    /// The tombstones that the remote is known to hold, with stamps above `after` and up to `through`, the oldest first.
    func tombstones(of collection: CollectionID, after: Stamp?, through: Stamp, limit: Int) throws -> [RowOfTombstone]
    /// The deleted records, by the stamps of their deletes, likewise.
    func deletes(of collection: CollectionID, after: Stamp?, through: Stamp, limit: Int) throws -> [RowOfTombstone]
    /// Forgets all of a record. It is neither held nor in quarantine.
    func forget(_ stored: StoredRecord) throws
    /// Calls `body` with the row and the id of each record of a collection whose base is present, in the order of ids.
    func forEachInBase(of collection: CollectionID, _ body: (_ row: Int64, _ id: RecordID) throws -> Void) throws
    /// How many of what a collection holds, this transaction included.
    func counts(of collection: CollectionID) throws -> CollectionCounts

    /// A cursor or another small value; nil where it was never set.
    func value(_ name: String) throws -> [UInt8]?
    func setValue(_ name: String, _ value: [UInt8]) throws
    /// As if it had never been set.
    func removeValue(_ name: String) throws
    /// Notes operations; false for one that was noted before, or stands before in `marks`: it must have no effect.
    ///
    /// - Parameter forgetsOld: whether those that are too old at `now` go.
    @discardableResult
    func registerOperations(_ marks: [OperationMark], now: UInt64, forgetsOld: Bool) throws -> [Bool]
    /// Those of the marks that were noted.
    func noted(_ marks: [OperationMark]) throws -> Set<OperationMark>
    /// Adds an entry to the change feed.
    ///
    /// - Parameter previous: the number of the record's entry before this one.
    /// - Returns: the entry's number, one more than the one before it.
    func append(
        change kind: Change.Kind, origin: Change.Origin, of key: RecordKey, _ version: Version, at: UInt64,
        past: ChangePast?, previous: Int64?
    ) throws -> Int64
    /// The changes of a record with numbers below `sequence` that are kept, newest first, at most `limit`.
    ///
    /// - Parameter last: the number of the last one, where the record itself is forgotten.
    func changes(of key: RecordKey, endingWith last: Int64?, before sequence: Int64, limit: Int) throws -> [Change]
    /// Notes that a later version of a record shows what it has been since this change.
    func note(laterStamp stamp: Stamp, ofChange sequence: Int64) throws
    /// Adds a decided conflict to the ledger, unless it is there already.
    func append(conflict entry: LedgerEntry) throws

    func holds() throws -> [Hold]
    /// Those of a kind: there may be thousands of another one.
    func holds(of kind: HoldKind) throws -> [Hold]
    func hold(_ number: Int64) throws -> Hold?
    /// Raises a hold and gives its number.
    func raise(_ hold: Hold) throws -> Int64
    /// Says anew why a hold waits; it stays the same one.
    func setReason(_ reason: String, ofHold number: Int64) throws
    /// Whether any hold names a record at all: most of the time none does.
    func anyHeld() throws -> Bool
    /// What holds name this record, in the order it happened.
    func held(_ key: RecordKey) throws -> [HeldRecord]
    /// Whether a hold names this record, which takes no longer where many of its lines wait.
    func isHeld(_ key: RecordKey) throws -> Bool
    /// The last line of the journal that waits for this record in a hold, but for those with these numbers.
    func lastWaitingLine(of key: RecordKey, but numbers: Set<Int64>) throws -> HeldRecord?
    /// Whether this very line waits, in a hold that names its record or in the quarantine.
    func waits(_ line: ArraySlice<UInt8>, of key: RecordKey) throws -> Bool
    /// All that a hold names, in the order it happened.
    func held(by hold: Int64) throws -> [HeldRecord]
    /// Whether a hold names any, which takes no longer where it names many.
    func namesAny(hold: Int64) throws -> Bool

    /// Whether anything of a record is in quarantine at all: most of the time nothing is.
    func anyQuarantined() throws -> Bool
    /// The item with this number, or nil.
    func quarantined(_ number: Int64) throws -> QuarantinedItem?
    /// The items of one record (its id, or its key in the remote), in the order they came.
    func quarantined(collection: CollectionID, record: String) throws -> [QuarantinedItem]
    /// The same, but for lines of the journal, which may be many.
    func quarantinedAtRemote(collection: CollectionID, record: String) throws -> [QuarantinedItem]
    /// The items with this code, in the order they came.
    func quarantined(code: Defect.Code, in collection: CollectionID) throws -> [QuarantinedItem]
    /// The lowest stamp among the items with this code; nil where none has one.
    func lowestStamp(quarantined code: Defect.Code, in collection: CollectionID) throws -> Stamp?
    /// Whether this version of a record was refused before, and is out of the quarantine for another attempt.
    func wasRefused(_ key: RecordKey, at stamp: Stamp?) throws -> Bool
    /// Remembers the attempts of an item of the push that is about to be tried again.
    func noteRetried(_ item: QuarantinedItem) throws
    /// Forgets that more of what the remote shows of a collection is set aside than is listed.
    func forgetUnlisted(of collection: CollectionID) throws
    /// Notes that another attempt failed, and the item's stamp where that gave it one.
    func noteAttempt(_ item: QuarantinedItem, _ defect: Defect) throws

    // MARK: Primitives

    /// Stores a record's state, and gives its row.
    @discardableResult
    func save(_ stored: StoredRecord, pending: Pending, now: UInt64) throws -> Int64
    /// Notes that the remote holds a live record's version, in the simple case: nothing but the push has happened to the
    /// record since. False where it is not so simple, and nothing was changed.
    func acknowledge(_ key: RecordKey, row: Int64, _ sent: StampedContent, at stamp: Stamp) throws -> Bool
    func insertHeld(_ key: RecordKey, hold: Int64, payload: [UInt8]?, lastEdit: Stamp, source: LineSource?) throws
    func removeHeld(_ held: HeldRecord) throws
    /// Removes a hold with all that it names.
    func removeHold(_ number: Int64) throws
    /// Puts an item into quarantine. An item of the push or pull of the same record takes the place of the earlier one.
    func insertQuarantined(_ item: QuarantinedItem) throws
    func removeQuarantined(_ item: QuarantinedItem) throws
}
