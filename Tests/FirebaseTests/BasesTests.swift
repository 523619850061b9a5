import DatabaseServer
import Firebase
import PluginKit
import SyncModel
import TestSupport
import Testing

/// Several bases in one database.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct BasesTests {
    @Test(arguments: [("shared/movies", "shared/films"), ("movies", "shared/movies"), ("a/b", "a%2Fb")])
    func `one base never sees the tombstones of another`(first: String, second: String) async throws {
        try await withHub { url in
            let delete = RemoteWrite(key: key, body: .tombstone(ended: nil), stamp: stamp)
            try await withRemote(url, { $0.bases = ["movies": first] }) { mine in
                try await withRemote(url, { $0.bases = ["movies": second] }) { other in
                    _ = try await mine.write(delete, in: tombstones, if: .absent)
                    #expect(try await mine.keys(in: tombstones) == [key])
                    #expect(try await other.keys(in: tombstones) == [])
                    #expect(try await other.read(key, in: tombstones).value == .absent)
                    try await other.writeBatch([BatchElement(keyspace: tombstones, key: key, write: delete)])
                    let etag = try #require(try await mine.read(key, in: tombstones).etag)
                    _ = try await mine.remove(key, in: tombstones, ifMatches: etag)
                    #expect(try await mine.keys(in: tombstones) == [])
                    #expect(try await other.keys(in: tombstones) == [key])
                }
            }
        }
    }
}

/// Lends the address of a hub of its own.
func withHub(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    var configuration = ServerConfiguration(data: folder.path)
    configuration.port = 0
    let server = try HubServer(configuration, logger: quiet)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await server.run() }
        try await body("http://\(server.address)")
        group.cancelAll()
    }
}
