internal import FirebaseWire

/// Gathers what a batch of writes changes in the file, and numbers new rows.
package struct RowChanges: Sendable {
    private enum Kind {
        /// The rows of the file are changed where they stand.
        case direct
        /// The rows of the file stay as they are until all is done: what is changed gets a row of its own.
        case draft
        /// Nothing is gathered, and nothing numbered.
        case trial
    }

    package private(set) var changes: [RowChange] = []
    /// The numbers that a draft has taken.
    package private(set) var own: [Range<Int64>] = []
    private let kind: Kind
    private let numbers: RowNumbers
    /// Those of the last range that are not given out yet.
    private var free: Range<Int64> = 0..<0

    /// A draft takes so many numbers at once.
    private static let rangeSize = 4096

    package init(_ numbers: RowNumbers) { self.init(.direct, numbers) }

    private init(_ kind: Kind, _ numbers: RowNumbers) {
        self.kind = kind
        self.numbers = numbers
    }

    /// For a tree that is never stored.
    package static var trial: RowChanges { RowChanges(.trial, RowNumbers(next: 1)) }

    /// For a tree that is stored beside that of the file.
    static func draft(_ numbers: RowNumbers) -> RowChanges { RowChanges(.draft, numbers) }

    /// Whether this only stands in.
    var isTrial: Bool { kind == .trial }

    mutating func put(_ row: Int64, _ database: String, _ path: WirePath, _ text: [UInt8]) -> Int64 {
        if isTrial { return row }
        var number = row
        if row == 0 || kind == .draft && !isOwn(row) {
            number = next()
            if row != 0 { remove(row) }
        }
        changes.append(.put(row: number, database: database, path: path, text: text))
        return number
    }

    mutating func remove(_ row: Int64) {
        if !isTrial { changes.append(.remove(row: row)) }
    }

    /// A row that may have been removed is in the draft's tree again.
    mutating func keep(_ row: Int64) { changes.append(.keep(row: row)) }

    /// Whether a draft has numbered this row.
    package func isOwn(_ row: Int64) -> Bool { own.contains { $0.contains(row) } }

    private mutating func next() -> Int64 {
        guard kind == .draft else { return numbers.take(1).lowerBound }
        if free.isEmpty {
            free = numbers.take(RowChanges.rangeSize)
            own.append(free)
        }
        return free.removeFirst()
    }

    /// What was gathered since the last call.
    package mutating func taken() -> [RowChange] {
        defer { changes = [] }
        return changes
    }

    /// Forgets what was gathered since there were so many changes.
    package mutating func goBack(to count: Int) { changes.removeSubrange(count...) }
}
