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
    /// The columns that a record of ``UnacknowledgedRows`` has: what the others would say is known of it.
    private static let nextNewText =
        "SELECT row, id, stamp, text, hash, ownStamp, putBack, lastChange FROM record WHERE row > ? ORDER BY row"
    private static let findText = "SELECT \(columns) FROM record WHERE row = \(RecordIndex.rowText)"
    private static let updateText =
        "UPDATE record SET " + names.map { "\($0) = ?" }.joined(separator: ", ") + " WHERE row = ?"
    private static let insertText =
        "INSERT INTO record (\(names.joined(separator: ", ")), collection, id, row) VALUES "
        + "(" + Array(repeating: "?", count: names.count + 3).joined(separator: ", ") + ")"

    private static let acknowledgeText = """
        UPDATE record SET fresh = NULL, base = 2, baseStamp = stamp, baseLast = NULL, baseHash = NULL,
        baseText = NULL, baseCommon = NULL, baseNamed = NULL, baseETag = NULL, pending = 0, pendingSince = NULL
        WHERE row = ? AND id = ? AND stamp = ? AND hash = ? AND pending = 1 AND base < 2
        AND named IS NULL AND common IS NULL AND deletion IS NULL AND remoteKey IS NULL AND observed IS NULL
        """

    private let db: Database
    private var prepared: [HotStatement?] = Array(repeating: nil, count: Use.allCases.count)

    private enum Use: Int, CaseIterable { case find, next, nextNew, update, insert, acknowledge }

    init(_ db: Database) { self.db = db }

    /// Most transactions need one or two of them, and to look all of them up costs more than to run one.
    private func statement(_ use: Use, _ text: String) throws -> HotStatement {
        if let statement = prepared[use.rawValue] { return statement }
        let statement = try HotStatement(db, text)
        prepared[use.rawValue] = statement
        return statement
    }

    /// A record by its collection and its id.
    var find: HotStatement { get throws { try statement(.find, RecordStatements.findText) } }
    /// The records with rows above one.
    var next: HotStatement { get throws { try statement(.next, RecordStatements.nextText) } }
    var nextNew: HotStatement { get throws { try statement(.nextNew, RecordStatements.nextNewText) } }
    var update: HotStatement { get throws { try statement(.update, RecordStatements.updateText) } }
    var insert: HotStatement { get throws { try statement(.insert, RecordStatements.insertText) } }
    var acknowledge: HotStatement { get throws { try statement(.acknowledge, RecordStatements.acknowledgeText) } }
}
