internal import GRDB

/// The rows of a file that don't count: those of drafts that were not finished, and those that finished ones replace.
struct UnreadRows {
    private var drafts: [ClosedRange<Int64>] = []
    private var replaced: Set<Int64> = []
    /// The highest number that stands for anything here; 0 without any.
    private(set) var last: Int64 = 0

    init(_ db: Database) throws {
        guard try db.tableExists("draft") else { return }
        for row in try Row.fetchAll(db, sql: "SELECT first, last FROM draft") {
            let (first, last) = (row[0] as Int64, row[1] as Int64)
            if first <= last { drafts.append(first...last) }
        }
        replaced = try Int64.fetchSet(
            db, sql: "SELECT id FROM replaced WHERE draft NOT IN (SELECT number FROM draft)")
        let lastReplacing = try Int64.fetchOne(db, sql: "SELECT max(draft) FROM replaced") ?? 0
        last = max(drafts.map(\.upperBound).max() ?? 0, lastReplacing)
    }

    func contains(_ row: Int64) -> Bool { drafts.contains { $0.contains(row) } || replaced.contains(row) }
}
