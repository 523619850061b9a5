internal import LocalStore
internal import SyncCore
internal import SyncModel

extension SyncEngine {
    /// Ends holds and quarantines that time alone ends; runs until cancelled.
    func runDeadlines() async {
        while !Task.isCancelled {
            let due = try? await endWhatIsDue()
            await deadlines.wait(for: due?.wait.map { .milliseconds(Int64($0) + 5) })
        }
    }

    private func endWhatIsDue() async throws -> Deadlines {
        let (ids, time) = (collections.map(\.id), context.time)
        let due = try await context.store.read { try Deadlines(of: ids, time, in: $0) }
        for key in due.readable { collections.first { $0.id == key.collection }?.tell(.readAgain([key.id])) }
        if due.isHoldDue {
            try await context.commit { [context] transaction in try Deadlines.expire(in: transaction, context.applier) }
        }
        return due
    }
}
