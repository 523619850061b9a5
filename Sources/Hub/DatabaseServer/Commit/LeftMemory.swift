/// When the memory that others leave behind is given back: once it is worth it, and things are quiet.
///
/// The allocator keeps what is left for those who come next.
struct LeftMemory: Sendable {
    /// Rows that were committed since memory was given back, or what counts as so many.
    private var rows = 0
    /// Those since the present wait began.
    private var rowsSinceWait = 0
    /// Connections that ended since then.
    private var endedSinceWait = 0
    private var isWaiting = false

    /// More rows than this leave behind memory that is worth giving back.
    static let minRows = 50_000

    /// So much of a body counts as a row.
    static let bytesPerRow = 40

    /// A connection counts as so many rows.
    static let rowsPerConnection = 50

    /// Fewer connections than this may end in a time that counts as quiet.
    static let manyConnections = 20

    /// Rows were committed. Returns whether a wait begins, at whose end ``isQuiet()`` says what is to be done.
    mutating func leave(rows: Int) -> Bool {
        rowsSinceWait += rows
        return leaves(rows)
    }

    /// A body of so many bytes was let go. Returns what ``leave(rows:)`` does.
    mutating func leave(bytes: Int) -> Bool { leave(rows: bytes / LeftMemory.bytesPerRow) }

    /// A connection has ended. Returns what ``leave(rows:)`` does.
    mutating func leaveConnection() -> Bool {
        endedSinceWait += 1
        return leaves(LeftMemory.rowsPerConnection)
    }

    /// A wait is over: whether memory is to be given back now. Else another wait begins.
    mutating func isQuiet() -> Bool {
        let isQuiet = rowsSinceWait == 0 && endedSinceWait < LeftMemory.manyConnections
        (rowsSinceWait, endedSinceWait) = (0, 0)
        guard isQuiet else { return false }
        (rows, isWaiting) = (0, false)
        return true
    }

    private mutating func leaves(_ more: Int) -> Bool {
        rows += more
        guard rows > LeftMemory.minRows, !isWaiting else { return false }
        (rowsSinceWait, endedSinceWait) = (0, 0)
        isWaiting = true
        return true
    }
}
