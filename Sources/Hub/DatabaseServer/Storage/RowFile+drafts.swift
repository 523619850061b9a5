internal import DatabaseTree
internal import GRDB
internal import SQLiteFile
internal import Synchronization

/// Rows that are stored little by little, and count from one moment on.
///
/// They stand among the others under numbers that the table `draft` names, and nobody reads them as long as it does. The
/// table `replaced` names the rows that go as soon as `draft` names the draft no more. So one small transaction finishes
/// a draft of any size; what is left behind is swept away afterwards.
extension RowFile {
    /// So many rows are swept away together.
    private static let swept = 256

    /// Stores rows of the draft `number`. Neither they nor anything is on the disk for sure when this returns.
    ///
    /// - Parameter own: the numbers of its rows, up to now.
    func stage(_ changes: some Collection<RowChange>, of number: Int64, _ own: [Range<Int64>]) throws {
        try withoutSynchronizing { db in try RowFile.stage(changes, number, own, db) }
    }

    /// Lets the rows of a draft count, with these last ones; they are on the disk when this returns, or soon after, as
    /// ``Fsync`` says.
    ///
    /// - Parameter time: the write's, milliseconds since 1970.
    func finish(_ number: Int64, with changes: [RowChange], _ own: [Range<Int64>], at time: Int64) throws {
        try counted(at: time) { db in
            try RowFile.stage(changes, number, own, db)
            try db.execute(sql: "DELETE FROM draft WHERE number = ?", arguments: [number])
        }
    }

    private static func stage(
        _ changes: some Collection<RowChange>, _ number: Int64, _ own: [Range<Int64>], _ db: Database
    ) throws {
        let mark = try HotStatement(db, "INSERT OR IGNORE INTO draft(first, last, number) VALUES (?, ?, ?)")
        for range in own + [number..<(number + 1)] {
            mark.bind(1, range.lowerBound)
            mark.bind(2, range.upperBound - 1)
            mark.bind(3, number)
            try mark.run()
        }
        let put = try RowPut(db)
        let remove = try HotStatement(db, "DELETE FROM row WHERE id = ?")
        let replace = try HotStatement(db, "INSERT OR IGNORE INTO replaced(draft, id) VALUES (?, ?)")
        let keep = try HotStatement(db, "DELETE FROM replaced WHERE draft = ? AND id = ?")
        for change in changes {
            switch change {
            case .put(let row, let database, let path, let text): try put.run(row, database, path, text)
            case .remove(let row) where own.contains { $0.contains(row) }:
                remove.bind(1, row)
                try remove.run()
            case .remove(let row): try replace.run(number, row)
            case .keep(let row): try keep.run(number, row)
            }
        }
    }

    // MARK: What is left behind

    /// The drafts that something is left of, finished or not.
    func unsweptDrafts() throws -> [Int64] {
        try writer.withLock { writer in
            try writer?.queue.read { db in
                try Int64.fetchAll(db, sql: "SELECT number FROM draft UNION SELECT draft FROM replaced")
            } ?? []
        }
    }

    /// Takes away some of what a draft has left: what a finished one has replaced, all of another one.
    ///
    /// - Returns: whether there may be more.
    func sweep(_ number: Int64) throws -> Bool {
        var goesOn = false
        try withoutSynchronizing { db in
            let ranges = try Row.fetchAll(
                db, sql: "SELECT first, last FROM draft WHERE number = ? ORDER BY first", arguments: [number])
            for range in ranges {
                try db.execute(
                    sql: "DELETE FROM row WHERE id IN (SELECT id FROM row WHERE id BETWEEN ? AND ? LIMIT ?)",
                    arguments: [range[0] as Int64, range[1] as Int64, RowFile.swept])
                goesOn = db.changesCount > 0
                if goesOn { return }
            }
            goesOn = try RowFile.sweepReplaced(by: number, isFinished: ranges.isEmpty, db)
            if !goesOn { try db.execute(sql: "DELETE FROM draft WHERE number = ?", arguments: [number]) }
        }
        return goesOn
    }

    private static func sweepReplaced(by number: Int64, isFinished: Bool, _ db: Database) throws -> Bool {
        let rows = try Int64.fetchAll(
            db, sql: "SELECT id FROM replaced WHERE draft = ? ORDER BY id LIMIT ?", arguments: [number, swept])
        guard let last = rows.last else { return false }
        let remove = try HotStatement(db, "DELETE FROM row WHERE id = ?")
        for row in rows where isFinished {
            remove.bind(1, row)
            try remove.run()
        }
        try db.execute(sql: "DELETE FROM replaced WHERE draft = ? AND id <= ?", arguments: [number, last])
        return true
    }
}

extension HotStatement {
    fileprivate func run(_ first: Int64, _ second: Int64) throws {
        bind(1, first)
        bind(2, second)
        try run()
    }
}
