internal import CSQLiteSettings

/// The SQLite library of this process.
package enum SQLiteLibrary {
    private static let code = csqlite_set_up()

    /// Sets the library up for many small writes; to be called before a database is opened. A second call does nothing, nor
    /// does one that comes too late: everything works then, and takes a little longer.
    package static func setUp() { _ = code }
}
