internal import GRDB
internal import SQLiteFile

/// Inserts rows into a table, many with one statement: that takes half of what single ones do.
struct RowInserter: Sendable {
    /// How many rows a statement has; the rest of them is inserted one by one.
    static let rowsAtOnce = 64

    private let one: String
    private let many: String
    private let columns: Int32

    /// - Parameter columns: their names, with commas between them.
    init(_ table: String, _ columns: String) {
        let count = columns.split(separator: ",").count
        let row = "(" + Array(repeating: "?", count: count).joined(separator: ", ") + ")"
        // OR FAIL, so that SQLite need not keep what each page was for taking this one statement back: where it fails the
        // transaction is taken back.
        let insert = "INSERT OR FAIL INTO \(table) (\(columns)) VALUES "
        one = insert + row
        many = insert + Array(repeating: row, count: RowInserter.rowsAtOnce).joined(separator: ", ")
        self.columns = Int32(count)
    }

    /// - Parameter bind: binds a row's columns after the parameter that it is given.
    func insert<Row>(
        _ rows: [Row], in db: Database, bind: (_ row: Row, _ statement: HotStatement, _ last: Int32) -> Void
    ) throws {
        let whole = rows.count / RowInserter.rowsAtOnce * RowInserter.rowsAtOnce
        if whole > 0 { try insert(rows[..<whole], with: try HotStatement(db, many), RowInserter.rowsAtOnce, bind) }
        if whole < rows.count { try insert(rows[whole...], with: try HotStatement(db, one), 1, bind) }
    }

    private func insert<Row>(
        _ rows: ArraySlice<Row>, with statement: HotStatement, _ atOnce: Int, _ bind: (Row, HotStatement, Int32) -> Void
    ) throws {
        var last: Int32 = 0
        for row in rows {
            bind(row, statement, last)
            last += columns
            if last == columns * Int32(atOnce) {
                try statement.run()
                last = 0
            }
        }
    }
}
