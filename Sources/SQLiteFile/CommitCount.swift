package import GRDB
internal import OperatingSystem

/// Notices that acknowledged transactions are missing from a SQLite file in WAL mode.
///
/// SQLite takes a write-ahead log that is damaged or gone for one that ends early, and says nothing. So each transaction
/// counts itself in the file, and the count is noted in a second file, `FILE.commits`, once the transaction is on the
/// disk. A kill keeps the note; a power cut may leave an older one, which is never too high.
package struct CommitCount: Sendable {
    private let path: String
    private let note: CounterFile

    /// - Parameter path: of the SQLite file. Throws where the note beside it can't be opened or made.
    package init(path: String) throws {
        self.path = path
        note = try CounterFile(path: path + ".commits", of: path)
    }

    /// Makes the table of the count; part of the file's migrations.
    package static func createTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE commits(one INTEGER PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL) STRICT;
                INSERT INTO commits VALUES (1, 0)
                """
        )
    }

    /// The count in the file. Throws ``MissingCommits`` where more commits were acknowledged than it has.
    ///
    /// To be called on a read-only connection before anything is written: writing would cover what is left of a damaged
    /// log.
    package func verified(_ db: Database) throws -> UInt64 {
        // The note first: another process may write meanwhile.
        let acknowledged = try note.number() ?? 0
        let hasTable = try db.tableExists("commits")
        let found = hasTable ? try Int64.fetchOne(db, sql: "SELECT number FROM commits") : nil
        let number = found.map(UInt64.init(clamping:)) ?? 0
        guard number < acknowledged else { return number }
        let place = try WriteAheadLog.damage(of: path) ?? "\(path)-wal is missing or was emptied"
        throw MissingCommits(
            description: "\(acknowledged - number) acknowledged writes are missing: \(place). Restore the folder from "
                + "a backup; after restoring \(path) by itself, or to go on without them, remove \(note.path)"
        )
    }

    /// For a SQLite file that is missing or empty: throws ``MissingCommits`` where any commit was acknowledged.
    package func verifyNothingIsMissing() throws {
        let acknowledged = try note.number() ?? 0
        guard acknowledged > 0 else { return }
        throw MissingCommits(
            description: "the file is missing or empty, and \(acknowledged) writes to it were acknowledged: restore "
                + "it from a backup, or remove \(note.path) to start anew"
        )
    }

    /// Makes `number` part of the present transaction.
    package func count(_ number: UInt64, _ db: Database) throws {
        let update = try HotStatement(db, "UPDATE commits SET number = ?")
        update.bind(1, Int64(clamping: number))
        try update.run()
    }

    /// Makes the number that follows part of the present transaction, and gives it.
    package static func countOneMore(_ db: Database) throws -> UInt64 {
        let number = try Int64.fetchOne(db, sql: "UPDATE commits SET number = number + 1 RETURNING number")
        return UInt64(clamping: number ?? 0)
    }

    /// Notes that the transaction with this number, and all before it, are on the disk. Where that fails the note stays
    /// too low, and a loss may go unnoticed; the transaction stands.
    ///
    /// Not to be called earlier: nothing says which of two files gets to the disk first.
    package func acknowledge(_ number: UInt64) { try? note.set(number) }
}
