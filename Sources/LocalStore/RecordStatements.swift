internal import GRDB
internal import SQLiteFile

/// The statements that run once for every record, prepared when first needed.
struct RecordStatements {
    static let columns = """
        row, id, stamp, text, hash, provisional, overProvisional, keptStamp, keptText, observed, ownStamp, fresh, \
        blocked, base, baseStamp, baseLast, baseHash, baseText, baseETag, baseKey, tombStamp, tombEnded, tombETag, \
        pending, pendingSince
        """

    let find: HotStatement
    let update: HotStatement
    let insert: HotStatement
    let acknowledge: HotStatement

    init(_ db: Database) throws {
        let names = RecordStatements.columns.split(separator: ", ").dropFirst(2)
        find = try HotStatement(db, "SELECT \(RecordStatements.columns) FROM record WHERE collection = ? AND id = ?")
        update = try HotStatement(
            db, "UPDATE record SET " + names.map { "\($0) = ?" }.joined(separator: ", ") + " WHERE row = ?")
        insert = try HotStatement(
            db,
            "INSERT INTO record (\(names.joined(separator: ", ")), collection, id) VALUES ("
                + Array(repeating: "?", count: names.count + 2).joined(separator: ", ") + ")")
        acknowledge = try HotStatement(
            db,
            """
            UPDATE record SET fresh = NULL, base = 2, baseStamp = stamp, baseLast = NULL, baseHash = hash,
            baseText = NULL, baseETag = NULL, baseKey = NULL, pending = 0, pendingSince = NULL
            WHERE collection = ? AND id = ? AND stamp = ? AND hash = ? AND pending = 1 AND base < 2
            AND provisional = 0 AND overProvisional = 0 AND keptStamp IS NULL AND observed IS NULL
            AND blocked IS NULL
            """)
    }
}
