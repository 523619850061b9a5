internal import FirebaseWire
internal import GRDB
internal import SQLiteFile

/// Puts rows into the file.
struct RowPut {
    private let statement: HotStatement

    init(_ db: Database) throws {
        statement = try HotStatement(
            db, "INSERT OR REPLACE INTO row(id, database, path, text, checksum) VALUES (?, ?, ?, ?, ?)")
    }

    func run(_ row: Int64, _ database: String, _ path: WirePath, _ text: [UInt8]) throws {
        let place = path.text
        statement.bind(1, row)
        statement.bind(2, database)
        statement.bind(3, place)
        statement.bind(4, text)
        statement.bind(5, RowFile.checksum(database, place, text))
        try statement.run()
    }
}
