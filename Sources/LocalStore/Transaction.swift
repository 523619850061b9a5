internal import GRDB
internal import SQLiteFile
internal import SyncCore
package import SyncModel

/// One open transaction (or one consistent view) of the state.
///
/// Used only inside the closure it was handed to.
package final class Transaction: JournalBook {
    /// The database, for what neither reads nor writes records.
    let connection: Database
    private let node: NodeID
    let limits: StoreLimits
    let presence: Presence
    private let storedClock: Stamp?
    /// The node's clock; stored with the transaction when it has moved.
    package var clock: HybridClock
    package internal(set) var effects = StoreEffects()
    let statements: RecordStatements
    var recordRun: RecordRun
    /// How many items the quarantine lists of a collection and a source, where that was counted.
    var quarantineListed: [QuarantineList: Int] = [:]
    /// Those that are known to have an item for all that are not listed: it is looked for among thousands.
    var quarantineHasMore: Set<QuarantineList> = []
    /// Entries of the feed that are not in its table yet.
    var unwritten: [UnwrittenChange] = []
    var changeInserter: RowInserter
    /// The highest number that an entry of the feed has, where that is known.
    var lastSequence: Int64?
    /// Whether any hold names a record, where that is known.
    var anyHeldCached: Bool?
    /// Whether anything of a record is in quarantine, likewise.
    var anyQuarantinedCached: Bool?
    /// New records that are not in their table yet, and the ends of their ids.
    var unwrittenRecords: [UnwrittenRecord] = []
    var unwrittenIDs: [UInt64] = []
    var recordInserter: RowInserter
    var indexInserter: RowInserter
    /// How many records were added to the index.
    var indexed = 0
    private let recordIndex: RecordIndex
    let rowNumbers: RowNumbers
    var unacknowledged: UnacknowledgedRows
    var collectionNumbers = CollectionNumbers()
    var collectionNames: [Int64: CollectionID] = [:]

    package let run: Int64

    init(_ db: Database, _ store: LocalStore) throws {
        connection = db
        statements = RecordStatements(db)
        recordRun = RecordRun(statements)
        changeInserter = RowInserter(UnwrittenChange.table, db)
        recordInserter = RowInserter(UnwrittenRecord.table, db)
        indexInserter = RowInserter(RecordIndex.table, db)
        (node, run, limits) = (store.node, store.run, store.limits)
        (presence, rowNumbers, recordIndex) = (store.presence, store.rowNumbers, store.recordIndex)
        unacknowledged = try UnacknowledgedRows(db)
        storedClock = try MetaTable(db: connection).value("clock").flatMap { Stamp(bytes: $0) }
        clock = HybridClock(node: node, persisted: storedClock, began: store.nodeBegan)
    }

    deinit { recordRun.end() }

    /// The database, with all that was stored so far.
    var db: Database {
        get throws {
            try writeNewRecords()
            try unacknowledged.write(connection)
            return connection
        }
    }

    func finish() throws {
        recordRun.end()
        try writeNewRecords()
        try unacknowledged.write(connection)
        try recordIndex.keep(within: limits.recordLevels, added: indexed, in: connection)
        if storedClock != clock.last, clock.last.physical > 0 {
            try MetaTable(db: connection).set("clock", clock.last.bytes)
        }
        try writeChanges()
        try keepWithinLimits()
        try saveCounts()
        // By now they name what they wait for; what has ended again is nobody's matter.
        effects.raised = try effects.raised.compactMap { try hold($0.number) }
    }

    /// A cursor or another small value that must commit with what it stands for; nil where it was never set.
    package func value(_ name: String) throws -> [UInt8]? { try MetaTable(db: connection).value("value." + name) }

    package func setValue(_ name: String, _ value: [UInt8]) throws {
        try MetaTable(db: connection).set("value." + name, value)
    }

    package func removeValue(_ name: String) throws { try MetaTable(db: connection).remove("value." + name) }

    /// From now on lines found at a start have the file's time: all that were there before this state was made are read.
    package func backlogTimeIsKnown() throws { try MetaTable(db: connection).remove("unknownTime") }

    func number(_ collection: CollectionID) throws -> Int64 {
        if let number = collectionNumbers[collection] { return number }
        let known = try knownNumber(collection)
        if known >= 0 {
            collectionNumbers.add(collection, known)
            return known
        }
        try connection.execute(sql: "INSERT INTO collection (name) VALUES (?)", arguments: [collection.name])
        let number = connection.lastInsertedRowID
        collectionNumbers.add(collection, number)
        return number
    }

    /// The collection's number where it has one: a reader can't make one.
    func knownNumber(_ collection: CollectionID) throws -> Int64 {
        let find = try HotStatement(connection, "SELECT number FROM collection WHERE name = ?")
        find.bind(1, collection.name)
        defer { find.reset() }
        return try find.next() ? find.integer(0) ?? -1 : -1
    }

    func name(_ number: Int64) throws -> CollectionID {
        if let name = collectionNames[number] { return name }
        let text = try String.fetchOne(
            try db.cachedStatement(sql: "SELECT name FROM collection WHERE number = ?"), arguments: [number])
        let name = text.flatMap { CollectionID($0) } ?? "unknown"
        collectionNames[number] = name
        return name
    }

    func count(_ collection: CollectionID, _ change: (inout CollectionCounts) -> Void) {
        change(&effects.counts[collection, default: CollectionCounts()])
    }
}
