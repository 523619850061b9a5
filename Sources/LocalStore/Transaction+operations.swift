internal import JSONText
package import SyncModel

extension Transaction {
    package func registerOperations(
        _ marks: [OperationMark], now: UInt64, forgetsOld: Bool = true
    ) throws -> [Bool] {
        var seen = try noted(marks)
        let areNew = marks.map { seen.insert($0).inserted }
        let added = zip(marks, areNew).filter(\.1).map(\.0)
        guard !added.isEmpty else { return areNew }
        for mark in added { presence.insert(mark) }
        try OperationMarks.append(added, now: now, forgetsOld: forgetsOld, limits, in: connection)
        return areNew
    }

    /// Those of the marks that are remembered.
    package func noted(_ marks: [OperationMark]) throws -> Set<OperationMark> {
        let known = Set(marks.filter { presence.mayContain($0) })
        var noted: Set<OperationMark> = []
        guard !known.isEmpty else { return noted }
        // One or two are asked for by whoever waits for an edit, again and again: comparing is quicker than hashing then.
        let few = known.count <= 2 ? Array(known) : []
        try OperationMark.forEach(in: connection) { mark in
            if few.isEmpty ? known.contains(mark) : few.contains(mark) { noted.insert(mark) }
            return noted.count < known.count
        }
        return noted
    }
}
