import ControlAPI
import JSONText
import LocalStore
import PluginConformance
import PluginKit
import SyncCore
import SyncModel

@testable import SyncEngine

/// Films put into an engine that does not run: what is asked of it is all that happens.
extension EngineUnderTest {
    static let movies: CollectionID = "movies"

    static func key(_ number: UInt64) -> RecordKey { RecordKey(movies, RecordID(high: 0x4011, low: number)) }
    static func id(_ number: UInt64) -> String { key(number).id.description }

    /// A line of the journal.
    static func create(_ number: UInt64) -> String {
        #"{"op":"create","id":"\#(id(number))","fields":{"title":"F"}}"#
    }

    var now: Moment { Moment(milliseconds: clock.wall) }

    /// Lets a second pass, and tells the time.
    @discardableResult
    func later() -> Moment {
        clock.advance(1_000)
        return now
    }

    /// Applies an operation as the journal's reader does, a second after the last one.
    func apply(_ kind: Operation.Kind, _ number: UInt64, _ fields: [String: JSONValue] = [:]) async throws {
        later()
        let operation = Operation(kind, Self.key(number), fields: fields)
        _ = try await engine.context.commit { [context = engine.context] transaction in
            try context.applier.apply(operation, .decided, line: [], origin: .journal, in: transaction)
        }
    }

    /// Takes what the remote shows of a record, as the collection's machine does.
    func show(_ number: UInt64, _ fields: [String: JSONValue]?, _ stamp: Stamp?) async throws {
        later()
        try await engine.context.commit { [context = engine.context] transaction in
            var stored = try transaction.record(Self.key(number))
            var reading = Reading.absent
            if let fields, let stamp {
                reading = .stamped(try context.time.admit(Content(fields: fields), RemoteStamps(stamp)))
            } else if let fields {
                reading = .foreign(ForeignBody(named: fields))
            }
            var clock = transaction.clock
            let outcome = stored.state.read(
                reading, etag: nil, sent: [], clock: &clock, context.applier.context(Self.movies).step)
            transaction.clock = clock
            try transaction.store(stored, outcome, origin: .remote, context.applier.context(Self.movies))
        }
    }

    /// A stamp of another node, half a second from now.
    func stamp(of node: UInt64) -> Stamp { Stamp(physical: clock.wall + 500, counter: 0, node: NodeID(node)) }

    /// Puts a record there behind the engine's back, with a stamp or as an app; nil takes it away.
    func put(_ key: String, _ fields: [String: JSONValue]?, _ stamp: Stamp? = nil) throws {
        guard let fields, stamp == nil else {
            let write = stamp.map { stamp in
                RemoteWrite(key: key, body: .record(Content(fields: fields ?? [:]), identityFields: [:]), stamp: stamp)
            }
            return try remote.memory.writeBatch([
                BatchElement(keyspace: .records(Self.movies), key: key, write: write)
            ])
        }
        try remote.memory.plant(.object(fields), at: [key], in: .records(Self.movies))
    }

    /// Puts there what can't be a record.
    func putArray(_ key: String) throws {
        try remote.memory.plant(.array([]), at: [key], in: .records(Self.movies))
    }

    /// What readers see of a record; nil where there is none.
    func fields(_ number: UInt64) async throws -> [String: JSONValue]? {
        try await store.read { try $0.record(Self.key(number)).state.view?.fields }
    }
}
