internal import Dispatch
internal import Logging
internal import OperatingSystem
internal import Synchronization

/// What is done some time after a commit, once for many of them. Nothing wakes up while nothing is committed.
final class Maintenance: Sendable {
    private struct State {
        var syncPending = false
        var trimPending = false
        /// Rows committed since memory was given back.
        var rows = 0
        /// Rows committed since the present wait began.
        var rowsSinceWait = 0
        /// Connections that ended since then.
        var endedSinceWait = 0
        /// Drafts that have left something in the file.
        var unswept: [Int64] = []
    }

    /// So many rows leave behind memory that is worth giving back.
    private static let minRowsToTrim = 50_000

    /// So much of a body counts as a row.
    private static let bytesPerRow = 40

    /// A connection counts as so many rows.
    private static let rowsPerConnection = 50

    /// Fewer connections than this may end in a time that counts as quiet.
    private static let manyConnections = 20

    /// So much time others have between two steps of sweeping.
    private static let sweepPause = DispatchTimeInterval.milliseconds(5)

    private let state = Mutex(State())
    private let queue: DispatchQueue
    private let file: RowFile
    private let fsync: Fsync
    private let logger: Logger

    init(queue: DispatchQueue, file: RowFile, fsync: Fsync, logger: Logger) {
        self.queue = queue
        self.file = file
        self.fsync = fsync
        self.logger = logger
    }

    /// To be called after each commit, with the number of rows it has changed.
    func committed(_ rows: Int) {
        let (mustSync, mustTrim) = state.withLock { state in
            state.rows += rows
            state.rowsSinceWait += rows
            let mustSync = fsync == .interval && !state.syncPending
            let mustTrim = state.rows > Maintenance.minRowsToTrim && !state.trimPending
            if mustSync { state.syncPending = true }
            if mustTrim { state.trimPending = true }
            return (mustSync, mustTrim)
        }
        if mustSync { queue.asyncAfter(deadline: .now() + 1) { self.synchronize() } }
        if mustTrim { trimWhenQuiet() }
    }

    /// To be called after the body of a request, stored or not, has left its memory behind.
    func released(_ bytes: Int) {
        leave(bytes / Maintenance.bytesPerRow) { $0.rowsSinceWait += bytes / Maintenance.bytesPerRow }
    }

    /// To be called after a connection has ended, which leaves its memory behind too.
    func disconnected() { leave(Maintenance.rowsPerConnection) { $0.endedSinceWait += 1 } }

    private func leave(_ rows: Int, _ note: (inout State) -> Void) {
        let mustTrim = state.withLock { state in
            state.rows += rows
            note(&state)
            guard state.rows > Maintenance.minRowsToTrim, !state.trimPending else { return false }
            state.trimPending = true
            return true
        }
        if mustTrim { trimWhenQuiet() }
    }

    /// Takes away what a draft has left in the file, little by little. What fails is done at the next start.
    func sweep(_ draft: Int64) {
        let isFirst = state.withLock { state in
            state.unswept.append(draft)
            return state.unswept.count == 1
        }
        if isFirst { queue.asyncAfter(deadline: .now() + Maintenance.sweepPause) { self.sweepOn() } }
    }

    private func sweepOn() {
        guard let draft = state.withLock({ $0.unswept.first }) else { return }
        let goesOn: Bool
        do {
            goesOn = try file.sweep(draft)
        } catch {
            goesOn = false
            if file.isOpen {
                logger.warning(
                    "What a large write has left in the file stays until the next start",
                    metadata: ["event": "commit.unswept", "error": "\(error)", "file": "\(file.path)"])
            }
        }
        let isDone = state.withLock { state in
            if !goesOn { state.unswept.removeFirst() }
            return state.unswept.isEmpty
        }
        if !isDone { queue.asyncAfter(deadline: .now() + Maintenance.sweepPause) { self.sweepOn() } }
    }

    private func synchronize() {
        state.withLock { $0.syncPending = false }
        do {
            try file.synchronize()
        } catch {
            logger.error(
                "Writes could not be brought to the disk",
                metadata: ["event": "commit.unsynchronized", "error": "\(error)", "file": "\(file.path)"])
        }
    }

    /// Gives memory back once no row was committed for a while, and not many connections ended.
    private func trimWhenQuiet() {
        state.withLock { ($0.rowsSinceWait, $0.endedSinceWait) = (0, 0) }
        queue.asyncAfter(deadline: .now() + 2) { [self] in
            let isQuiet = state.withLock { state in
                guard state.rowsSinceWait == 0, state.endedSinceWait < Maintenance.manyConnections else { return false }
                state.trimPending = false
                state.rows = 0
                return true
            }
            if isQuiet { Memory.trim() } else { trimWhenQuiet() }
        }
    }
}
