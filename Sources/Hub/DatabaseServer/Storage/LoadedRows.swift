internal import DatabaseTree
internal import FirebaseWire
internal import GRDB
internal import SQLiteFile

/// The trees that the rows of a file make.
final class LoadedRows {
    private(set) var roots: [String: Root] = [:]
    /// The highest number of a row; 0 without any.
    private(set) var lastRow: Int64 = 0
    private let path: String
    private let isStopped: () -> Bool

    /// - Parameter isStopped: whether reading is to end, asked again and again.
    init(path: String, isStopped: @escaping () -> Bool) {
        self.path = path
        self.isStopped = isStopped
    }

    /// Throws where reading is to end.
    func checkNotStopped() throws { if isStopped() { throw CancellationError() } }

    /// Checks the pages of the file, and reads all rows. Throws `corrupt` with the place of the first damage.
    func read(_ db: Database) throws {
        try checkNotStopped()
        let answer = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
        guard answer == "ok" else {
            throw ServerError(.corrupt, "\(path) is damaged (\(answer ?? "no answer")): restore it from a backup")
        }
        guard try db.tableExists("row") else { return }
        let row = try HotStatement(db, "SELECT id, database, path, text, checksum FROM row ORDER BY id")
        while try row.next() {
            lastRow = row.integer(0) ?? 0
            if lastRow.isMultiple(of: 1024) { try checkNotStopped() }
            try load(row.text(1) ?? "", row.text(2) ?? "", row.bytes(3) ?? [], checksum: row.integer(4) ?? 0)
        }
    }

    private func load(_ database: String, _ place: String, _ text: [UInt8], checksum: Int64) throws {
        let keys = place.pieces(between: "/").map { WireKey(unchecked: String($0)) }
        guard RowFile.checksum(database, place, text) == checksum,
            roots[database, default: Root(database)].load(row: lastRow, path: WirePath(keys), text: text)
        else {
            throw ServerError(
                .corrupt,
                "\(path): row \(lastRow), database \"\(database)\", path \"/\(place)\" is damaged: "
                    + "restore the file from a backup")
        }
    }
}
