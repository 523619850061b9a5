internal import JSONText
public import PluginKit
public import SyncModel
internal import Synchronization

/// A remote in the memory of this process, for tests: the simplest thing that keeps the promises of ``Remote``.
public final class MemoryRemote: Remote {
    private struct Node {
        var value: RemoteValue
        var time: UInt64
        var etag: String
    }

    private struct Listener {
        var keyspace: Keyspace
        var continuation: AsyncStream<[RemoteEvent]>.Continuation
    }

    private struct State {
        var nodes: [Keyspace: [String: Node]] = [:]
        var listeners: [Int: Listener] = [:]
        var peers: [String: RemotePeer] = [:]
        var horizons: [CollectionID: Stamp] = [:]
        var writes = 0
        var time: UInt64 = 0
        var traffic = RemoteTraffic()

        func entry(_ key: String, in keyspace: Keyspace, withETag: Bool) -> RemoteEntry {
            guard let node = nodes[keyspace]?[key] else {
                return RemoteEntry(key: key, value: .absent, etag: withETag ? MemoryRemote.nothing : nil)
            }
            return RemoteEntry(key: key, value: node.value, serverTime: node.time, etag: withETag ? node.etag : nil)
        }

        mutating func set(_ key: String, in keyspace: Keyspace, to value: RemoteValue) {
            writes += 1
            nodes[keyspace, default: [:]][key] =
                value == .absent ? nil : Node(value: value, time: time, etag: "\(writes)")
            for listener in listeners.values where listener.keyspace == keyspace {
                listener.continuation.yield([.changed(entry(key, in: keyspace, withETag: false))])
            }
        }
    }

    private static let nothing = "nothing"

    public let name: String
    public let address = "memory"
    public let keepsTombstones: Bool
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    /// - Parameter now: the server's time in milliseconds since 1970.
    public init(name: String = "memory", keepsTombstones: Bool = true, now: @escaping @Sendable () -> UInt64) {
        self.name = name
        self.keepsTombstones = keepsTombstones
        self.now = now
    }

    public var traffic: RemoteTraffic { state.withLock { $0.traffic } }

    /// Puts a value at a path below a keyspace, as an app would.
    public func plant(_ value: JSONValue, at path: [String], in keyspace: Keyspace) throws(RemoteError) {
        guard let key = path.first else { return }
        try request(key, keyspace) { state in
            if path.count == 1 { return state.set(key, in: keyspace, to: Self.value(value, in: keyspace)) }
            guard case .record(var fields, let stamps)? = state.nodes[keyspace]?[key]?.value else { return }
            fields[path[1]] = value
            state.set(key, in: keyspace, to: .record(fields: fields, stamps: stamps))
        }
    }

    public func read(_ key: String, in keyspace: Keyspace) throws(RemoteError) -> RemoteEntry {
        try request(key, keyspace) { $0.entry(key, in: keyspace, withETag: true) }
    }

    public func readRange(
        from first: String?, through last: String?, limit: Int, in keyspace: Keyspace
    ) throws(RemoteError) -> RemotePage {
        try request(nil, keyspace) { state in
            let keys = (state.nodes[keyspace] ?? [:]).keys
                .filter { key in first.map { $0 <= key } ?? true && last.map { key <= $0 } ?? true }.sorted()
            let entries = keys.prefix(max(1, limit)).map { state.entry($0, in: keyspace, withETag: false) }
            return RemotePage(entries: entries, next: keys.dropFirst(max(1, limit)).first)
        }
    }

    public func keys(in keyspace: Keyspace) throws(RemoteError) -> [String] {
        try request(nil, keyspace) { ($0.nodes[keyspace] ?? [:]).keys.sorted() }
    }

    public func write(
        _ write: RemoteWrite, in keyspace: Keyspace, if condition: WriteCondition
    ) throws(RemoteError) -> WriteOutcome {
        let expected = if case .matches(let etag) = condition { etag } else { Self.nothing }
        return try change(write.key, in: keyspace, ifMatches: expected, to: RemoteValue(write))
    }

    public func remove(
        _ key: String, in keyspace: Keyspace, ifMatches etag: String
    ) throws(RemoteError) -> WriteOutcome {
        try change(key, in: keyspace, ifMatches: etag, to: .absent)
    }

    public func writeBatch(_ elements: [BatchElement]) throws(RemoteError) {
        for element in elements { try check(element.key, element.keyspace) }
        state.withLock { state in
            state.time = now()
            state.traffic.requests += 1
            for element in elements {
                state.set(element.key, in: element.keyspace, to: element.write.map(RemoteValue.init(_:)) ?? .absent)
            }
        }
    }

