internal import SQLiteFile
internal import SyncModel

/// Finds records that are looked for one after the other in the order of their rows, as those that wait to be pushed are:
/// the next row is mostly the one wanted, and costs a fraction of finding it by its id.
///
/// Whoever changes a record ends the run before: what SQLite shows of rows that change while it steps through them is not
/// promised.
struct RecordRun {
    private let rows: HotStatement
    /// The row that was found last.
    private var last: Int64?
    /// Whether the rows after it are being stepped through.
    private var isRunning = false

    /// - Parameter rows: gives the columns of records and their collection, those with rows after its parameter in order.
    init(_ rows: HotStatement) { self.rows = rows }

    /// The next row, where it has this record; the run ends where it has not.
    mutating func next(_ collection: CollectionID, _ number: Int64, _ id: RecordID) throws -> StoredRecord? {
        guard isRunning else { return nil }
        guard try rows.next(), rows.recordID(1) == id, rows.integer(RecordStatements.collectionColumn) == number else {
            end()
            return nil
        }
        let found = rows.record(collection)
        last = found.row
        return found
    }

    /// A record was found by its id; the run begins with the second in a row.
    mutating func found(_ row: Int64?) {
        if let row, let last, row == last + 1 {
            rows.bind(1, row)
            isRunning = true
        }
        last = row
    }

    mutating func end() {
        if isRunning { rows.reset() }
        isRunning = false
        last = nil
    }
}
