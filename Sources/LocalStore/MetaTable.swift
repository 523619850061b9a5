internal import GRDB
internal import SQLiteFile

/// Single values by name.
struct MetaTable {
    let db: Database

    func value(_ name: String) throws -> [UInt8]? {
        let find = try HotStatement(db, "SELECT value FROM meta WHERE name = ?")
        find.bind(1, name)
        defer { find.reset() }
        return try find.next() ? find.bytes(0) : nil
    }

    func set(_ name: String, _ value: [UInt8]) throws {
        let insert = try HotStatement(
            db, "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value")
        insert.bind(1, name)
        insert.bind(2, value)
        try insert.run()
    }

    func remove(_ name: String) throws {
        try db.cachedStatement(sql: "DELETE FROM meta WHERE name = ?").execute(arguments: [name])
    }

    func text(_ name: String) throws -> String? { try value(name).map { String(decoding: $0, as: UTF8.self) } }
    func set(_ name: String, text: String) throws { try set(name, Array(text.utf8)) }
    func integer(_ name: String) throws -> Int64? { try text(name).flatMap { Int64($0) } }
    func set(_ name: String, integer: Int64) throws { try set(name, text: String(integer)) }
}
