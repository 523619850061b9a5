internal import GRDB
internal import SQLiteFile
internal import SyncModel

/// The new records that stand in their table as they will once the remote has them, which it has not said yet: runs of rows.
///
/// Most records are written once, many together, and acknowledged in that order. What says of a run that it is not
/// acknowledged is one short row, so that an acknowledgement changes none of the records. A record that anything else is
/// done to leaves its run.
struct UnacknowledgedRows {
    /// Records that were written together, and of which the same is known beside what each of them says.
    struct Run {
        var rows: ClosedRange<Int64>
        let collection: Int64
        /// Whether the remote is known to have nothing under their keys.
        let isAbsent: Bool
        /// As ``RecordState/newInRun``.
        var newInRun: Int64?
        /// Since when they are pending, milliseconds since 1970.
        let pendingSince: Int64

        var base: RecordState.Base { isAbsent ? .absent : .unknown }

        /// Takes in the rows of a run that follows it; false where that does not, or says something else.
        mutating func extend(by next: Run) -> Bool {
            guard rows.upperBound + 1 == next.rows.lowerBound, collection == next.collection,
                isAbsent == next.isAbsent, newInRun == next.newInRun, pendingSince == next.pendingSince
            else { return false }
            rows = rows.lowerBound...next.rows.upperBound
            return true
        }
    }

    /// How many there may be: all are read by each transaction.
    private static let most = 250

    /// In the order of their rows; none has a row of another.
    private(set) var runs: [Run]
    /// The last rows of runs that are not in the table as they are here.
    private var changed: Set<Int64> = []

    init(_ db: Database) throws {
        runs = []
        let rows = try HotStatement(
            db, "SELECT first, last, collection, isAbsent, fresh, pendingSince FROM unacknowledged ORDER BY last")
        defer { rows.reset() }
        while try rows.next() {
            guard let first = rows.integer(0), let last = rows.integer(1), first <= last else { continue }
            runs.append(
                Run(
                    rows: first...last, collection: rows.integer(2) ?? 0, isAbsent: rows.flag(3),
                    newInRun: rows.integer(4), pendingSince: rows.integer(5) ?? 0))
        }
    }

    /// The run that has this row.
    func run(of row: Int64) -> Run? {
        index(of: row).map { runs[$0] }
    }

    private func index(of row: Int64) -> Int? {
        // What is asked for is mostly in the first one.
        var (low, high) = (0, runs.count)
        if let first = runs.first, row <= first.rows.upperBound { high = 1 }
        while low < high {
            let middle = (low + high) / 2
            if row > runs[middle].rows.upperBound { low = middle + 1 } else { high = middle }
        }
        return low < runs.count && runs[low].rows.contains(row) ? low : nil
    }

    /// Adds rows above all that there are.
    mutating func append(_ run: Run) {
        changed.insert(run.rows.upperBound)
        guard let last = runs.last, runs[runs.count - 1].extend(by: run) else {
            runs.append(run)
            return
        }
        changed.insert(last.rows.upperBound)
    }

    /// Takes a row out of its run; false where none has it.
    mutating func remove(_ row: Int64) -> Bool {
        guard let index = index(of: row) else { return false }
        let rows = runs[index].rows
        changed.insert(rows.upperBound)
        switch (rows.lowerBound == row, rows.upperBound == row) {
        case (true, true): runs.remove(at: index)
        case (true, false): runs[index].rows = row + 1...rows.upperBound
        case (false, true):
            changed.insert(row - 1)
            runs[index].rows = rows.lowerBound...row - 1
        case (false, false):
            changed.insert(row - 1)
            var before = runs[index]
            before.rows = rows.lowerBound...row - 1
            runs[index].rows = row + 1...rows.upperBound
            runs.insert(before, at: index)
        }
        return true
    }

    /// Counts all of them as records that may have been sent already.
    mutating func countAsAttempted() {
        for index in runs.indices where runs[index].newInRun != nil {
            runs[index].newInRun = nil
            changed.insert(runs[index].rows.upperBound)
        }
    }

    /// Takes the shortest one out where there are too many: whoever does that writes down in each of its records that it is
    /// not acknowledged.
    mutating func removeShortest() -> Run? {
        guard runs.count > UnacknowledgedRows.most else { return nil }
        guard let index = runs.indices.min(by: { runs[$0].rows.count < runs[$1].rows.count }) else { return nil }
        changed.insert(runs[index].rows.upperBound)
        return runs.remove(at: index)
    }

    /// Writes what has changed.
    mutating func write(_ db: Database) throws {
        for last in changed {
            guard let run = run(of: last), run.rows.upperBound == last else {
                let delete = try HotStatement(db, "DELETE FROM unacknowledged WHERE last = ?")
                delete.bind(1, last)
                try delete.run()
                continue
            }
            let replace = try HotStatement(
                db,
                """
                INSERT OR REPLACE INTO unacknowledged (first, last, collection, isAbsent, fresh, pendingSince)
                VALUES (?, ?, ?, ?, ?, ?)
                """)
            replace.bind(1, run.rows.lowerBound)
            replace.bind(2, last)
            replace.bind(3, run.collection)
            replace.bind(4, run.isAbsent ? 1 : 0)
            replace.bind(5, run.newInRun)
            replace.bind(6, run.pendingSince)
            try replace.run()
        }
        changed = []
    }
}
