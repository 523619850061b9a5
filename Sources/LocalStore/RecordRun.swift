internal import SQLiteFile
internal import SyncModel

/// Finds records that are looked for one after the other in the order of their rows, as those that wait to be pushed are:
/// the next row is mostly the one wanted, and costs a fraction of finding it by its id.
///
/// Whoever changes a record ends the run before: what SQLite shows of rows that change while it steps through them is not
/// promised.
struct RecordRun {
    private let statements: RecordStatements
    /// The row that was found last.
    private var last: Int64?
    /// Gives the rows after it, where they are being stepped through.
    private var running: HotStatement?
    private var areNew = false

    init(_ statements: RecordStatements) { self.statements = statements }

    /// The next row, where it has this record; the run ends where it has not.
    mutating func next(
        _ key: RecordKey, _ number: Int64, _ unacknowledged: UnacknowledgedRows
    ) throws -> StoredRecord? {
        guard let running else { return nil }
        if try running.next(), running.recordID(1) == key.id {
            if areNew {
                let run = running.integer(0).flatMap(unacknowledged.run)
                if let run, run.collection == number, let found = running.newRecord(key, run) { return found }
            } else if running.integer(RecordStatements.collectionColumn) == number {
                return running.record(key.collection, unacknowledged)
            }
        }
        end()
        return nil
    }

    /// A record was found by its id; the run begins with the second in a row.
    mutating func found(_ row: Int64?, _ unacknowledged: UnacknowledgedRows) throws {
        if let row, let last, row == last + 1 {
            areNew = unacknowledged.run(of: row) != nil
            let rows = try areNew ? statements.nextNew : statements.next
            rows.bind(1, row)
            running = rows
        }
        last = row
    }

    mutating func end() {
        running?.reset()
        (running, last) = (nil, nil)
    }
}
