internal import JSONText
internal import SyncModel

/// Reads entries of one collection, with care: bodies that can't be a record become defects, never errors.
struct EntryReader {
    let rules: CollectionRules
    let time: StampPolicy
    /// Known to be from the future, as all above it are, whatever time it is.
    var waiting: Stamp?

    func read(_ entry: RemoteEntry, in keyspace: Keyspace) -> ObservedEntry {
        var observed = ObservedEntry(
            id: rules.recordID(of: entry.key, in: keyspace), key: entry.key, value: .record(.absent),
            serverTime: entry.serverTime,
            etag: entry.etag)
        if case .tombstones = keyspace { observed.isTombstone = true }
        guard let id = observed.id else {
            if entry.value != .absent {
                observed.value = .unreadable(
                    Defect(.unreadableRecord, "the key \"\(entry.key.prefix(80))\" is \(rules.key.refusal)"))
            }
            return observed
        }
        take(&observed) { () throws in try value(entry, id, keyspace) }
        return observed
    }

    /// A key of which is only known that something stands there.
    func read(present key: String, in keyspace: Keyspace) -> ObservedEntry {
        read(RemoteEntry(key: key, value: .record(fields: [:], stamps: nil)), in: keyspace)
    }

    /// What this node wrote, and stands there at `time`.
    func read(_ write: RemoteWrite, at time: UInt64, in keyspace: Keyspace) -> ObservedEntry {
        var observed = ObservedEntry(
            id: rules.recordID(of: write.key, in: keyspace), key: write.key, value: .record(.absent), serverTime: time)
        take(&observed) { () throws in try value(write) }
        return observed
    }

    private func take(_ observed: inout ObservedEntry, _ value: () throws -> ObservedEntry.Value) {
        do {
            observed.value = try value()
        } catch let future as FutureStamp {
            observed.value = .unreadable(future.defect)
            observed.future = future.stamp
        } catch let defect as Defect {
            observed.value = .unreadable(defect)
        } catch {
            observed.value = .unreadable(Defect(.unreadableRecord, "\(error)"))
        }
    }

    private func value(_ write: RemoteWrite) throws -> ObservedEntry.Value {
        switch write.body {
        case .record(let content, _, let stamps):
            .record(
                .stamped(try admit(content, RemoteStamps(write.stamp, fields: stamps, replaces: write.replaces))))
        case .tombstone(let ended):
            .tombstone(try admit(KnownTombstone(stamp: write.stamp, contentHash: ended)))
        }
    }

    private func value(_ entry: RemoteEntry, _ id: RecordID, _ keyspace: Keyspace) throws -> ObservedEntry.Value {
        switch (entry.value, keyspace) {
        case (.absent, .records): return .record(.absent)
        case (.absent, .tombstones): return .tombstone(nil)
        case (.unreadable(let defect), _): throw defect
        case (.tombstone(let stamp, let ended), _):
            return .tombstone(
                try admit(KnownTombstone(stamp: stamp, contentHash: ended, etag: entry.etag)))
        case (.record(let fields, let stamps), _):
            return .record(try record(try rules.key.fields(of: fields, under: entry.key), stamps, id))
        }
    }

    private func record(_ shown: [String: JSONValue], _ stamps: RemoteStamps?, _ id: RecordID) throws -> Reading {
        var fields = shown
        for key in rules.identityNames { fields[key] = nil }
        let normalized = try readably { () throws(Defect) in
            try stamps == nil ? rules.normalized(fields) : rules.merge.checked(fields, isStamped: true)
        }
        let isIdentified = rules.identityFields(id).allSatisfy { shown[$0.key] == $0.value }
        if let stamps {
            let version = try admit(Content(fields: fields), stamps)
            return .stamped(isIdentified ? version : version.unidentified)
        }
        let isSpelled = normalized.allSatisfy { fields[$0.key] == $0.value }
        return .foreign(
            ForeignBody(
                named: normalized.filter { fields[$0.key] != nil },
                defaults: normalized.filter { fields[$0.key] == nil }, isComplete: isSpelled && isIdentified))
    }
}

extension EntryReader {
    private func admit(_ content: Content, _ stamps: RemoteStamps) throws(FutureStamp) -> AdmittedVersion {
        try refuseWaiting(stamps.version)
        return try time.admit(content, stamps)
    }

    private func admit(_ tombstone: KnownTombstone) throws(FutureStamp) -> AdmittedTombstone {
        try refuseWaiting(tombstone.stamp)
        return try time.admit(tombstone)
    }

    private func refuseWaiting(_ stamp: Stamp) throws(FutureStamp) {
        if let waiting, waiting <= stamp { throw FutureStamp(stamp: stamp) }
    }

    /// What was shown of a record, with what an app may have written under a stamp of ours read as any app's is: it may be no
    /// record.
    ///
    /// - Parameter state: the record before.
    func carefully(_ shown: ObservedEntry, over state: RecordState) -> ObservedEntry {
        guard case .record(.stamped(let version)) = shown.value, state.mayBeAltered(version, rules.merge) else {
            return shown
        }
        var careful = shown
        take(&careful) { () throws in .record(.stamped(try carefully(version))) }
        return careful
    }

    /// A version whose fields an app may have written, with these read as any app's are. What it lacks is not filled in.
    func carefully(_ version: AdmittedVersion) throws(Defect) -> AdmittedVersion {
        version.read(as: try readably { () throws(Defect) in try rules.carefully(version.content.fields) })
    }

    private func readably(
        _ fields: () throws(Defect) -> [String: JSONValue]
    ) throws(Defect) -> [String: JSONValue] {
        do throws(Defect) {
            return try fields()
        } catch {
            throw Defect(.unreadableRecord, error.message)
        }
    }
}

/// An entry of a keyspace in the words of its collection.
struct ObservedEntry: Sendable {
    enum Value: Sendable {
        case record(Reading)
        case tombstone(AdmittedTombstone?)
        case unreadable(Defect)
    }

    /// Nil where the key is no UUID.
    var id: RecordID?
    /// The key as it stands in the remote.
    var key: String
    var value: Value
    /// The stamp of an entry that is unreadable only because it is from the future.
    var future: Stamp?
    var serverTime: UInt64?
    var etag: String?
    /// Whether it stands where tombstones do.
    var isTombstone = false

    /// The key where it is not the upper-case id.
    var nonCanonicalKey: String? { id?.description == key ? nil : key }

    /// What an item of the quarantine calls it: the id where the key is made of fields, else the key as it stands there.
    var nameInQuarantine: String { RecordID(key) == nil ? id?.description ?? key : key }

    /// The same, shown before what this node had written.
    var aheadOfEcho: ObservedEntry {
        guard case .record(.stamped(let version)) = value else { return self }
        var entry = self
        entry.value = .record(.stamped(version.aheadOfEcho))
        return entry
    }

    var isReadable: Bool {
        if case .unreadable = value { false } else { true }
    }

    var isAbsent: Bool {
        if case .record(.absent) = value { true } else { false }
    }
}

extension KeyTemplate {
    /// What a key is that no record can have.
    fileprivate var refusal: String { isKeyed ? "no \(parts.map(\.name).joined(separator: "/"))" : "no UUID" }
}
