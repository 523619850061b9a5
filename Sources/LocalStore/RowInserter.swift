internal import GRDB
internal import SQLiteFile

/// Inserts rows into a table, many with one statement: that takes half of what single ones do.
///
/// Its statements are prepared once, when first needed: to find such long ones anew costs as much as to run them.
struct RowInserter {
    /// What the statements are for.
    struct Table: Sendable {
        fileprivate let one: String
        fileprivate let many: String
        fileprivate let columns: Int32

        /// - Parameter columns: their names, with commas between them.
        init(_ name: String, _ columns: String) {
            let count = columns.split(separator: ",").count
            let row = "(" + Array(repeating: "?", count: count).joined(separator: ", ") + ")"
            // OR FAIL, so that SQLite need not keep what each page was for taking this one statement back: where it fails the
            // transaction is taken back.
            let insert = "INSERT OR FAIL INTO \(name) (\(columns)) VALUES "
            one = insert + row
            many = insert + Array(repeating: row, count: RowInserter.rowsAtOnce).joined(separator: ", ")
            self.columns = Int32(count)
        }
    }

    /// How many rows a statement has; the rest of them is inserted one by one.
    static let rowsAtOnce = 64

    private let table: Table
    private let db: Database
    private var one: HotStatement?
    private var many: HotStatement?

    init(_ table: Table, _ db: Database) { (self.table, self.db) = (table, db) }

    /// - Parameter bind: binds all of a row's columns after the parameter that it is given.
    mutating func insert<Row>(
        _ rows: [Row], bind: (_ row: Row, _ statement: HotStatement, _ last: Int32) -> Void
    ) throws {
        let whole = rows.count / RowInserter.rowsAtOnce * RowInserter.rowsAtOnce
        if whole > 0 {
            let statement = try many ?? HotStatement(db, table.many)
            many = statement
            try insert(rows[..<whole], with: statement, RowInserter.rowsAtOnce, bind)
        }
        if whole < rows.count {
            let statement = try one ?? HotStatement(db, table.one)
            one = statement
            try insert(rows[whole...], with: statement, 1, bind)
        }
    }

    private func insert<Row>(
        _ rows: ArraySlice<Row>, with statement: HotStatement, _ atOnce: Int, _ bind: (Row, HotStatement, Int32) -> Void
    ) throws {
        var last: Int32 = 0
        for row in rows {
            bind(row, statement, last)
            last += table.columns
            if last == table.columns * Int32(atOnce) {
                try statement.run()
                last = 0
            }
        }
    }
}
