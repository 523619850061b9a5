internal import GRDB
internal import JSONText
internal import SQLiteFile
package import SyncModel

extension Transaction {
    /// How many operations are noted with one statement.
    private static let operationsAtOnce = 64

    private static let noteOne = noting(1)
    private static let noteMany = noting(operationsAtOnce)

    /// OR IGNORE for all that could be wrong, so that SQLite need not keep what each page was for taking this one statement
    /// back.
    private static func noting(_ count: Int) -> String {
        let rows = Array(repeating: "(?, ?)", count: count).joined(separator: ", ")
        return "INSERT OR IGNORE INTO operation (opID, at) VALUES \(rows)"
    }

    /// Whether an operation with this `opID` was taken from the journal, and is still remembered.
    package func isRegistered(opID: String) throws -> Bool { try number(of: OperationMark(opID)) != nil }

    package func registerOperations(_ marks: [OperationMark], now: UInt64) throws -> [Bool] {
        var areNew: [Bool] = []
        areNew.reserveCapacity(marks.count)
        var rest = marks[...]
        while rest.count >= Transaction.operationsAtOnce {
            try register(rest.prefix(Transaction.operationsAtOnce), Transaction.noteMany, now, &areNew)
            rest = rest.dropFirst(Transaction.operationsAtOnce)
        }
        for mark in rest { try register([mark], Transaction.noteOne, now, &areNew) }
        let count = areNew.count(where: \.self)
        if count > 0 { operationsAt = now }
        operationsRegistered += Int64(count)
        return areNew
    }

    private func register(
        _ marks: ArraySlice<OperationMark>, _ sql: String, _ now: UInt64, _ areNew: inout [Bool]
    ) throws {
        let last = try bounds("operation", "number")?.upperBound ?? 0
        let insert = try HotStatement(connection, sql)
        var parameter: Int32 = 0
        for mark in marks {
            insert.bind(parameter + 1, mark)
            insert.bind(parameter + 2, Int64(now))
            parameter += 2
        }
        guard try insert.run() < marks.count else {
            areNew.append(contentsOf: repeatElement(true, count: marks.count))
            return
        }
        var found: Set<OperationMark> = []
        for mark in marks {
            let isNew = try number(of: mark).map { $0 > last } ?? false
            areNew.append(isNew && found.insert(mark).inserted)
        }
    }

    private func number(of mark: OperationMark) throws -> Int64? {
        let find = try HotStatement(connection, "SELECT number FROM operation WHERE opID = ?")
        find.bind(1, mark)
        defer { find.reset() }
        return try find.next() ? find.integer(0) : nil
    }
}

extension HotStatement {
    fileprivate func bind(_ index: Int32, _ mark: OperationMark) {
        withUnsafeBytes(of: (mark.words.0.bigEndian, mark.words.1.bigEndian)) { bind(index, raw: $0) }
    }
}
