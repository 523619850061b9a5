internal import ControlAPI
internal import LocalStore
internal import Logging
internal import OperatingSystem
internal import SyncCore
internal import SyncModel
internal import Synchronization

extension SyncEngine {
    /// Ends holds and quarantines that time alone ends; runs until cancelled.
    func runDeadlines() async {
        var due = Deadlines()
        while !Task.isCancelled {
            // Nobody knows what time it is: a session that has just begun has to ask.
            while !context.serverIsKnown, !Task.isCancelled {
                await context.status.waiters.wait(for: .seconds(60)) { context.serverIsKnown }
            }
            let looked = try? await endWhatIsDue(after: due)
            due = looked ?? due
            let wait = looked.map(\.wait) ?? Deadlines.waitAfterFailure
            await deadlines.wait(for: wait.map { .milliseconds(Int64($0) + 5) })
        }
    }

    /// Asks about a clock that is wrong, also while there is nothing to stamp; runs until cancelled.
    func runClock() async {
        var (looks, wasWrong) = (0, Bool?.none)
        while !Task.isCancelled {
            // A hold of before the start waits for an answer, also where nothing else is asked for.
            guard context.serverIsKnown || journal.isClockHeld else {
                await context.status.waiters.wait(for: .seconds(60)) { context.serverIsKnown || journal.isClockHeld }
                continue
            }
            guard let isWrong = try? await journal.isClockWrong() else {
                // The state can't be written, which the log says.
                await context.clock.sleep(context.clock.monotonic() + UInt64(ClockWrong.pause(beforeLook: 1)))
                continue
            }
            looks = isWrong ? looks + 1 : 0
            // What waits for its time waited for that, too.
            if context.serverIsKnown, wasWrong != isWrong {
                wasWrong = isWrong
                deadlines.notify()
            }
            let next = context.clock.monotonic() + UInt64(ClockWrong.pause(beforeLook: isWrong ? looks : .max))
            await journal.waitForClock(whileHeld: isWrong, until: next)
            // An answer shows what time the server has now.
            if isWrong, journal.isClockHeld { try? await context.askRemote() }
        }
    }

    /// Where the state could not be written, writes to it now and then until that succeeds: nothing else may be there to be
    /// written, and the status is to tell. Runs until cancelled.
    func runStateProbe() async {
        while !Task.isCancelled {
            await context.stateFailed.wait(for: nil)
            var backoff = Backoff()
            while context.status.current.storeError != nil, !Task.isCancelled {
                try? await Task.sleep(for: backoff.failed(random: .random(in: 0...1)))
                if context.status.current.storeError == nil { break }
                let now = String(context.wall)
                // What it failed of is in the log and the status.
                try? await context.commit(isShort: true) { try $0.setText("state.probed", now) }
            }
        }
    }

    /// Looks now and then whether the disk of the state answers, and whether the state, the journal's folder and the control
    /// socket are still in their places, and how much waits in a journal that is not read, and tells the status; runs until
    /// cancelled.
    func runPlaces() async {
        while !Task.isCancelled {
            askState()
            let (known, misplaced) = (context.status.current.misplaced, self.misplaced)
            if misplaced != known { context.status.update { $0.misplaced = misplaced } }
            for reason in misplaced where !known.contains(reason) {
                context.logger.critical(
                    "Something is gone from its place", metadata: ["event": "place.lost", "reason": "\(reason)"])
            }
            try? await Task.sleep(for: .seconds(10), tolerance: .seconds(2))
        }
    }

    /// Asks whether the state's disk answers; the status hears where what was asked the last time is not answered yet.
    private func askState() {
        let wasAsked = isStateAsked.withLock { isAsked in
            defer { isAsked = true }
            if isAsked { context.status.update { $0.stateHangs = true } }
            return isAsked
        }
        guard !wasAsked else { return }
        Task {
            await context.store.isAlive()
            isStateAsked.withLock { isAsked in
                isAsked = false
                if context.status.current.stateHangs { context.status.update { $0.stateHangs = false } }
            }
        }
    }

    /// What is gone from its place, in words.
    var misplaced: [String] {
        var reasons: [String] = []
        if !context.store.isInPlace {
            reasons.append(
                "the state \(context.store.path) is gone from its place: what is written now is lost at the next start; "
                    + "restart moviesyncd, which reads the journal and the remote anew, or restore a backup")
        }
        let folder = Folder.containing(context.settings.journalPath)
        if isGone(folder) {
            reasons.append(
                "the journal's folder \(folder) is not there: make it, or restart moviesyncd, which makes it where it may"
            )
        }
        if let socket = context.settings.socketPath, isGone(socket) {
            reasons.append("the control socket \(socket) is gone, so that nobody can ask: restart moviesyncd")
        }
        return reasons
    }

    private func isGone(_ path: String) -> Bool {
        do throws(SystemError) {
            _ = try FileIdentity.of(path: path)
            return false
        } catch {
            return error.isMissing
        }
    }

    private func endWhatIsDue(after last: Deadlines) async throws -> Deadlines {
        let (ids, time) = (collections.map(\.id), context.time)
        let due = try await context.store.read { try last.next(of: ids, time, in: $0) }
        readAgain(due.readable)
        if due.isHoldDue {
            try await context.commit { [context] transaction in try Deadlines.expire(in: transaction, context.applier) }
        }
        return due
    }
}
