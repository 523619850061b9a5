internal import GRDB
internal import GRDBSQLite
internal import SyncModel

/// A prepared statement that is bound and read without detours: for the few that run once for every record.
///
/// Columns and parameters are read and bound as SQLite keeps them; a blob is copied once. The first parameter is 1,
/// the first column 0.
struct HotStatement {
    private let statement: Statement
    private var handle: OpaquePointer { statement.sqliteStatement }

    init(_ db: Database, _ sql: String) throws {
        statement = try db.cachedStatement(sql: sql)
        sqlite3_reset(statement.sqliteStatement)
        sqlite3_clear_bindings(statement.sqliteStatement)
    }

    // MARK: Parameters

    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    func bind(_ index: Int32, _ bytes: [UInt8]?) {
        guard let bytes else {
            sqlite3_bind_null(handle, index)
            return
        }
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else {
                sqlite3_bind_zeroblob(handle, index, 0)
                return
            }
            sqlite3_bind_blob(handle, index, base, Int32(bytes.count), HotStatement.copied)
        }
    }

    func bind(_ index: Int32, _ number: Int64?) {
        if let number { sqlite3_bind_int64(handle, index, number) } else { sqlite3_bind_null(handle, index) }
    }

    func bind(_ index: Int32, _ text: String?) {
        guard let text else {
            sqlite3_bind_null(handle, index)
            return
        }
        sqlite3_bind_text(handle, index, text, -1, HotStatement.copied)
    }

    func bind(_ index: Int32, high: UInt64, low: UInt64) {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes in
            _ = sqlite3_bind_blob(handle, index, bytes.baseAddress, 16, HotStatement.copied)
        }
    }

    func bind(_ index: Int32, _ stamp: Stamp?) {
        guard let stamp else {
            sqlite3_bind_null(handle, index)
            return
        }
        bind(index, high: stamp.physical << 16 | UInt64(stamp.counter), low: stamp.node.value)
    }

    func bind(_ index: Int32, _ id: RecordID) { bind(index, high: id.high, low: id.low) }

    func bind(_ index: Int32, _ hash: ContentHash?) {
        guard let hash else {
            sqlite3_bind_null(handle, index)
            return
        }
        let words = hash.words
        withUnsafeBytes(
            of: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
        ) { bytes in
            _ = sqlite3_bind_blob(handle, index, bytes.baseAddress, 32, HotStatement.copied)
        }
    }

    // MARK: Steps

    /// Goes to the next row; false at the end. An error is thrown as GRDB would.
    func next() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        let message = sqlite3_errmsg(sqlite3_db_handle(handle)).map { String(cString: $0) }
        sqlite3_reset(handle)
        throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }

    /// Makes the statement ready for the next parameters.
    func reset() { sqlite3_reset(handle) }

    /// Runs a statement that gives no rows; gives how many rows it changed.
    @discardableResult
    func run() throws -> Int {
        _ = try next()
        sqlite3_reset(handle)
        return Int(sqlite3_changes(sqlite3_db_handle(handle)))
    }

    // MARK: Columns

    private func blob(_ index: Int32) -> UnsafeRawBufferPointer? {
        guard sqlite3_column_type(handle, index) != SQLITE_NULL else { return nil }
        return UnsafeRawBufferPointer(
            start: sqlite3_column_blob(handle, index), count: Int(sqlite3_column_bytes(handle, index)))
    }

    private func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
    }

    func bytes(_ index: Int32) -> [UInt8]? { blob(index).map { Array($0) } }

    func integer(_ index: Int32) -> Int64? {
        sqlite3_column_type(handle, index) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, index)
    }

    func flag(_ index: Int32) -> Bool { sqlite3_column_int64(handle, index) != 0 }

    func text(_ index: Int32) -> String? { blob(index).map { String(decoding: $0, as: UTF8.self) } }

    func stamp(_ index: Int32) -> Stamp? {
        guard let bytes = blob(index), bytes.count == 16 else { return nil }
        let time = word(bytes, 0)
        return Stamp(
            physical: time >> 16, counter: UInt16(truncatingIfNeeded: time), node: NodeID(word(bytes, 1)))
    }

    func recordID(_ index: Int32) -> RecordID? {
        guard let bytes = blob(index), bytes.count == 16 else { return nil }
        return RecordID(high: word(bytes, 0), low: word(bytes, 1))
    }

    func hash(_ index: Int32) -> ContentHash? {
        guard let bytes = blob(index), bytes.count == 32 else { return nil }
        return ContentHash(word(bytes, 0), word(bytes, 1), word(bytes, 2), word(bytes, 3))
    }
}
