internal import ControlAPI
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

extension JournalIngest {
    /// Waits while this machine's clock is too far from the server's: nothing is stamped meanwhile.
    func untilClockIsRight() async throws {
        func isHeld() -> Bool { context.status.current.holds.contains { $0.kind == .clockWrong } }
        let isSettled = clockIsSettled.withLock { $0 } || !context.serverIsKnown
        guard context.time.isClockWrong || isHeld() || !isSettled else { return }
        var looks = 0
        while try await context.commit({ [context] in
            try ClockWrong.check(context.time, serverIsKnown: context.serverIsKnown, in: $0)
        }) {
            backlogEnd.finish()
            looks += 1
            await context.status.waiters.wait(for: .milliseconds(ClockWrong.pause(beforeLook: looks))) { !isHeld() }
            try Task.checkCancellation()
            // An answer shows what time the server has now.
            if isHeld() { try? await context.askRemote() }
        }
        let agrees = context.serverIsKnown && !context.time.isClockWrong
        clockIsSettled.withLock { $0 = agrees }
    }

    /// Whether it was told already that the journal waits for the quarantine; from now on it is.
    private func noteToldOfWaiting() -> Bool {
        isWaitTold.withLock { isTold in
            defer { isTold = true }
            return isTold
        }
    }

    /// Waits while too many lines are in quarantine: nothing is lost, and the state does not grow without end.
    ///
    /// - Parameter size: the journal's, in bytes.
    func untilQuarantineHasRoom(size: UInt64) async throws {
        func isFull() -> Bool { context.status.current.journal.quarantined >= QuarantinedItem.mostOfOneSource }
        while isFull() {
            backlogEnd.finish()
            let reason =
                "\(context.status.current.journal.quarantined) lines are in quarantine, and the journal waits: "
                + "see moviesync quarantine, and retry or drop them"
            context.status.update { ($0.journal.lastError, $0.journal.size) = (reason, max($0.journal.size, size)) }
            // As long as it is not read to its end, it is the same waiting, however often there is room for a few lines.
            if !noteToldOfWaiting() {
                context.logger.error(
                    "The journal waits for the quarantine", metadata: ["event": "journal.waits", "reason": "\(reason)"])
            }
            await context.status.waiters.wait(for: .seconds(60)) { !isFull() }
            try Task.checkCancellation()
        }
    }
}
