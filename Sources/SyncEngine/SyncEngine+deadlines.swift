internal import LocalStore
internal import SyncCore
internal import SyncModel

extension SyncEngine {
    /// Ends holds and quarantines that time alone ends; runs until cancelled.
    func runDeadlines() async {
        var due = Deadlines()
        while !Task.isCancelled {
            let looked = try? await endWhatIsDue(after: due)
            due = looked ?? due
            let wait = looked.map(\.wait) ?? Deadlines.waitAfterFailure
            await deadlines.wait(for: wait.map { .milliseconds(Int64($0) + 5) })
        }
    }

    /// Asks about a clock that is wrong also while there is nothing to stamp; runs until cancelled.
    func runClock() async {
        while !Task.isCancelled {
            guard context.serverIsKnown else {
                await waitForProgress(timeout: SyncEngine.clockLooks)
                continue
            }
            try? await journal.untilClockIsRight()
            try? await Task.sleep(for: SyncEngine.clockLooks)
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

    private static let clockLooks: Duration = .seconds(60)

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
