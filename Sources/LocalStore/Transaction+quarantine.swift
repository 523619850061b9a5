internal import Foundation
internal import GRDB
internal import SQLiteFile
package import SyncModel

extension Transaction {
    private static let quarantineColumns =
        "number, source, collection, record, code, reason, since, attempts, file, offset, length, stamp, payload, "
        + "isTombstone, madeAt"

    /// Whether anything of a record is in quarantine at all: most of the time nothing is.
    package func anyQuarantined() throws -> Bool {
        if let anyQuarantinedCached { return anyQuarantinedCached }
        let any = try HotStatement(
            connection, "SELECT EXISTS (SELECT 1 FROM quarantine WHERE record IS NOT NULL)"
        ).isTrue()
        anyQuarantinedCached = any
        return any
    }

    /// An item that is there already. By the index of records: the one of sources has thousands of rows at a time.
    static let repeatedItem = """
        UPDATE quarantine SET code = ?, reason = ?, attempts = attempts + 1, stamp = ?
        WHERE collection = ? AND record = ? AND +source = ? AND isTombstone = ?
        """

    package func insertQuarantined(_ item: QuarantinedItem) throws {
        anyQuarantinedCached = nil
        if item.source != .journal, let collection = item.collection, let record = item.record {
            let update = try db.cachedStatement(sql: Transaction.repeatedItem)
            try update.execute(arguments: [
                item.defect.code.word, item.defect.message, item.stamp?.blob, collection.name, record,
                item.source.rawValue, item.isTombstone,
            ])
            if connection.changesCount > 0 { return }
        }
        if item.source != .journal {
            let list = QuarantineList(collection: item.collection?.name, source: item.source.rawValue)
            if try listed(list) >= limits.quarantined, try !mustBeNamed(item) { return try noteMore(item, list) }
            quarantineListed[list]? += 1
        }
        try insertRow(withEarlierAttempts(item))
    }

