internal import DatabaseTree
internal import FirebaseWire
internal import GRDB
internal import SQLiteFile

/// The trees that the rows of a file make.
///
/// They are put into the trees many at a time: their order in the file is that in which they were written.
final class LoadedRows {
    private struct Place: Hashable {
        let database: String
        let path: String
    }

    /// So many rows are put into the trees together.
    private static let batch = 65_536

    private(set) var roots: [String: Root] = [:]
    /// The highest number that was given out; 0 without any.
    private(set) var lastRow: Int64 = 0
    /// What is read and not in the trees yet, by database and the path it is below; and how many that are.
    private var waiting: [Place: [LoadedChild]] = [:]
    private var waitingCount = 0
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
        if let damage = try db.damage() {
            throw ServerError(.corrupt, "\(path) is damaged (\(damage)): restore it from a backup")
        }
        guard try db.tableExists("row") else { return }
        let unread = try UnreadRows(db)
        let row = try HotStatement(db, "SELECT id, database, path, text, checksum FROM row ORDER BY id")
        while try row.next() {
            lastRow = row.integer(0) ?? 0
            if unread.contains(lastRow) { continue }
            try add(row.text(1) ?? "", row.text(2) ?? "", row.bytes(3) ?? [], checksum: row.integer(4) ?? 0)
        }
        try putIntoTrees()
        lastRow = max(lastRow, unread.last)
    }

    private func add(_ database: String, _ path: String, _ text: [UInt8], checksum: Int64) throws {
        guard RowFile.checksum(database, path, text) == checksum else { throw corrupt(lastRow, database, path) }
        let keys = path.utf8.split(separator: UInt8(ascii: "/"))
        guard let key = keys.last.map({ WireKey(unchecked: String(Substring($0))) }) else {
            try putIntoTrees()
            let isLoaded = roots[database, default: Root(database)].load(row: lastRow, path: .root, text: text)
            guard isLoaded else { throw corrupt(lastRow, database, path) }
            return
        }
        guard key.isPseudo || WireKey.isLegal(key.text) else { throw corrupt(lastRow, database, path) }
        let parent = String(path.utf8.dropLast(key.text.utf8.count)) ?? ""
        waiting[Place(database: database, path: parent), default: []].append(
            LoadedChild(key: key, row: lastRow, text: text))
        waitingCount += 1
        if waitingCount == LoadedRows.batch { try putIntoTrees() }
    }

    private func putIntoTrees() throws {
        try checkNotStopped()
        for (place, children) in waiting {
            let keys = place.path.pieces(between: "/").map { WireKey(unchecked: String($0)) }
            if let row = roots[place.database, default: Root(place.database)].load(children, below: WirePath(keys)) {
                let key = children.first { $0.row == row }?.key.text ?? ""
                throw corrupt(row, place.database, place.path + key)
            }
        }
        waiting = [:]
        waitingCount = 0
    }

    private func corrupt(_ row: Int64, _ database: String, _ place: String) -> ServerError {
        ServerError(
            .corrupt,
            "\(path): row \(row), database \"\(database)\", path \"/\(place)\" is damaged: "
                + "restore the file from a backup")
    }
}
