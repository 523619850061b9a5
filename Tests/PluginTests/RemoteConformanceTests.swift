import Foundation
import PluginConformance
import PluginKit
import SyncModel
import TestSupport
import Testing

@Suite(.inTurn, .timeLimit(.minutes(1))) struct RemoteConformanceTests {
    @Test(arguments: RemoteConformance.promises)
    func `the remote in memory keeps the promises of a remote`(_ promise: RemotePromise) async {
        let remote = MemoryRemote { UInt64(Date().timeIntervalSince1970 * 1000) }
        let sample = RemoteSample(remote) { try remote.plant($0, at: $1, in: $2) }
        #expect(await promise.broken(by: sample) == [])
    }

    @Test(arguments: RemoteConformance.promises)
    func `tombstones and planted values are not needed`(_ promise: RemotePromise) async {
        let remote = MemoryRemote(keepsTombstones: false) { UInt64(Date().timeIntervalSince1970 * 1000) }
        #expect(await promise.broken(by: RemoteSample(remote)) == [])
    }

    /// Forgets conditions, ends pages too early, and calls everything absent.
    struct Careless: Remote {
        let inner = MemoryRemote { 1 }
        var name: String { inner.name }
        var address: String { inner.address }
        var keepsTombstones: Bool { true }
        var traffic: RemoteTraffic { inner.traffic }

        func read(_ key: String, in keyspace: Keyspace) throws -> RemoteEntry {
            RemoteEntry(key: key, value: .absent)
        }

        func readRange(from first: String?, through last: String?, limit: Int, in keyspace: Keyspace) throws
            -> RemotePage
        {
            var page = try inner.readRange(from: first, through: last, limit: limit, in: keyspace)
            page.next = nil
            return page
        }

        func keys(in keyspace: Keyspace) throws -> [String] { [] }

        func write(_ write: RemoteWrite, in keyspace: Keyspace, if condition: WriteCondition) throws -> WriteOutcome {
            try writeBatch([BatchElement(keyspace: keyspace, key: write.key, write: write)])
            return .written(etag: nil)
        }

        func remove(_ key: String, in keyspace: Keyspace, ifMatches etag: String) throws -> WriteOutcome {
            .written(etag: nil)
        }

        func writeBatch(_ elements: [BatchElement]) throws { try inner.writeBatch(elements) }

        func listen(
            to keyspace: Keyspace, after cursor: UInt64?, handler: @Sendable ([RemoteEvent]) async throws -> Void
        ) async throws {
            try await handler([.snapshotEnded(entries: 0)])
        }

        func peers() throws -> [RemotePeer] { [] }

        func announce(_ peer: RemotePeer) throws {}

        func horizon(of collection: CollectionID) throws -> RemoteHorizon { RemoteHorizon(stamp: nil, etag: "") }

        func raiseHorizon(of collection: CollectionID, to stamp: Stamp, ifMatches etag: String) throws -> Bool { true }

        func shutdown() { inner.shutdown() }
    }

    @Test(arguments: [
        "a key where nothing stands reads as absent", "a record reads as it was written", "an ETag changes",
        "a write that expects nothing", "a write with an ETag replaces", "the ETag of nothing", "of two writes",
        "a write that is sent again", "what has its ETag is removed", "tombstones are kept", "a node's entry",
        "the horizon",
        "every JSON value",
        "a batch writes and removes", "all keys are listed", "pages follow each other", "a listener of nothing",
        "a snapshot has every record", "changes are heard in the order", "a removal is heard", "a batch is heard",
        "a listener with a cursor", "a cancelled listener",
    ]) func `a careless remote is found out`(name: String) async throws {
        let promise = try #require(RemoteConformance.promises.first { $0.description.hasPrefix(name) })
        #expect(await promise.broken(by: RemoteSample(Careless())) != [])
    }
}
