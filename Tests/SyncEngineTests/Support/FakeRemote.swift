import PluginConformance
import PluginKit
import SyncModel
import Synchronization

/// A remote in memory whose requests fail as a test says.
final class FakeRemote: Remote {
    private struct State {
        var failures: [RemoteError] = []
        var requests = 0
        var listens = 0
        var pause: (@Sendable () async -> Void)?
        var writePause: (@Sendable () async -> Void)?
        var readPause: (@Sendable () async -> Void)?
        var accounts: (any RemoteAccounts)?
        var pictures: (any RemotePictures)?
        var clockOffset: Int64?
        var hidesETags = false
    }

    let memory = MemoryRemote(now: { 1_800_000_000_000 })
    private let state = Mutex(State())

    var name: String { memory.name }
    var address: String { memory.address }
    var keepsTombstones: Bool { memory.keepsTombstones }
    var traffic: RemoteTraffic {
        var traffic = memory.traffic
        if let offset = state.withLock({ $0.clockOffset }) { traffic.clockOffset = offset }
        return traffic
    }

    /// From now on its clock is so many milliseconds ahead of this machine's.
    func setClock(ahead offset: Int64) { state.withLock { $0.clockOffset = offset } }

    /// None, until a test gives some.
    var accounts: (any RemoteAccounts)? { state.withLock { $0.accounts } }

    func serve(_ accounts: any RemoteAccounts) { state.withLock { $0.accounts = accounts } }

    /// The same of pictures.
    var pictures: (any RemotePictures)? { state.withLock { $0.pictures } }

    func serve(_ pictures: any RemotePictures) { state.withLock { $0.pictures = pictures } }

    /// How many requests were made, those that failed included; streams are not counted.
    var requests: Int { state.withLock { $0.requests } }
    /// How many streams were opened.
    var listens: Int { state.withLock { $0.listens } }

    /// The next request fails with this; called again, so does the one after it.
    func failNext(_ error: RemoteError) { state.withLock { $0.failures.append(error) } }

    /// The next time that all keys are asked for, they are shown when `body` has ended.
    func whenKeysAreAsked(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.pause = body } }

    /// Every write from now on waits for the end of `body`; one that is given up by then never gets there.
    func whenWritten(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.writePause = body } }

    /// Every read of a record from now on waits for the end of `body`; one that is given up by then has no answer.
    func whenRead(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.readPause = body } }

    private func count() throws {
        let failure = state.withLock { state -> RemoteError? in
            state.requests += 1
            return state.failures.isEmpty ? nil : state.failures.removeFirst()
        }
        if let failure { throw failure }
    }

    func read(_ key: String, in keyspace: Keyspace) async throws -> RemoteEntry {
        try count()
        await state.withLock { $0.readPause }?()
        try Task.checkCancellation()
        var entry = try memory.read(key, in: keyspace)
        if state.withLock({ $0.hidesETags }) { entry.etag = nil }
        return entry
    }

    /// From now on what is read has no ETag.
    func hideETags() { state.withLock { $0.hidesETags = true } }

    func readRange(
        from first: String?, through last: String?, limit: Int, in keyspace: Keyspace
    ) async throws -> RemotePage {
        try count()
        return try memory.readRange(from: first, through: last, limit: limit, in: keyspace)
    }

    func keys(in keyspace: Keyspace) async throws -> [String] {
        try count()
        let pause = state.withLock { state in
            defer { state.pause = nil }
            return state.pause
        }
        await pause?()
        return try memory.keys(in: keyspace)
    }

    func write(
        _ write: RemoteWrite, in keyspace: Keyspace, if condition: WriteCondition
    ) async throws -> WriteOutcome {
        try count()
        await state.withLock { $0.writePause }?()
        try Task.checkCancellation()
        return try memory.write(write, in: keyspace, if: condition)
    }

    func remove(_ key: String, in keyspace: Keyspace, ifMatches etag: String) async throws -> WriteOutcome {
        try count()
        return try memory.remove(key, in: keyspace, ifMatches: etag)
    }

    func writeBatch(_ elements: [BatchElement]) async throws {
        try count()
        await state.withLock { $0.writePause }?()
        try Task.checkCancellation()
        try memory.writeBatch(elements)
    }

    func listen(
        to keyspace: Keyspace, after cursor: UInt64?, handler: @Sendable ([RemoteEvent]) async throws -> Void
    ) async throws {
        state.withLock { $0.listens += 1 }
        try await memory.listen(to: keyspace, after: cursor, handler: handler)
    }

    func peers() async throws -> [RemotePeer] { try memory.peers() }

    func announce(_ peer: RemotePeer) async throws { try memory.announce(peer) }

    func horizon(of collection: CollectionID) async throws -> RemoteHorizon { try memory.horizon(of: collection) }

    func raiseHorizon(of collection: CollectionID, to stamp: Stamp, ifMatches etag: String) async throws -> Bool {
        try memory.raiseHorizon(of: collection, to: stamp, ifMatches: etag)
    }

    func shutdown() async { memory.shutdown() }
}
