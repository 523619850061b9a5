package import GRDB
internal import GRDBSQLite

/// A prepared statement that is bound and read without detours: for the few that run once for every record.
///
/// Columns and parameters are read and bound as SQLite keeps them; a blob is copied once. The first parameter is 1,
/// the first column 0.
package struct HotStatement {
    private let statement: Statement
    private var handle: OpaquePointer { statement.sqliteStatement }

    /// Prepares `sql`, or takes the statement that was prepared for it before.
    package init(_ db: Database, _ sql: String) throws {
        statement = try db.cachedStatement(sql: sql)
        sqlite3_reset(statement.sqliteStatement)
        sqlite3_clear_bindings(statement.sqliteStatement)
    }

    // MARK: Parameters

    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    package func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

    /// Binds a blob of these bytes.
    package func bind(_ index: Int32, raw bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else {
            sqlite3_bind_zeroblob(handle, index, 0)
            return
        }
        sqlite3_bind_blob(handle, index, base, Int32(bytes.count), HotStatement.copied)
    }

    package func bind(_ index: Int32, _ bytes: [UInt8]?) {
        if let bytes { bytes.withUnsafeBytes { bind(index, raw: $0) } } else { bindNull(index) }
    }

    package func bind(_ index: Int32, _ number: Int64?) {
        if let number { sqlite3_bind_int64(handle, index, number) } else { bindNull(index) }
    }

    package func bind(_ index: Int32, _ text: String?) {
        guard var text else { return bindNull(index) }
        text.withUTF8 { bytes in
            // Nothing at no place would be taken for null.
            guard let base = bytes.baseAddress else {
                sqlite3_bind_text(handle, index, "", 0, HotStatement.copied)
                return
            }
            base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                _ = sqlite3_bind_text(handle, index, $0, Int32(bytes.count), HotStatement.copied)
            }
        }
    }

    // MARK: Steps

    /// Goes to the next row; false at the end. An error is thrown as GRDB would: where the task is cancelled, which
    /// interrupts SQLite, `CancellationError`.
    package func next() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        let message = sqlite3_errmsg(sqlite3_db_handle(handle)).map { String(cString: $0) }
        sqlite3_reset(handle)
        if [SQLITE_INTERRUPT, SQLITE_ABORT].contains(code & 0xFF) { try Task.checkCancellation() }
        throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }

    /// Makes the statement ready for the next parameters.
    package func reset() { sqlite3_reset(handle) }

    /// Runs a statement that gives no rows; gives how many rows it changed.
    @discardableResult
    package func run() throws -> Int {
        _ = try next()
        sqlite3_reset(handle)
        return Int(sqlite3_changes(sqlite3_db_handle(handle)))
    }

    /// Runs a statement that gives one truth value.
    package func isTrue() throws -> Bool {
        defer { reset() }
        return try next() && integer(0) == 1
    }

    // MARK: Columns

    /// The bytes of a blob or text, valid until the next step; nil where the column is null.
    package func blob(_ index: Int32) -> UnsafeRawBufferPointer? {
        guard sqlite3_column_type(handle, index) != SQLITE_NULL else { return nil }
        return UnsafeRawBufferPointer(
            start: sqlite3_column_blob(handle, index), count: Int(sqlite3_column_bytes(handle, index)))
    }

    package func bytes(_ index: Int32) -> [UInt8]? { blob(index).map { Array($0) } }

    package func integer(_ index: Int32) -> Int64? {
        sqlite3_column_type(handle, index) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, index)
    }

    package func flag(_ index: Int32) -> Bool { sqlite3_column_int64(handle, index) != 0 }

    package func text(_ index: Int32) -> String? { blob(index).map { String(decoding: $0, as: UTF8.self) } }
}
