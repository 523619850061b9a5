import JSONText
import SyncCore
import SyncModel

/// One record and its tombstone, with the semantics of conditional writes: an ETag is a digest of what stands there.
struct FakeRemote {
    struct Node: Hashable {
        var fields: [String: JSONValue]
        var stamp: Stamp?
        /// `_t`: part of what stands there, so that two of our writes never have one ETag.
        var serverTime: UInt64?
        let content: Content

        init(_ fields: [String: JSONValue], stamp: Stamp?, serverTime: UInt64?) {
            self.fields = fields
            self.stamp = stamp
            self.serverTime = serverTime
            content = Content(fields: fields)
        }

        var etag: String { "\(content.hash)/\(stamp?.description ?? "-")/\(serverTime ?? 0)" }

        /// What a reader of the collection makes of it: `hasWatched` has a default.
        var reading: Reading {
            if let stamp { return .stamped(content, stamp) }
            return .foreign(named: fields, defaults: fields["hasWatched"] == nil ? ["hasWatched": false] : [:])
        }
    }

    struct Tombstone: Hashable {
        var stamp: Stamp
        var ended: ContentHash?
        var serverTime: UInt64

        var etag: String { "\(stamp)/\(serverTime)" }
        func known(etag: String?) -> KnownTombstone { KnownTombstone(stamp: stamp, contentHash: ended, etag: etag) }
    }

    static let nullETag = "null_etag"

    private(set) var node: Node?
    private(set) var tombstone: Tombstone?
    /// How many requests of nodes were carried out.
    private(set) var requests = 0
    /// How many of them changed anything.
    private(set) var writes = 0

    private func holds(_ condition: PushStep.Condition?, _ etag: String?) -> Bool {
        switch condition {
        case nil: true
        case .absent?: etag == nil
        case .matches(let wanted)?: (etag ?? FakeRemote.nullETag) == wanted
        }
    }

    /// Carries out a node's request at one moment.
    mutating func perform(_ request: Request, time: UInt64) -> Answer {
        requests += 1
        switch request {
        case .readRecord: return .record(node)
        case .readTombstone, .readTombstoneOfAbsent: return .tombstone(tombstone)
        case .write(let version, let condition):
            guard holds(condition, node?.etag), let content = version.content else { return .recordConflict(node) }
            writes += 1
            let written = Node(content.fields, stamp: version.stamp, serverTime: time)
            node = written
            return .written(etag: condition == nil ? nil : written.etag)
        case .writeTombstone(let stamp, let ended, let condition):
            guard holds(condition, tombstone?.etag) else { return .tombstoneConflict(tombstone) }
            writes += 1
            let written = Tombstone(stamp: stamp, ended: ended, serverTime: time)
            tombstone = written
            return .written(etag: written.etag)
        case .remove(let etag):
            guard holds(.matches(etag: etag), node?.etag) else { return .recordConflict(node) }
            writes += 1
            node = nil
            return .written(etag: FakeRemote.nullETag)
        }
    }

    /// What an app without stamps does: whatever stands there.
    mutating func appWrites(_ fields: [String: JSONValue]?) {
        node = fields.map { Node($0, stamp: nil, serverTime: nil) }
    }

    /// An app that changes one field in place: the stamp that stands there stays.
    mutating func appPatches(_ fields: [String: JSONValue]) {
        guard let old = node else { return appWrites(fields) }
        node = Node(old.fields.merging(fields) { _, new in new }, stamp: old.stamp, serverTime: old.serverTime)
    }
}

/// One request of a node.
enum Request: Hashable {
    case readRecord
    case readTombstone
    /// After an absence: what explains it.
    case readTombstoneOfAbsent
    /// Without a condition: the first attempt in a batch.
    case write(Version, PushStep.Condition?)
    case writeTombstone(Stamp, ContentHash?, PushStep.Condition)
    case remove(etag: String)
}

enum Answer: Hashable {
    case record(FakeRemote.Node?)
    case tombstone(FakeRemote.Tombstone?)
    case written(etag: String?)
    case recordConflict(FakeRemote.Node?)
    case tombstoneConflict(FakeRemote.Tombstone?)
}
