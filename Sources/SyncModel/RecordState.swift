/// All that this node knows of one record: what was ever made or seen of it, what the remote holds, and what an app
/// changed there.
///
/// A plain value; the rules that change it are in SyncCore, and one transaction stores it together with the cursor of
/// what changed it.
package struct RecordState: Hashable, Sendable {
    /// What the remote holds under the record's key, as far as this node knows.
    package enum Base: Hashable, Sendable {
        /// No complete snapshot or read has told.
        case unknown
        case absent
        indirect case present(RemoteSnapshot)
    }

    package let key: RecordKey
    package var known: KnownVersion
    /// The stamp of the version that this node holds: that of the base, or the one that the next write will carry.
    package var stamp: Stamp?
    package var base: Base
    /// The record's key in the remote where it is not the upper-case id: the id in other letters, or made of fields.
    package var remoteKey: String?
    /// What an app without stamps has changed in the base; nil while the base carries a stamp.
    package var observed: Observation?
    /// Fields that this node has edited over an observation, with the value that was observed: their edits go above the
    /// stamp which that value gets.
    package var editedOver: [String: JSONValue]
    package var tombstone: KnownTombstone?
    /// The stamp of this node's own last edit of the record.
    package var ownStamp: Stamp?
    /// The number of the daemon's run in which the journal brought the record, while no write of it was attempted.
    package var newInRun: Int64?
    /// How often in a row a stale app has put the record back after its delete, whichever node removed it again.
    package var timesPutBack: Int

    package init(_ key: RecordKey) {
        self.key = key
        known = KnownVersion()
        base = .unknown
        editedOver = [:]
        timesPutBack = 0
    }

    /// What the remote holds, where it holds something.
    package var remote: RemoteSnapshot? { if case .present(let snapshot) = base { snapshot } else { nil } }

    /// The key under which the record stands in the remote, or will.
    package var keyInRemote: String { remoteKey ?? key.id.description }

    /// The record is gone from the remote: a new one stands under its upper-case id, not under that in other letters. A key
    /// that is made of fields stays what it is.
    package mutating func forgetOddKey() {
        if let remoteKey, RecordID(remoteKey) != nil { self.remoteKey = nil }
    }
}
