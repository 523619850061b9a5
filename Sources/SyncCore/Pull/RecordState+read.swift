internal import JSONText
package import SyncModel

extension RecordState {
    /// Merges the answer to a read, or the value that a refused conditional write showed.
    ///
    /// - Parameters:
    ///   - tombstone: what the tombstone's key holds, read after an absence; nil where it holds nothing.
    ///   - key: the record's key in the remote, where it is not the upper-case id.
    package mutating func read(
        _ reading: Reading, etag: String?, key: String? = nil, tombstone found: KnownTombstone? = nil,
        clock: inout HybridClock, wall: UInt64
    ) -> Outcome {
        let previous = base
        switch reading {
        case .absent:
            if let found { tombstone = found }
            return goneFromRemote(previous: previous, clock: &clock, wall: wall)
        case .stamped(let content, let stamp):
            if let remote, remote.stamp == stamp, remote.content != content {
                return readForeign(content.fields, [:], etag: etag, key: key, clock: &clock, wall: wall)
            }
            clock.receive(stamp)
            base = .present(RemoteSnapshot(stamp: stamp, content: content, etag: etag, key: key))
            return merged(stamped: Version(content, stamp), previous: previous, clock: &clock, wall: wall)
        case .foreign(let named, let defaults):
            return readForeign(named, defaults, etag: etag, key: key, clock: &clock, wall: wall)
        }
    }

    /// The record is gone from the remote: it was deleted with the higher of its tombstone's stamp and the successor of the
    /// base's stamp, which all nodes derive alike.
    private mutating func goneFromRemote(previous: Base, clock: inout HybridClock, wall: UInt64) -> Outcome {
        base = .absent
        var deletion: Stamp?
        if case .present(let snapshot) = previous { deletion = snapshot.deletionStamp ?? foreignStamp?.successor }
        if let stamp = tombstone?.stamp { deletion = max(deletion ?? stamp, stamp) }
        guard let deletion else { return Outcome() }
        clock.receive(deletion)
        return merged(stamped: Version(nil, deletion), previous: previous, clock: &clock, wall: wall)
    }

    /// Lays what an app without stamps wrote over the fields the base holds, and stamps it at the observation.
    ///
    /// What the app names is taken, what it does not know and therefore dropped is kept (`docs/protocol.md` section 9).
    private mutating func readForeign(
        _ named: [String: JSONValue], _ defaults: [String: JSONValue], etag: String?, key: String?,
        clock: inout HybridClock, wall: UInt64
    ) -> Outcome {
        let previous = remote
        let known = defaults.merging(previous?.content.fields ?? [:]) { _, known in known }
        let shown = Content(fields: defaults.merging(named) { _, app in app })
        let laid = Content(fields: known.merging(named) { _, app in app })
        let lastStamp = previous.map { $0.stamp ?? $0.lastStamp } ?? tombstone?.stamp
        base = .present(RemoteSnapshot(stamp: nil, lastStamp: lastStamp, content: shown, etag: etag, key: key))
        if let previous, laid == previous.content { return Outcome() }
        if previous == nil, local?.deleted == true, tombstone?.contentHash == shown.hash { return Outcome() }
        let stamp = clock.now(wall: wall)
        foreignStamp = stamp
        return applyForeign(Version(laid, stamp))
    }

    /// Takes over what a second key for the same UUID holds, before that key is removed: as a write without a stamp,
    /// made now. Of two keys for one UUID the upper-case one counts (`docs/protocol.md` section 9).
    package mutating func mergedDuplicate(_ second: Reading, clock: inout HybridClock, wall: UInt64) -> Outcome {
        let named: [String: JSONValue]
        switch second {
        case .absent: return Outcome()
        case .stamped(let content, _): named = content.fields
        case .foreign(let fields, _): named = fields
        }
        let known = remote?.content ?? local?.content
        let laid = Content(fields: (known?.fields ?? [:]).merging(named) { _, second in second })
        if laid == known || laid == local?.content { return Outcome() }
        return edited(Version(laid, clock.now(wall: wall)))
    }

    private mutating func applyForeign(_ version: Version) -> Outcome {
        var outcome = Outcome()
        let before = local
        if let mine = local, !provisional, mine.stamp == ownStamp, pendingWithoutForeign {
            guard version.beats(mine) else {
                outcome.noteConflict(winner: mine, loser: version)
                return outcome
            }
            shadowedEdit = mine
        }
        local = version
        provisional = true
        overProvisional = false
        outcome.noteChange(from: before, to: local)
        return outcome
    }

    /// Whether ``local`` was an unsent edit before the foreign write was seen: its stamp is not the one that stood
    /// in the remote last.
    private var pendingWithoutForeign: Bool {
        guard let local else { return false }
        return remote?.lastStamp != local.stamp
    }

    /// Takes over what the remote's tombstone holds, from an event or a read; nil where it holds nothing.
    ///
    /// A tombstone that is not above the base means nothing, and over a base without a stamp only a read of the record
    /// can decide: then it is only remembered.
    package mutating func readTombstone(
        _ found: KnownTombstone?, clock: inout HybridClock, wall: UInt64
    ) -> Outcome {
        let previous = base
        guard let found else {
            tombstone = nil
            return Outcome()
        }
        let known = tombstone
        tombstone = found
        if let etag = known?.etag, found.etag == nil, known?.stamp == found.stamp { tombstone?.etag = etag }
        clock.receive(found.stamp)
        if let remote {
            guard let stamp = remote.stamp, found.stamp > stamp else { return Outcome() }
        }
        return merged(stamped: Version(nil, found.stamp), previous: previous, clock: &clock, wall: wall)
    }
}
