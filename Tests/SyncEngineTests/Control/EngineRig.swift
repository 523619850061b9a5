import ControlAPI
import JSONText
import LocalStore
import Logging
import Movies
import PluginKit
import SyncCore
import SyncModel
import Synchronization
import TestSupport

@testable import SyncEngine

/// A remote made of values: it shows what a test put there, and takes no writes.
final class RemoteOfValues: Remote {
    let name = "values"
    let address = "nowhere"
    let keepsTombstones = true
    let traffic = RemoteTraffic()
    private let entries = Mutex<[String: RemoteValue]>([:])

    func put(_ key: String, _ value: RemoteValue?) { entries.withLock { $0[key] = value } }

    func read(_ key: String, in keyspace: Keyspace) async throws -> RemoteEntry {
        RemoteEntry(key: key, value: entries.withLock { $0[key] } ?? .absent, etag: "etag")
    }

    func readRange(
        from first: String?, through last: String?, limit: Int, in keyspace: Keyspace
    ) async throws -> RemotePage {
        let all = try await self.keys(in: keyspace)
        let keys = all.filter { key in
            if let first, key < first { return false }
            if let last, key > last { return false }
            return true
        }
        let page = entries.withLock { entries in
            keys.prefix(limit).map { RemoteEntry(key: $0, value: entries[$0] ?? .absent) }
        }
        return RemotePage(entries: page, next: keys.count > limit ? keys[limit] : nil)
    }

    func keys(in keyspace: Keyspace) async throws -> [String] { entries.withLock { $0.keys.sorted() } }

    func write(
        _ write: RemoteWrite, in keyspace: Keyspace, if condition: WriteCondition
    ) async throws -> WriteOutcome { throw RemoteOfValues.readOnly }

    func remove(_ key: String, in keyspace: Keyspace, ifMatches etag: String) async throws -> WriteOutcome {
        throw RemoteOfValues.readOnly
    }

    func writeBatch(_ elements: [BatchElement]) async throws { throw RemoteOfValues.readOnly }

    func listen(
        to keyspace: Keyspace, after cursor: UInt64?, handler: @Sendable ([RemoteEvent]) async throws -> Void
    ) async throws { throw RemoteOfValues.readOnly }

    func shutdown() async {}

    private static let readOnly = RemoteError(.denied, "this remote takes no writes")
}

/// An engine with a real store whose parts do not run: what is asked of it is all that happens.
final class EngineRig: Sendable {
    let folder: TemporaryFolder
    let engine: SyncEngine
    let remote = RemoteOfValues()

    static let movies: CollectionID = "movies"

    init() throws {
        folder = try TemporaryFolder()
        let store = try LocalStore(folder: folder("state"))
        let settings = EngineSettings(
            journalPath: folder("journal.jsonl"), changesPath: folder("changes.jsonl"),
            collections: [(EngineRig.movies, .full, .fields)])
        let wall = ClockOfRig()
        engine = SyncEngine(
            settings: settings, store: store, remote: remote,
            registry: try PluginRegistry(collections: [Movies()]),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), pid: 1,
            clock: EngineClock(wall: { wall.now() }, monotonic: { 0 }, sleep: { _ in }))
        clock = wall
    }

    private let clock: ClockOfRig

    static func key(_ number: UInt64) -> RecordKey { RecordKey(movies, RecordID(high: 0x4011, low: number)) }
    static func id(_ number: UInt64) -> String { key(number).id.description }

    var store: LocalStore { engine.context.store }
    var now: Moment { Moment(milliseconds: clock.now()) }

    /// Lets a second pass, and tells the time.
    @discardableResult
    func later() -> Moment { Moment(milliseconds: clock.pass(1_000)) }

    /// Applies an operation as the journal's reader does, a second after the last one.
    func apply(_ kind: Operation.Kind, _ number: UInt64, _ fields: [String: JSONValue] = [:]) async throws {
        later()
        let operation = Operation(kind, EngineRig.key(number), fields: fields)
        try await engine.context.commit { [context = engine.context] transaction in
            try context.applier.apply(operation, .decided, line: [], origin: .journal, in: transaction)
        }
    }

    /// Takes what the remote shows of a record, as the collection's machine does.
    func show(_ number: UInt64, _ fields: [String: JSONValue]?, _ stamp: Stamp?) async throws {
        later()
        try await engine.context.commit { [context = engine.context] transaction in
            var stored = try transaction.record(EngineRig.key(number))
            var reading = Reading.absent
            if let fields, let stamp {
                reading = .stamped(try context.time.admit(Content(fields: fields), RemoteStamps(stamp)))
            } else if let fields {
                reading = .foreign(ForeignBody(named: fields))
            }
            var clock = transaction.clock
            let outcome = stored.state.read(
                reading, etag: nil, sent: [], clock: &clock,
                context.applier.context(EngineRig.movies).step)
            transaction.clock = clock
            try transaction.store(stored, outcome, origin: .remote, context.applier.context(EngineRig.movies))
        }
    }

    /// A stamp of another node, a second after the last edit.
    func stamp(of node: UInt64) -> Stamp {
        Stamp(physical: clock.now() + 500, counter: 0, node: NodeID(node))
    }

    /// What readers see of a record; nil where there is none.
    func fields(_ number: UInt64) async throws -> [String: JSONValue]? {
        try await store.read { try $0.record(EngineRig.key(number)).state.view?.fields }
    }
}

/// A clock that only a test moves.
final class ClockOfRig: Sendable {
    private let time = Mutex<UInt64>(1_795_205_704_000)

    func now() -> UInt64 { time.withLock { $0 } }

    @discardableResult
    func pass(_ milliseconds: UInt64) -> UInt64 {
        time.withLock {
            $0 += milliseconds
            return $0
        }
    }
}