    private func insertRow(_ item: QuarantinedItem) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO quarantine
                (source, collection, record, code, reason, since, attempts, file, offset, length, stamp, payload,
                    isTombstone, madeAt)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            item.source.rawValue, item.collection?.name, item.record, item.defect.code.word, item.defect.message,
            Int64(item.since), item.attempts, item.file, item.offset, item.length, item.stamp?.blob,
            item.payload?.blob, item.isTombstone, item.madeAt.map { Int64(clamping: $0) },
        ])
        countQuarantined(item, 1)
    }

    /// How many items of a collection and a source there are.
    private func listed(_ list: QuarantineList) throws -> Int {
        if let known = quarantineListed[list] { return known }
        let count = try db.cachedStatement(
            sql: "SELECT count(*) FROM quarantine WHERE collection IS ? AND source = ?")
        let listed = try Int.fetchOne(count, arguments: [list.collection, list.source]) ?? 0
        quarantineListed[list] = listed
        return listed
    }

    /// Whether an item keeps a record from being pushed, and must stand by itself however many there are.
    private func mustBeNamed(_ item: QuarantinedItem) throws -> Bool {
        guard let collection = item.collection, let id = item.record.flatMap({ RecordID($0) }) else { return false }
        return try record(RecordKey(collection, id)).row != nil
    }

    /// Says that there are more than are listed.
    private func noteMore(_ item: QuarantinedItem, _ list: QuarantineList) throws {
        guard quarantineHasMore.insert(list).inserted, try more(list).isEmpty else { return }
        let reason = "\(limits.quarantined) items are listed, and there are more"
        var more = QuarantinedItem(item.source, Defect(.more, reason), since: item.since)
        more.collection = item.collection
        try insertRow(more)
    }

    private func more(_ list: QuarantineList) throws -> [QuarantinedItem] {
        try quarantined(code: .more, in: list.collection.flatMap { CollectionID($0) } ?? .default)
            .filter { $0.source.rawValue == list.source }
    }

    /// To be called before all of a collection is shown: what is still wrong comes by itself.
    package func forgetUnlisted(of collection: CollectionID) throws {
        let list = QuarantineList(collection: collection.name, source: QuarantinedItem.Source.pull.rawValue)
        for more in try more(list) { try removeQuarantined(more) }
    }

    private func countQuarantined(_ item: QuarantinedItem, _ change: Int) {
        if item.source == .journal { effects.quarantinedFromJournal += change }
        if let collection = item.collection {
            count(collection) { $0.quarantined += change }
        } else {
            effects.quarantinedElsewhere += change
        }
    }

    /// The items with numbers above `after`, at most `limit`.
    package func quarantined(after number: Int64, limit: Int) throws -> [QuarantinedItem] {
        try Row.fetchAll(
            try db.cachedStatement(
                sql: """
                    SELECT \(Transaction.quarantineColumns) FROM quarantine
                    WHERE number > ? ORDER BY number LIMIT ?
                    """), arguments: [number, limit]
        ).map(item)
    }

    /// The item with this number, or nil.
    package func quarantined(_ number: Int64) throws -> QuarantinedItem? {
        try Row.fetchOne(
            try db.cachedStatement(sql: "SELECT \(Transaction.quarantineColumns) FROM quarantine WHERE number = ?"),
            arguments: [number]
        ).map(item)
    }

    /// The items of one record, in the order they came.
    package func quarantined(collection: CollectionID, record: String) throws -> [QuarantinedItem] {
        try Row.fetchAll(
            try db.cachedStatement(
                sql: """
                    SELECT \(Transaction.quarantineColumns) FROM quarantine
                    WHERE collection = ? AND record = ? ORDER BY number
                    """), arguments: [collection.name, record]
        ).map(item)
    }

    package func quarantinedAtRemote(collection: CollectionID, record: String) throws -> [QuarantinedItem] {
        try Row.fetchAll(
            try db.cachedStatement(sql: Transaction.itemsAtRemote), arguments: [collection.name, record]
        ).map(item)
    }

    static let itemsAtRemote = """
        SELECT \(Transaction.quarantineColumns) FROM quarantine
        WHERE collection = ? AND record = ? AND source IN ('pull', 'push') ORDER BY number
        """

    /// The items with this code, in the order they came.
    package func quarantined(code: Defect.Code, in collection: CollectionID) throws -> [QuarantinedItem] {
        try Row.fetchAll(
            try db.cachedStatement(
                sql: """
                    SELECT \(Transaction.quarantineColumns) FROM quarantine
                    WHERE collection = ? AND code = ? ORDER BY number
                    """), arguments: [collection.name, code.word]
        ).map(item)
    }

    package func lowestStamp(quarantined code: Defect.Code, in collection: CollectionID) throws -> Stamp? {
        let sql = "SELECT min(stamp) FROM quarantine WHERE collection = ? AND code = ?"
        return try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [collection.name, code.word])?.stamp(0)
    }

    /// How many items belong to none of the collections.
    package func quarantinedElsewhere(than collections: [CollectionID] = []) throws -> Int {
        let all = try Int.fetchOne(db, sql: "SELECT count(*) FROM quarantine") ?? 0
        let known = try collections.reduce(0) { count, collection in
            let arguments: StatementArguments = [collection.name]
            return try count
                + (Int.fetchOne(db, sql: "SELECT count(*) FROM quarantine WHERE collection = ?", arguments: arguments)
                    ?? 0)
        }
        return all - known
    }

    /// How many items came from the journal.
    package func quarantinedFromJournal() throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM quarantine WHERE source = 'journal'") ?? 0
    }

    package func removeQuarantined(_ item: QuarantinedItem) throws {
        anyQuarantinedCached = nil
        try db.cachedStatement(sql: "DELETE FROM quarantine WHERE number = ?").execute(arguments: [item.number])
        guard connection.changesCount > 0 else { return }
        countQuarantined(item, -1)
        guard item.source != .journal else { return }
        let list = QuarantineList(collection: item.collection?.name, source: item.source.rawValue)
        guard item.defect.code != .more else {
            quarantineHasMore.remove(list)
            return
        }
        if let known = quarantineListed[list] { quarantineListed[list] = known - 1 }
    }

    /// Notes that another attempt failed, and the item's stamp and record where that has told them.
    package func noteAttempt(_ item: QuarantinedItem, _ defect: Defect) throws {
        if item.collection != nil, let before = try quarantined(item.number), before.collection == nil {
            countQuarantined(before, -1)
            countQuarantined(item, 1)
        }
        try db.cachedStatement(
            sql: """
                UPDATE quarantine SET attempts = attempts + 1, code = ?, reason = ?, stamp = coalesce(?, stamp),
                    collection = coalesce(collection, ?), record = coalesce(record, ?)
                WHERE number = ?
                """
        ).execute(arguments: [
            defect.code.word, defect.message, item.stamp?.blob, item.collection?.name, item.record, item.number,
        ])
    }

    private func item(_ row: Row) -> QuarantinedItem {
        var item = QuarantinedItem(
            QuarantinedItem.Source(rawValue: row[1]) ?? .journal, Defect(Defect.Code(row[4]), row[5]),
            since: UInt64(row[6] as Int64))
        item.number = row[0]
        item.collection = (row[2] as String?).flatMap { CollectionID($0) }
        item.record = row[3]
        item.attempts = row[7]
        item.file = row[8]
        item.offset = row[9]
        item.length = row[10]
        item.stamp = row.stamp(11)
        item.payload = row.bytes(12)
        item.isTombstone = row[13]
        item.madeAt = (row[14] as Int64?).map { UInt64(clamping: $0) }
        return item
    }
}

/// The items of one collection and one source.
struct QuarantineList: Hashable {
    var collection: String?
    var source: String
}
