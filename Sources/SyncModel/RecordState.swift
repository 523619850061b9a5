/// All that this node knows of one record: its own version, the remote's, and what stands between them.
///
/// A plain value; the rules that change it are in SyncCore, and one transaction stores it together with the cursor of
/// what changed it.
package struct RecordState: Hashable, Sendable {
    /// What the remote holds under the record's key, as far as this node knows.
    package enum Base: Hashable, Sendable {
        /// No complete snapshot or read has told.
        case unknown
        case absent
        case present(RemoteSnapshot)
    }

    package let key: RecordKey
    /// The newest version this node holds; nil where it only knows the remote's side.
    package var local: Version?
    package var base: Base
    package var tombstone: KnownTombstone?
    /// ``local`` was read from an app without stamps: its stamp lives only until the remote carries one.
    package var provisional: Bool
    /// ``local`` is an unsent edit made over a provisional version: it goes above the stamp that one gets.
    package var overProvisional: Bool
    /// An unsent edit that lost to a provisional version: compared again with the stamp that one gets.
    package var shadowedEdit: Version?
    /// The stamp this node gave to what it read from an app without stamps.
    package var foreignStamp: Stamp?
    /// The stamp of this node's own last edit of the record.
    package var ownStamp: Stamp?
    /// The number of the daemon's run in which the journal brought the record, while no write of it was attempted.
    package var newInRun: Int64?
    /// The version with this stamp was refused by the remote, or named by a hold: it is not pushed.
    package var blocked: Stamp?

    package init(_ key: RecordKey) {
        self.key = key
        base = .unknown
        provisional = false
        overProvisional = false
    }

    /// What the remote holds, where it holds something.
    package var remote: RemoteSnapshot? { if case .present(let snapshot) = base { snapshot } else { nil } }
}
