internal import LocalStore
internal import SyncCore
internal import SyncModel

extension SyncEngine {
    /// Ends holds and quarantines that time alone ends; runs until cancelled.
    func runDeadlines() async {
        while !Task.isCancelled {
            let due = try? await endWhatIsDue()
            let wait = due.map(\.wait) ?? Deadlines.waitAfterFailure
            await deadlines.wait(for: wait.map { .milliseconds(Int64($0) + 5) })
        }
    }

    private func endWhatIsDue() async throws -> Deadlines {
        let (ids, time) = (collections.map(\.id), context.time)
        let due = try await context.store.read { try Deadlines(of: ids, time, in: $0) }
        readAgain(due.readable)
        if due.isHoldDue {
            try await context.commit { [context] transaction in try Deadlines.expire(in: transaction, context.applier) }
        }
        return due
    }
}
