import Firebase
import JSONText
import Logging
import PluginKit
import SyncModel
import TestSupport
import Testing

/// Where log lines go that no test looks at.
let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
let movies = Keyspace.records("movies")
let tombstones = Keyspace.tombstones("movies")
let key = "6F9619FF-8B86-4011-B42D-00C04FC964FF"
let stamp = Stamp(physical: 0x0191_2345_6789, counter: 2, node: NodeID(0xABCD))
let stampText = "019123456789-0002-000000000000abcd"

func film(_ title: String, key: String = key) -> RemoteWrite {
    let content = Content(fields: ["title": .string(title), "hasWatched": true])
    return RemoteWrite(key: key, body: .record(content, identityFields: ["identifier": .string(key)]), stamp: stamp)
}

/// Runs `body` with a remote for the database at `url`, and shuts it down.
func withRemote(
    _ url: String, _ adjust: (inout FirebaseSettings) -> Void = { _ in },
    _ body: (FirebaseRemote) async throws -> Void
) async throws {
    var settings = FirebaseSettings(url: url, bases: ["movies": "movies"], meta: "moviesync")
    adjust(&settings)
    let remote = try FirebaseRemote(settings, logger: quiet)
    do {
        try await body(remote)
    } catch {
        await remote.shutdown()
        throw error
    }
    await remote.shutdown()
}

/// Runs `body` with a remote for a server that follows `script`.
func withScript(
    adjusting adjust: (inout FirebaseSettings) -> Void, _ script: @escaping ScriptedServer.Script,
    _ body: (FirebaseRemote, ScriptedServer) async throws -> Void
) async throws {
    try await withServer(script) { server in
        try await withRemote(server.url, adjust) { try await body($0, server) }
    }
}

func withScript(
    _ script: @escaping ScriptedServer.Script, _ body: (FirebaseRemote, ScriptedServer) async throws -> Void
) async throws {
    try await withScript(adjusting: { _ in }, script, body)
}

/// The error that `body` throws; a failure where it throws none or another kind.
func remoteError(_ body: () async throws -> Void) async throws -> RemoteError {
    do {
        try await body()
    } catch let error as RemoteError {
        return error
    }
    Issue.record("nothing was thrown")
    throw CancellationError()
}

extension RemoteEntry {
    /// Why the entry can't be read; nil where it can.
    var defect: Defect? { if case .unreadable(let defect) = value { defect } else { nil } }
}
