import DatabaseServer
import PluginKit
import SyncModel
import TestSupport
import Testing

@testable import Firebase

/// Pictures in the storage of a hub, and of servers that behave otherwise.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct StoredPicturesTests {
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF] + Array(repeating: 1, count: 100_000)

    private func withHub(
        accounts: Bool = true, _ credential: FirebaseCredential, _ body: (any RemotePictures) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        var configuration = ServerConfiguration(data: folder.path)
        configuration.port = 0
        configuration.setOwnSecret("a-secret-of-this-test")
        if accounts { configuration.accounts = AccountConfiguration(project: nil) }
        let server = try HubServer(configuration, logger: quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            try await withRemote("http://\(server.address)", { $0.credential = credential }) {
                try await body(try #require($0.pictures))
            }
            group.cancelAll()
        }
    }

    private func fetched(_ address: String, from pictures: any RemotePictures) async throws -> [UInt8]? {
        var bytes: [UInt8] = []
        let place = try #require(pictures.place(of: address))
        return try await pictures.fetch(place) { bytes += $0 } ? bytes : nil
    }

    @Test func `what is stored is seen by its address, until something else is`() async throws {
        try await withHub(.administrator(token: "a-secret-of-this-test", override: nil)) { pictures in
            let first = try await pictures.store(Self.jpeg, of: "anna")
            #expect(try await fetched(first, from: pictures) == Self.jpeg)
            let second = try await pictures.store(Self.jpeg + [9], of: "anna")
            #expect(second != first)
            #expect(try await fetched(second, from: pictures) == Self.jpeg + [9])
            #expect(try await fetched(first, from: pictures) == nil)
            #expect(try await fetched(first.replacing("anna", with: "bob"), from: pictures) == nil)
            for _ in 0..<2 {
                try await pictures.remove(of: "anna")
                #expect(try await fetched(second, from: pictures) == nil)
            }
        }
    }

    @Test func `a refusal is told in words, without the credential`() async throws {
        try await withHub(.none) { pictures in
            let error = try await remoteError { _ = try await pictures.store(Self.jpeg, of: "anna") }
            #expect(error.code == .stopped && error.message.hasSuffix("answered 403: Permission denied."))
        }
        try await withHub(accounts: false, .none) { pictures in
            let error = try await remoteError { _ = try await pictures.store(Self.jpeg, of: "anna") }
            #expect(error.code == .refused && error.message.contains("--accounts"))
            let other = try await remoteError { try await pictures.remove(of: "anna") }
            #expect(other.message == error.message)
        }
        try await withScript(adjusting: { $0.credential = .secret("top-secret") }) { _, line in
            try await line.reply(403, [:], #"{"error":{"code":403,"message":"no top-secret here"}}"#)
        } _: { remote, server in
            let pictures = try #require(remote.pictures)
            let error = try await remoteError { _ = try await pictures.store(Self.jpeg, of: "anna") }
            #expect(error.message.hasSuffix("answered 403: no … here"))
            #expect(server.requests.first?.header("Authorization") == ["Bearer top-secret"])
        }
    }

    @Test(
        arguments: [
            (FirebaseCredential.none, []), (.emulator, ["Bearer owner"]), (.secret("s"), ["Bearer s"]),
            (.idToken("a.b.c"), ["Firebase a.b.c"]), (.administrator(token: "t", override: "{}"), ["Bearer t"]),
        ] as [(FirebaseCredential, [String])])
    func `an upload carries the credential as a storage wants it, and a download none`(
        credential: FirebaseCredential, authorization: [String]
    ) async throws {
        try await withScript(adjusting: { $0.credential = credential }) { request, line in
            guard request.method == "POST" else { return try await line.reply(200, [:], "bytes") }
            try await line.reply(200, [:], #"{"name":"x","downloadTokens":"one,two"}"#)
        } _: { remote, server in
            let pictures = try #require(remote.pictures)
            let address = try await pictures.store(Self.jpeg, of: "anna")
            let place = "/v0/b/moviesync/o/profiles%2Fanna.jpg?alt=media&token=one"
            #expect(address == server.url + place)
            #expect(try await fetched(address, from: pictures) == Array("bytes".utf8))
            #expect(server.requests.map(\.target) == ["/v0/b/moviesync/o?name=profiles%2Fanna.jpg", place])
            #expect(server.requests.map { $0.header("Authorization") } == [authorization, []])
            #expect(server.requests.first?.header("Content-Type") == ["image/jpeg"])
        }
    }

    @Test(arguments: [500, 307, 200])
    func `an answer that says nothing of a picture is an error`(status: Int) async throws {
        try await withScript { _, line in
            try await line.reply(status, ["Location": "http://127.0.0.1:1/"], "{}")
        } _: { remote, _ in
            let pictures = try #require(remote.pictures)
            _ = try await remoteError { _ = try await pictures.store(Self.jpeg, of: "anna") }
            guard status != 200 else { return }
            let place = try #require(pictures.place(of: "http://x/v0/b/b/o/a.jpg"))
            _ = try await remoteError { _ = try await pictures.fetch(place) { _ in } }
        }
    }
}
