import Firebase
import PluginKit
import SyncModel

/// A remote whose records lie one level deeper, below one key: so that all promises are tested there too.
struct NestedRemote: Remote {
    static let head = "348"

    let inner: FirebaseRemote

    var name: String { inner.name }
    var address: String { inner.address }
    var keepsTombstones: Bool { inner.keepsTombstones }
    var traffic: RemoteTraffic { inner.traffic }

    private func deep(_ key: String, _ keyspace: Keyspace) -> String {
        if case .tombstones = keyspace { key } else { "\(Self.head)/\(key)" }
    }

    private static func flat(_ key: String) -> String {
        key.hasPrefix("\(head)/") ? String(key.dropFirst(head.count + 1)) : key
    }

    private static func flat(_ entry: RemoteEntry) -> RemoteEntry {
        var entry = entry
        entry.key = flat(entry.key)
        return entry
    }

    private static func flat(_ write: RemoteWrite) -> RemoteWrite {
        var write = write
        write.key = flat(write.key)
        return write
    }

    private static func flat(_ element: BatchElement) -> BatchElement {
        var element = element
        element.key = flat(element.key)
        element.write = element.write.map(flat)
        return element
    }

    private static func flat(_ outcome: WriteOutcome) -> WriteOutcome {
        if case .conflict(let entry) = outcome { .conflict(flat(entry)) } else { outcome }
    }

    func read(_ key: String, in keyspace: Keyspace) async throws -> RemoteEntry {
        Self.flat(try await inner.read(deep(key, keyspace), in: keyspace))
    }

    func readRange(
        from first: String?, through last: String?, limit: Int, in keyspace: Keyspace
    ) async throws -> RemotePage {
        let page = try await inner.readRange(
            from: first.map { deep($0, keyspace) }, through: last.map { deep($0, keyspace) }, limit: limit, in: keyspace
        )
        return RemotePage(entries: page.entries.map(Self.flat), next: page.next.map(Self.flat))
    }

    func keys(in keyspace: Keyspace) async throws -> [String] { try await inner.keys(in: keyspace).map(Self.flat) }

    func write(_ write: RemoteWrite, in keyspace: Keyspace, if condition: WriteCondition) async throws -> WriteOutcome {
        var deeper = write
        deeper.key = deep(write.key, keyspace)
        return Self.flat(try await inner.write(deeper, in: keyspace, if: condition))
    }

    func remove(_ key: String, in keyspace: Keyspace, ifMatches etag: String) async throws -> WriteOutcome {
        Self.flat(try await inner.remove(deep(key, keyspace), in: keyspace, ifMatches: etag))
    }

    func writeBatch(_ elements: [BatchElement]) async throws {
        try await inner.writeBatch(
            elements.map { element in
                var deeper = element
                deeper.key = deep(element.key, element.keyspace)
                deeper.write?.key = deeper.key
                return deeper
            })
    }

    func listen(
        to keyspace: Keyspace, after cursor: UInt64?, handler: @Sendable ([RemoteEvent]) async throws -> Void
    ) async throws {
        try await inner.listen(to: keyspace, after: cursor) { events in
            try await handler(
                events.map { event in
                    switch event {
                    case .snapshotEntry(let entry): .snapshotEntry(Self.flat(entry))
                    case .changed(let entry): .changed(Self.flat(entry))
                    case .echoed(let elements, let time): .echoed(elements.map(Self.flat), serverTime: time)
                    case .touched(let key): .touched(key: Self.flat(key))
                    case .replaced(let key, let present): .replaced(below: Self.flat(key), by: present.map(Self.flat))
                    case .snapshotBegan, .snapshotEnded: event
                    }
                })
        }
    }

    func peers() async throws -> [RemotePeer] { try await inner.peers() }
    func announce(_ peer: RemotePeer) async throws { try await inner.announce(peer) }
    func horizon(of collection: CollectionID) async throws -> RemoteHorizon { try await inner.horizon(of: collection) }
    func raiseHorizon(of collection: CollectionID, to stamp: Stamp, ifMatches etag: String) async throws -> Bool {
        try await inner.raiseHorizon(of: collection, to: stamp, ifMatches: etag)
    }
    func shutdown() async { await inner.shutdown() }
}