    public func listen(
        to keyspace: Keyspace, after cursor: UInt64?, handler: @Sendable ([RemoteEvent]) async throws -> Void
    ) async throws {
        let (stream, continuation) = AsyncStream<[RemoteEvent]>.makeStream()
        let (number, snapshot) = try request(nil, keyspace) { state in
            let keys = (state.nodes[keyspace] ?? [:]).filter { $0.value.time >= cursor ?? 0 }.keys.sorted()
            state.listeners[state.traffic.requests] = Listener(keyspace: keyspace, continuation: continuation)
            return (
                state.traffic.requests,
                keys.map { RemoteEvent.snapshotEntry(state.entry($0, in: keyspace, withETag: false)) }
            )
        }
        defer { state.withLock { $0.listeners[number] = nil } }
        try await handler([.snapshotBegan] + snapshot + [.snapshotEnded(entries: snapshot.count)])
        for await events in stream { try await handler(events) }
        try Task.checkCancellation()
        throw RemoteError(.streamEnded, "the remote was shut down")
    }

    public func peers() throws(RemoteError) -> [RemotePeer] {
        try inMeta { state in state.peers.values.sorted { $0.node < $1.node } }
    }

    public func announce(_ peer: RemotePeer) throws(RemoteError) {
        try inMeta { state in
            var peer = peer
            peer.seenAt = state.time
            peer.applied.merge(state.peers[peer.node]?.applied ?? [:]) { new, _ in new }
            peer.told.merge(state.peers[peer.node]?.told ?? [:]) { new, _ in new }
            state.peers[peer.node] = peer
        }
    }

    public func horizon(of collection: CollectionID) throws(RemoteError) -> RemoteHorizon {
        try inMeta { state in
            let stamp = state.horizons[collection]
            return RemoteHorizon(stamp: stamp, etag: stamp?.description ?? Self.nothing)
        }
    }

    public func raiseHorizon(
        of collection: CollectionID, to stamp: Stamp, ifMatches etag: String
    ) throws(RemoteError) -> Bool {
        try inMeta { state in
            guard state.horizons[collection]?.description ?? Self.nothing == etag else { return false }
            state.horizons[collection] = stamp
            return true
        }
    }

    public func shutdown() {
        for listener in state.withLock({ $0.listeners.values }) { listener.continuation.finish() }
    }

    private func change(
        _ key: String, in keyspace: Keyspace, ifMatches etag: String, to value: RemoteValue
    ) throws(RemoteError) -> WriteOutcome {
        try request(key, keyspace) { state in
            let current = state.entry(key, in: keyspace, withETag: true)
            guard current.etag == etag else { return .conflict(current) }
            state.set(key, in: keyspace, to: value)
            return .written(etag: state.entry(key, in: keyspace, withETag: true).etag)
        }
    }

    /// Counts a request, and carries it out where the key and the keyspace can be.
    private func request<Result: Sendable>(
        _ key: String?, _ keyspace: Keyspace, _ body: (inout State) -> Result
    ) throws(RemoteError) -> Result {
        try check(key, keyspace)
        return state.withLock { state in
            state.time = now()
            state.traffic.requests += 1
            return body(&state)
        }
    }

    private func check(_ key: String?, _ keyspace: Keyspace) throws(RemoteError) {
        if let key, key.isEmpty || key.contains("/") { throw RemoteError(.refused, "\"\(key)\" can't be a key") }
        guard case .tombstones = keyspace, !keepsTombstones else { return }
        throw RemoteError(.refused, "this remote keeps no tombstones")
    }

    private func inMeta<Result: Sendable>(_ body: (inout State) -> Result) throws(RemoteError) -> Result {
        guard keepsTombstones else { throw RemoteError(.refused, "this remote keeps no tombstones") }
        return try request(nil, .tombstones(.default), body)
    }

    private static func value(_ planted: JSONValue, in keyspace: Keyspace) -> RemoteValue {
        guard case .records = keyspace, let fields = planted.members else {
            return .unreadable(Defect(.unreadableRecord, "\(planted.kind) is no record"))
        }
        return .record(fields: fields, stamps: nil)
    }
}

extension RemoteValue {
    /// What a write leaves.
    init(_ write: RemoteWrite) {
        switch write.body {
        case .record(let content, let identity, let fieldStamps):
            self = .record(
                fields: content.fields.merging(identity) { $1 },
                stamps: RemoteStamps(write.stamp, fields: fieldStamps, replaces: write.replaces))
        case .tombstone(let ended): self = .tombstone(stamp: write.stamp, ended: ended)
        }
    }
}
