internal import Foundation
internal import GRDB
package import SyncModel

/// How often a version was refused, while it is out of the quarantine for another attempt.
extension Transaction {
    /// Remembers the attempts of an item of the push that is about to be tried again.
    package func noteRetried(_ item: QuarantinedItem) throws {
        guard let collection = item.collection, let record = item.record else { return }
        try db.execute(
            sql: "INSERT OR REPLACE INTO attempted VALUES (?, ?, ?, ?, ?)",
            arguments: [collection.name, record, item.stamp?.blob, Int64(item.since), item.attempts])
    }

    package func wasRefused(_ key: RecordKey, at stamp: Stamp?) throws -> Bool {
        let find = try db.cachedStatement(sql: "SELECT stamp FROM attempted WHERE collection = ? AND record = ?")
        let row = try Row.fetchOne(find, arguments: [key.collection.name, key.id.description])
        return row.map { $0.stamp(0) == stamp } ?? false
    }

    /// Forgets the attempts of what did not come back.
    package func forgetRetried() throws { try db.execute(sql: "DELETE FROM attempted") }

    /// `item` as it comes back: with the attempts of before where it is the same version.
    func withEarlierAttempts(_ item: QuarantinedItem) throws -> QuarantinedItem {
        guard item.source == .push, let collection = item.collection, let record = item.record else { return item }
        let find = try db.cachedStatement(
            sql: "SELECT stamp, since, attempts FROM attempted WHERE collection = ? AND record = ?")
        guard let row = try Row.fetchOne(find, arguments: [collection.name, record]) else { return item }
        try db.execute(
            sql: "DELETE FROM attempted WHERE collection = ? AND record = ?", arguments: [collection.name, record])
        var item = item
        if row.stamp(0) == item.stamp {
            item.since = UInt64(row[1] as Int64)
            item.attempts += row[2] as Int
        }
        return item
    }
}
