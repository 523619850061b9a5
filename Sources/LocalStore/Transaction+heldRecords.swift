internal import Foundation
internal import GRDB
package import SyncModel

extension Transaction {
    /// The records that a hold names, each once, in the order they came; at most `limit`.
    package func heldKeys(by hold: Int64, limit: Int = .max) throws -> [RecordKey] {
        try Row.fetchAll(
            db,
            sql: "SELECT collection, id FROM held WHERE hold = ? GROUP BY collection, id ORDER BY min(number) LIMIT ?",
            arguments: [hold, Int64(clamping: limit)]
        ).compactMap { row in try row.recordID(1).map { RecordKey(try name(row[0] as Int64), $0) } }
    }

    package func namesAny(hold: Int64) throws -> Bool {
        let any = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM held WHERE hold = ?)")
        return try Bool.fetchOne(any, arguments: [hold]) ?? false
    }

    func names(_ key: RecordKey, hold: Int64) throws -> Bool {
        let any = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM held WHERE hold = ? AND collection = ? AND id = ?)")
        return try Bool.fetchOne(any, arguments: [hold, try knownNumber(key.collection), key.id.blob]) ?? false
    }

    /// A hold names so many records more.
    func count(_ change: Int, ofHold number: Int64) throws {
        try db.cachedStatement(sql: "UPDATE hold SET count = count + ? WHERE number = ?").execute(
            arguments: [change, number])
    }
}
