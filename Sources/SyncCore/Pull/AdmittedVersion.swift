internal import JSONText
package import SyncModel

/// A stamped version of the remote that has passed the gate: no stamp of it is from the future.
///
/// Only ``StampPolicy`` makes one, and nothing else moves the clock, is merged, or is remembered as a tombstone: so one
/// machine with a wrong clock can't take all others with it (`docs/protocol.md` section 3).
package struct AdmittedVersion: Hashable, Sendable {
    package private(set) var content: Content
    package let stamp: Stamp
    package private(set) var fieldStamps: FieldStamps
    /// The stamp of the version that it replaced; nil where its author knew of none.
    package let replaces: Stamp?
    /// Its fields read with care, where an app may have written them under a stamp that it had read.
    private(set) var carefully: [String: JSONValue]?
    /// Whether its body says whose record it is, as apps expect it.
    private(set) var isIdentified = true
    /// Whether a stream has shown it before what this node had written: its author had not seen that.
    private(set) var isAheadOfEcho = false

    fileprivate init(_ content: Content, _ stamps: RemoteStamps) {
        self.content = content
        stamp = stamps.version
        replaces = stamps.replaces
        // A field can't be newer than the version it stands in.
        var fields = stamps.fields ?? FieldStamps(stamps.version)
        fields.common = min(fields.common, stamp)
        if !fields.named.isEmpty { fields.named = fields.named.mapValues { [stamp] in min($0, stamp) } }
        fieldStamps = fields
    }

    package var stamped: StampedContent { StampedContent(content, fieldStamps) }

    /// The same, whose body does not say whose record it is, or says another's.
    var unidentified: AdmittedVersion {
        var version = self
        version.isIdentified = false
        return version
    }

    /// Whether it is the version that the remote had before, and its body lacks the stamps of its fields: an app has written it
    /// back without them.
    func lacksStamps(of remote: RemoteSnapshot) -> Bool {
        guard remote.stamp == stamp, remote.content == content, let known = remote.fieldStamps else { return false }
        return hasOneStamp && known != fieldStamps
    }

    /// Whether its body has all that apps and nodes need, where it is the version that the remote had before.
    func isWhole(over remote: RemoteSnapshot) -> Bool { isIdentified && !lacksStamps(of: remote) }

    /// Whether all its fields have the stamp of the version.
    var hasOneStamp: Bool { fieldStamps.named.isEmpty && fieldStamps.common == stamp }

    /// The same, with the stamps that its fields had, and to be completed by them.
    func missing(_ stamps: FieldStamps) -> AdmittedVersion {
        var version = unidentified
        version.fieldStamps = stamps
        return version
    }

    /// The same with its fields as they were read with care, where they were: what is spelled otherwise there is to be
    /// completed.
    var spelled: AdmittedVersion {
        guard let carefully, carefully != content.fields else { return self }
        var version = unidentified
        version.content = Content(fields: carefully)
        return version
    }

    /// The same, shown before what this node had written.
    var aheadOfEcho: AdmittedVersion {
        var version = self
        version.isAheadOfEcho = true
        return version
    }

    /// The same with other values, under the stamps that are there.
    func written(with values: [String: JSONValue]) -> AdmittedVersion {
        var version = self
        version.content = Content(fields: content.fields.merging(values) { _, value in value })
        return version
    }

    /// The same, with its fields as an app's are read.
    func read(as fields: [String: JSONValue]) -> AdmittedVersion {
        var version = self
        version.carefully = fields
        return version
    }
}

/// A tombstone of the remote that has passed the gate.
package struct AdmittedTombstone: Hashable, Sendable {
    package let tombstone: KnownTombstone

    fileprivate init(_ tombstone: KnownTombstone) { self.tombstone = tombstone }
}

extension StampPolicy {
    /// Lets a version in.
    ///
    /// - Throws: ``FutureStamp`` where it is from further in the future than `clock.maxAhead`.
    package func admit(_ content: Content, _ stamps: RemoteStamps) throws(FutureStamp) -> AdmittedVersion {
        guard !isFuture(stamps.version.physical) else { throw FutureStamp(stamp: stamps.version) }
        return AdmittedVersion(content, stamps)
    }

    /// Lets a tombstone in.
    ///
    /// - Throws: ``FutureStamp``, likewise.
    package func admit(_ tombstone: KnownTombstone) throws(FutureStamp) -> AdmittedTombstone {
        guard !isFuture(tombstone.stamp.physical) else { throw FutureStamp(stamp: tombstone.stamp) }
        return AdmittedTombstone(tombstone)
    }
}

/// A stamp of the remote is from further in the future than allowed.
package struct FutureStamp: Error, Hashable, Sendable {
    package let stamp: Stamp

    /// What is said of the entry.
    package var defect: Defect {
        Defect(.futureStamp, "the remote's version is dated \(RFC3339.text(stamp.physical)), which is in the future")
    }
}
