internal import GRDB
internal import SQLiteFile

/// The statements that run once for every record, prepared when first needed.
struct RecordStatements {
    static let columns = """
        row, id, stamp, text, hash, common, named, deletion, base, baseStamp, baseLast, baseHash, baseText, baseCommon, \
        baseNamed, baseETag, remoteKey, observed, editedOver, tombStamp, tombEnded, tombETag, ownStamp, fresh, putBack, \
        live, pending, pendingSince, lastChange
        """

    private static let names = columns.split(separator: ", ").dropFirst(2)
    private static let findText = "SELECT \(columns) FROM record WHERE collection = ? AND id = ?"
    private static let updateText =
        "UPDATE record SET " + names.map { "\($0) = ?" }.joined(separator: ", ") + " WHERE row = ?"
    private static let insertText =
        "INSERT INTO record (\(names.joined(separator: ", ")), collection, id, row) VALUES "
        + placeholders(names.count + 3)
    private static let insertPlainText = insertingPlain(1)
    private static let insertManyText = insertingPlain(Transaction.recordsAtOnce)

    /// OR FAIL, so that SQLite need not keep what each page was for taking this one statement back: where it fails the
    /// transaction is taken back.
    private static func insertingPlain(_ count: Int) -> String {
        let row = placeholders(Int(UnwrittenRecord.parameters))
        let rows = Array(repeating: row, count: count).joined(separator: ", ")
        return "INSERT OR FAIL INTO record (\(UnwrittenRecord.columns)) VALUES \(rows)"
    }

    private static func placeholders(_ count: Int) -> String {
        "(" + Array(repeating: "?", count: count).joined(separator: ", ") + ")"
    }

    let find: HotStatement
    let update: HotStatement
    let insert: HotStatement
    let insertPlain: HotStatement
    let insertMany: HotStatement
    let acknowledge: HotStatement
    let register: HotStatement

    init(_ db: Database) throws {
        find = try HotStatement(db, RecordStatements.findText)
        update = try HotStatement(db, RecordStatements.updateText)
        insert = try HotStatement(db, RecordStatements.insertText)
        insertPlain = try HotStatement(db, RecordStatements.insertPlainText)
        insertMany = try HotStatement(db, RecordStatements.insertManyText)
        register = try HotStatement(db, "INSERT INTO operation (opID, at) VALUES (?, ?) ON CONFLICT DO NOTHING")
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
