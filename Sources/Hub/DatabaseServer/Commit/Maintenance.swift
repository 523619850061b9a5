internal import Dispatch
internal import Logging
internal import Synchronization

/// What is done some time after a commit, once for many of them. Nothing wakes up while nothing is committed.
final class Maintenance: Sendable {
    private struct State {
        var syncPending = false
        var memory = LeftMemory()
        /// Drafts that have left something in the file.
        var unswept: [Int64] = []
    }

    /// A time in which nothing happens is quiet.
    private static let quiet = DispatchTimeInterval.seconds(2)

    /// So much time others have between two steps of sweeping.
    private static let sweepPause = DispatchTimeInterval.milliseconds(5)

    private let state = Mutex(State())
    private let queue: DispatchQueue
    private let file: RowFile
    private let fsync: Fsync
    private let giveBack: @Sendable () -> Void
    private let logger: Logger

    /// - Parameter giveBack: gives back the memory that was left behind.
    init(
        queue: DispatchQueue, file: RowFile, fsync: Fsync, giveBack: @escaping @Sendable () -> Void, logger: Logger
    ) {
        self.queue = queue
        self.file = file
        self.fsync = fsync
        self.giveBack = giveBack
        self.logger = logger
    }

    /// To be called after each commit, with the number of rows it has changed.
    func committed(_ rows: Int) {
        let mustSync = state.withLock { state in
            guard fsync == .interval, !state.syncPending else { return false }
            state.syncPending = true
            return true
        }
        if mustSync { queue.asyncAfter(deadline: .now() + 1) { self.synchronize() } }
        leave { $0.leave(rows: rows) }
    }

    /// To be called after the body of a request, stored or not, has left its memory behind.
    func released(_ bytes: Int) { leave { $0.leave(bytes: bytes) } }

    /// To be called after a connection has ended, which leaves its memory behind too.
    func disconnected() { leave { $0.leaveConnection() } }

    private func leave(_ note: (inout LeftMemory) -> Bool) {
        if state.withLock({ note(&$0.memory) }) { giveBackWhenQuiet() }
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

    private func giveBackWhenQuiet() {
        queue.asyncAfter(deadline: .now() + Maintenance.quiet) { [self] in
            if state.withLock({ $0.memory.isQuiet() }) { giveBack() } else { giveBackWhenQuiet() }
        }
    }
}
