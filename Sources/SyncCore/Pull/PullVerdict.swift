package import SyncModel

/// What an event or a snapshot entry is worth: events hint, reads decide (`docs/protocol.md` section 8).
package enum PullVerdict: Hashable, Sendable {
    /// The base already says so.
    case echo
    /// Carries a stamp above the base's: applied directly.
    case apply
    /// The record is read, and the answer decides.
    case hint
}

extension RecordState {
    /// Judges what an event showed under the record's key.
    package func verdict(on reading: Reading) -> PullVerdict {
        switch (reading, base) {
        case (.absent, .present): .hint
        case (.absent, _): .echo
        case (.stamped(let content, let stamp), .present(let snapshot)):
            if snapshot.stamp == stamp, snapshot.content == content {
                .echo
            } else if let known = snapshot.stamp, stamp > known {
                .apply
            } else {
                .hint
            }
        case (.stamped, _): .apply
        case (.foreign, .present(let snapshot)):
            snapshot.stamp == nil && snapshot.content == reading.content ? .echo : .hint
        case (.foreign, _): .hint
        }
    }

    /// Judges what an event showed under the key of the record's tombstone.
    ///
    /// Applied over a base without a stamp it is only remembered; whoever applies one reads a record that is there.
    package func verdict(onTombstone found: KnownTombstone?) -> PullVerdict {
        guard let found else { return tombstone == nil ? .echo : .apply }
        return found.stamp == tombstone?.stamp ? .echo : .apply
    }
}
