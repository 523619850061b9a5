internal import FoundationEssentials
internal import GRDB
internal import JSONText
internal import SyncModel

/// The pictures as an open transaction of the accounts' file sees them.
///
/// They stand beside the accounts so that one transaction removes both, whoever removes an account.
struct PictureRows {
    private let db: Database

    init(_ db: Database) { self.db = db }

    static func make(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE picture(
                    name TEXT PRIMARY KEY, person TEXT NOT NULL, size INTEGER NOT NULL, text BLOB NOT NULL,
                    bytes BLOB NOT NULL
                ) STRICT;
                CREATE INDEX pictureOfPerson ON picture(person);
                CREATE TRIGGER pictureGoesWithAccount AFTER DELETE ON account BEGIN
                    DELETE FROM picture WHERE person = old.id;
                END
                """)
    }

    func metadata(of name: PictureName) throws -> PictureMetadata? {
        let statement = try db.cachedStatement(sql: "SELECT text FROM picture WHERE name = ?")
        return try Data.fetchOne(statement, arguments: [name.text]).map(read)
    }

    func bytes(of name: PictureName) throws -> [UInt8]? {
        let statement = try db.cachedStatement(sql: "SELECT bytes FROM picture WHERE name = ?")
        return try Data.fetchOne(statement, arguments: [name.text]).map { Array($0) }
    }

    /// Adds a picture, or replaces the one of its name.
    func put(_ metadata: PictureMetadata, _ bytes: [UInt8], of name: PictureName) throws {
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO picture(name, person, size, text, bytes) VALUES (?, ?, ?, ?, ?)"
        ).execute(
            arguments: [
                name.text, name.person, metadata.size, Data(JSONWriter.text(metadata.stored)), Data(bytes),
            ])
    }

    func put(_ metadata: PictureMetadata, of name: PictureName) throws {
        try db.cachedStatement(sql: "UPDATE picture SET text = ? WHERE name = ?")
            .execute(arguments: [Data(JSONWriter.text(metadata.stored)), name.text])
    }

    /// Whether it was there.
    func remove(_ name: PictureName) throws -> Bool {
        try db.cachedStatement(sql: "DELETE FROM picture WHERE name = ?").execute(arguments: [name.text])
        return db.changesCount > 0
    }

    /// The names after `last`, in their order.
    func names(after last: String, limit: Int) throws -> [String] {
        let statement = try db.cachedStatement(sql: "SELECT name FROM picture WHERE name > ? ORDER BY name LIMIT ?")
        return try String.fetchAll(statement, arguments: [last, limit])
    }

    /// The bytes of all pictures together.
    func size() throws -> Int64 { try Int64.fetchOne(db, sql: "SELECT sum(size) FROM picture") ?? 0 }

    private func read(_ text: Data) throws -> PictureMetadata {
        guard let members = try? JSONReader.members(text), let metadata = PictureMetadata(stored: members) else {
            throw ServerError(.corrupt, "accounts.sqlite holds a picture that can't be read: restore it from a backup")
        }
        return metadata
    }
}
