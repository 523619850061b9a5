internal import JSONText
internal import LocalStore
internal import PluginKit
internal import SyncCore
internal import SyncModel

/// Tries quarantined journal operations again.
struct QuarantineRetry: Sendable {
    let context: EngineContext

    /// Applies the operation with the stamp it was first given; true where it has left the quarantine.
    func retry(_ item: QuarantinedItem, in transaction: Transaction) throws -> Bool {
        guard let line = item.payload else { return false }
        let applier = context.applier(transaction)
        do {
            let operation = try Operation(line: line[...])
            let stamping = item.stamp.map { OperationApplier.Stamping.given($0) } ?? .decided
            try applier.apply(operation, stamping, line: line, origin: .journal)
            try transaction.release(item)
            return true
        } catch let defect as Defect {
            try transaction.noteAttempt(item, defect)
            return false
        }
    }
}
