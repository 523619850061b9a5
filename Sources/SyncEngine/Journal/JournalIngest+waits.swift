internal import ControlAPI
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

extension JournalIngest {
    /// Asks the server for the time, once, where it has not told it: what was there at the start is dated by it. A remote
    /// that does not answer at once keeps no line waiting.
    func askForTime() async {
        let wasAsked = isTimeAsked.withLock { isAsked in
            defer { isAsked = true }
            return isAsked
        }
        guard !wasAsked, !context.serverIsKnown else { return }
        let deadline = context.clock.monotonic() + SyncEngine.leastPatience.milliseconds
        await untilEitherEnds({ [context] in await context.clock.sleep(deadline) }) { [context] in
            try? await context.askRemote()
        }
    }

    /// Waits while this machine's clock is too far from the server's: nothing is stamped meanwhile. Whoever runs the clock
    /// asks the server for the time.
    ///
    /// - Parameter size: the journal's, in bytes.
    func untilClockIsRight(size: UInt64) async throws {
        while try await isClockWrong() {
            backlogEnd.finish()
            context.status.update { $0.journal.size = max($0.journal.size, size) }
            await waitForClock(whileHeld: true, until: nil)
            try Task.checkCancellation()
        }
    }

    /// Raises the hold of a wrong clock, or ends it, as the clocks are now; whether edits must wait.
    func isClockWrong() async throws -> Bool {
        let isSettled = clockIsSettled.withLock { $0 }
        guard context.time.isClockWrong || isClockHeld || !isSettled else { return false }
        let isWrong = try await context.commit { [context] in
            try ClockWrong.check(context.time, serverIsKnown: context.serverIsKnown, in: $0)
        }
        clockIsSettled.withLock { $0 = !isWrong && !context.time.isClockWrong }
        return isWrong
    }

    /// Whether edits wait because of a wrong clock.
    var isClockHeld: Bool { context.status.current.holds.contains { $0.kind == .clockWrong } }

    /// Whether the clocks are to be looked at: the hold has come or gone, or an answer has shown that it may go.
    private func isClockOtherwise(than isHeld: Bool) -> Bool {
        isClockHeld != isHeld || isHeld && context.serverIsKnown && !context.time.isClockWrong
    }

    /// Returns at this moment of the monotonic clock, or as soon as it is otherwise.
    func waitForClock(whileHeld isHeld: Bool, until moment: UInt64?) async {
        let change: @Sendable () async -> Void = { [self] in
            while !isClockOtherwise(than: isHeld), !Task.isCancelled {
                await context.status.waiters.wait(for: .seconds(60)) { isClockOtherwise(than: isHeld) }
            }
        }
        guard let moment else { return await change() }
        await untilEitherEnds({ [context] in await context.clock.sleep(moment) }, change)
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
