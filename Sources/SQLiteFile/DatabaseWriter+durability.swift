package import GRDB

extension DatabaseWriter {
    /// From now on a commit returns when it is on the disk, and survives a power cut.
    ///
    /// To be called once the file is open: as GRDB turns on WAL mode it sets `synchronous` to NORMAL, whatever the
    /// configuration has said.
    package func commitToDisk() throws {
        try writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
    }
}
