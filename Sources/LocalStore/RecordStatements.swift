internal import GRDB
internal import SQLiteFile

/// The statements that run once for every record, prepared when first needed.
final class RecordStatements {
    static let columns = """
        row, id, stamp, text, hash, common, named, deletion, base, baseStamp, baseLast, baseHash, baseText, baseCommon, \
        baseNamed, baseETag, remoteKey, observed, editedOver, tombStamp, tombEnded, tombETag, ownStamp, fresh, putBack, \
        live, pending, pendingSince, lastChange
        """

    private static let names = columns.split(separator: ", ").dropFirst(2)
    /// Which column of ``next`` has the collection.
    static let collectionColumn = Int32(names.count + 2)
    private static let nextText = "SELECT \(columns), collection FROM record WHERE row > ? ORDER BY row"
    private static let findText = "SELECT \(columns) FROM record WHERE collection = ? AND id = ?"
    private static let updateText =
        "UPDATE record SET " + names.map { "\($0) = ?" }.joined(separator: ", ") + " WHERE row = ?"
    private static let insertText =
        "INSERT INTO record (\(names.joined(separator: ", ")), collection, id, row) VALUES "
        + "(" + Array(repeating: "?", count: names.count + 3).joined(separator: ", ") + ")"

    let find: HotStatement
    let next: HotStatement
    let update: HotStatement
    let insert: HotStatement
    let acknowledge: HotStatement

    init(_ db: Database) throws {
        find = try HotStatement(db, RecordStatements.findText)
        next = try HotStatement(db, RecordStatements.nextText)
        update = try HotStatement(db, RecordStatements.updateText)
        insert = try HotStatement(db, RecordStatements.insertText)
        acknowledge = try HotStatement(
            db,
            """
            UPDATE record SET fresh = NULL, base = 2, baseStamp = stamp, baseLast = NULL, baseHash = NULL,
            baseText = NULL, baseCommon = NULL, baseNamed = NULL, baseETag = NULL, pending = 0, pendingSince = NULL
            WHERE row = ? AND id = ? AND stamp = ? AND hash = ? AND pending = 1 AND base < 2
            AND named IS NULL AND common IS NULL AND deletion IS NULL AND remoteKey IS NULL AND observed IS NULL
            """)
    }
}
