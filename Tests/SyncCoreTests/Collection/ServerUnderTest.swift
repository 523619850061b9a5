import JSONText
import SyncCore
import SyncModel

/// What a remote holds, and how it answers one request after the other.
struct ServerUnderTest {
    struct Kept: Hashable {
        var value: RemoteValue
        var version: Int
        var time: UInt64
    }

    var kept: [Keyspace: [String: Kept]] = [.records("movies"): [:], .tombstones("movies"): [:]]
    /// The server's time of the next write.
    var time: UInt64 = 1
    var peers: [String: RemotePeer] = [:]
    var horizon: Stamp?
    /// A proxy removes the ETags.
    var hidesETags = false
    /// A proxy answers `null` to whoever reads.
    var answersNull = false
    private var version = 0

    mutating func put(_ key: String, _ value: RemoteValue, in keyspace: Keyspace = .records("movies")) {
        version += 1
        kept[keyspace]?[key] = value == .absent ? nil : Kept(value: value, version: version, time: time)
    }

    func entry(_ key: String, in keyspace: Keyspace = .records("movies"), withETag: Bool = false) -> RemoteEntry {
        let found = kept[keyspace]?[key]
        let etag = found.map { "e\($0.version)" } ?? "null_etag"
        return RemoteEntry(
            key: key, value: found?.value ?? .absent, serverTime: found?.time,
            etag: withETag && !hidesETags ? etag : nil)
    }

    func keys(_ keyspace: Keyspace = .records("movies")) -> [String] { kept[keyspace, default: [:]].keys.sorted() }

    mutating func answer(_ call: RemoteCall) -> Result<CollectionMachine.Answer, RemoteError> {
        if answersNull, let null = ServerUnderTest.null(call) { return .success(null) }
        return answerOfDatabase(to: call)
    }

    private mutating func answerOfDatabase(to call: RemoteCall) -> Result<CollectionMachine.Answer, RemoteError> {
        switch call {
        case .read(let key, let keyspace): return .success(.entry(entry(key, in: keyspace, withETag: true)))
        case .readRange(let first, let last, let limit, let keyspace):
            let keys = keys(keyspace).filter { $0 >= first ?? "" && $0 <= last ?? "~" }
            let page = RemotePage(
                entries: keys.prefix(limit).map { entry($0, in: keyspace) },
                next: keys.count > limit ? keys[limit] : nil)
            return .success(.page(page))
        case .keys(let keyspace): return .success(.keys(keys(keyspace)))
        case .write(let write, let keyspace, let condition):
            let current = entry(write.key, in: keyspace, withETag: true)
            let holds =
                switch condition {
                case .absent: current.value == .absent
                case .matches(let etag): current.etag == etag
                }
            guard holds else { return .success(.outcome(.conflict(current))) }
            put(write.key, ServerUnderTest.value(write), in: keyspace)
            return .success(.outcome(.written(etag: entry(write.key, in: keyspace, withETag: true).etag)))
        case .remove(let key, let keyspace, let etag):
            let current = entry(key, in: keyspace, withETag: true)
            guard current.etag == etag else { return .success(.outcome(.conflict(current))) }
            put(key, .absent, in: keyspace)
            return .success(.outcome(.written(etag: "null_etag")))
        case .writeBatch(let elements):
            for element in elements {
                put(element.key, element.write.map(ServerUnderTest.value) ?? .absent, in: element.keyspace)
            }
            return .success(.done)
        case .peers: return .success(.peers(peers.values.sorted { $0.node < $1.node }))
        case .announce(let peer):
            peers[peer.node] = peer
            peers[peer.node]?.seenAt = time
            return .success(.done)
        case .horizon: return .success(.horizon(RemoteHorizon(stamp: horizon, etag: horizon?.description ?? "none")))
        case .raiseHorizon(_, let stamp, let etag):
            guard etag == horizon?.description ?? "none" else { return .success(.raised(false)) }
            horizon = stamp
            return .success(.raised(true))
        }
    }

    /// What reads as `null` does; nil for what writes.
    private static func null(_ call: RemoteCall) -> CollectionMachine.Answer? {
        switch call {
        case .read(let key, _): .entry(RemoteEntry(key: key, value: .absent))
        case .readRange: .page(RemotePage(entries: [], next: nil))
        case .keys: .keys([])
        case .horizon: .horizon(RemoteHorizon(stamp: nil, etag: nil))
        case .peers: .peers([])
        case .write, .remove, .writeBatch, .announce, .raiseHorizon: nil
        }
    }

    private static func value(_ write: RemoteWrite) -> RemoteValue {
        switch write.body {
        case .record(let content, let identifying, let stamps):
            .record(
                fields: content.fields.merging(identifying) { $1 },
                stamps: RemoteStamps(write.stamp, fields: stamps, replaces: write.replaces))
        case .tombstone(let ended): .tombstone(stamp: write.stamp, ended: ended)
        }
    }
}
