internal import ControlAPI
internal import LocalStore
internal import OperatingSystem
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// What reading the journal would change that a hold keeps from being read: worked out anew where the journal or a record has
/// changed.
final class JournalPreview: Sendable {
    private struct Basis: Hashable, Sendable {
        var hold: Int64
        var journal: FileIdentity
        var lastChange: Int64
        var session: Int
    }

    /// A longer journal is read for ``SyncEngine/approve(hold:dryRun:)`` alone, in bytes: lists of holds are asked for often.
    private static let mostBytes = 8 << 20

    /// By what each answer would change.
    typealias Changes = (approved: HoldChanges, rejected: HoldChanges?)

    private let last = Mutex<(basis: Basis, changes: Changes)?>(nil)

    /// - Returns: nil where the journal is too long, or can't be read.
    func changes(of hold: Hold, in transaction: Transaction, of ingest: JournalIngest) throws -> Changes? {
        let context = ingest.context
        guard let journal = try? FileIdentity.of(path: context.settings.journalPath) else { return nil }
        let basis = Basis(
            hold: hold.number, journal: journal, lastChange: context.status.current.lastChange,
            session: context.sessionNumber)
        if let last = last.withLock({ $0 }), last.basis == basis { return last.changes }
        do {
            func changes(approved: Bool) throws -> HoldChanges {
                try ingest.changes(
                    byReadingJournalFor: hold, approved: approved, in: Rehearsal(over: transaction), over: transaction,
                    limit: JournalPreview.mostBytes)
            }
            let isReadOn = hold.kind?.rule.isReadOnAfterRejection == true
            let changes = (try changes(approved: true), isReadOn ? try changes(approved: false) : nil)
            last.withLock { $0 = (basis, changes) }
            return changes
        } catch is ControlError {
            return nil
        }
    }
}
