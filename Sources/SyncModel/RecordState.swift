/// What the remote was last known to hold under a record's key: the common ground of the two sides.
package struct RemoteSnapshot: Hashable, Sendable {
    /// The stamp the node carries; nil where an app without stamps wrote it.
    package var stamp: Stamp?
    /// The stamp of the last stamped version that stood there, while ``stamp`` is nil; nil if there never was one.
    package var lastStamp: Stamp?
    package var content: Content
    /// For a conditional write; nil where only an event or a batch told of the node.
    package var etag: String?
    /// The node's key where it is not the upper-case id.
    package var key: String?

    package init(stamp: Stamp?, lastStamp: Stamp? = nil, content: Content, etag: String? = nil, key: String? = nil) {
        self.stamp = stamp
        self.lastStamp = lastStamp
        self.content = content
        self.etag = etag
        self.key = key
    }

    /// Whether a stamped version has ever stood there.
    package var hasBeenStamped: Bool { stamp != nil || lastStamp != nil }
}

/// What the remote's tombstone of a record was last known to hold.
package struct KnownTombstone: Hashable, Sendable {
    package var stamp: Stamp
    /// The hash of the content it ended, where it says so.
    package var ended: ContentHash?
    package var etag: String?

    package init(stamp: Stamp, ended: ContentHash? = nil, etag: String? = nil) {
        self.stamp = stamp
        self.ended = ended
        self.etag = etag
    }
}

/// All that this node knows of one record: its own version, the remote's, and what stands between them.
///
/// A plain value; the rules that change it are in SyncCore, and one transaction stores it together with the cursor of
/// what changed it.
package struct RecordState: Hashable, Sendable {
    /// The remote's node for the record.
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
    package var kept: Version?
    /// The stamp this node gave to what it read from an app without stamps.
    package var observed: Stamp?
    /// The stamp of this node's own last edit of the record.
    package var ownStamp: Stamp?
    /// The number of the daemon's run in which the journal brought the record, while no write of it was attempted.
    package var fresh: Int64?
    /// The version with this stamp was refused by the remote, or named by a hold: it is not pushed.
    package var blocked: Stamp?

    package init(_ key: RecordKey) {
        self.key = key
        base = .unknown
        provisional = false
        overProvisional = false
    }

    /// The remote's node, where there is one.
    package var node: RemoteSnapshot? { if case .present(let node) = base { node } else { nil } }
}
