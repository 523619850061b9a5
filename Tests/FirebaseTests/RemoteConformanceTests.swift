import DatabaseServer
import Firebase
import JSONText
import PluginConformance
import PluginKit
import SyncModel
import TestSupport
import Testing

/// The remote and the hub together.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct RemoteConformanceTests {
    @Test(arguments: RemoteConformance.promises)
    func `keeps the promises of a remote`(_ promise: RemotePromise) async throws {
        try await withSample { #expect(await promise.broken(by: $0) == []) }
    }

    @Test(arguments: RemoteConformance.promises)
    func `keeps the promises of a remote without tombstones at the root`(_ promise: RemotePromise) async throws {
        try await withSample(base: "", meta: nil) { #expect(await promise.broken(by: $0) == []) }
    }

    /// A database lists by time only what lies directly below a place.
    @Test(arguments: RemoteConformance.promises.filter { !$0.description.contains("cursor") })
    func `keeps the promises of a remote where keys are made of two parts`(_ promise: RemotePromise) async throws {
        try await withSample(isNested: true) { #expect(await promise.broken(by: $0) == []) }
    }

    /// Lends an empty database of a server of its own.
    private func withSample(
        base: String = "shared/movies", meta: String? = "moviesync", isNested: Bool = false,
        _ body: (RemoteSample) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        var configuration = ServerConfiguration(data: folder.path)
        configuration.port = 0
        let server = try HubServer(configuration, logger: quiet)
        var settings = FirebaseSettings(url: "http://\(server.address)", bases: ["movies": base], meta: meta)
        let other = try FirebaseRemote(settings, logger: quiet)
        if isNested { settings.depths["movies"] = 2 }
        let inner = try FirebaseRemote(settings, logger: quiet)
        let remote: any Remote = isNested ? NestedRemote(inner: inner) : inner
        let sample = RemoteSample(remote) { value, path, keyspace in
            var place = isNested ? "\(base)/\(NestedRemote.head)" : base
            if case .tombstones = keyspace { place = "moviesync/tombstones/shared%2Fmovies" }
            let parts = (place.isEmpty ? [] : [place]) + path
            try await other.replace("/" + parts.joined(separator: "/"), with: Array(JSONWriter.string(value).utf8))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            try await body(sample)
            group.cancelAll()
        }
        await other.shutdown()
    }
}
