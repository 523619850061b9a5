internal import FirebaseWire

/// Gathers what a batch of writes changes in the file, and numbers new rows.
package struct RowChanges: Sendable {
    package private(set) var changes: [RowChange] = []
    package private(set) var nextRow: Int64
    /// Whether this only stands in: nothing is gathered, and nothing numbered.
    let isTrial: Bool

    package init(nextRow: Int64) {
        self.nextRow = nextRow
        isTrial = false
    }

    private init() {
        nextRow = 1
        isTrial = true
    }

    /// For a tree that is never stored.
    package static var trial: RowChanges { RowChanges() }

    mutating func put(_ row: Int64, _ database: String, _ path: WirePath, _ text: [UInt8]) -> Int64 {
        if isTrial { return row }
        let number = row == 0 ? nextRow : row
        if row == 0 { nextRow += 1 }
        changes.append(.put(row: number, database: database, path: path, text: text))
        return number
    }

    /// Forgets what was gathered since `mark` was copied from this.
    package mutating func goBack(to mark: (changes: Int, nextRow: Int64)) {
        changes.removeSubrange(mark.changes...)
        nextRow = mark.nextRow
    }

    /// The present state, to come back to.
    package var mark: (changes: Int, nextRow: Int64) { (changes.count, nextRow) }

    mutating func remove(_ row: Int64) {
        if !isTrial { changes.append(.remove(row: row)) }
    }
}
