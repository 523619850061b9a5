import Firebase
import PluginKit
import SyncModel
import Synchronization
import TestSupport
import Testing

@Suite(.inTurn, .timeLimit(.minutes(1))) struct ServiceAccountTests {
    @Test func `a signed request gets a token, which every request carries`() async throws {
        let tokens = TokenService()
        try await withServiceAccount(tokens) { _, line in
            try await line.reply(200, [:], "null")
        } _: { remote, server in
            _ = try await remote.keys(in: movies)
            _ = try await remote.keys(in: movies)
            #expect(server.requests.map(\.path) == ["/token", "/movies.json", "/movies.json"])
            let request = try #require(server.requests.first)
            #expect(request.method == "POST")
            #expect(request.header("Content-Type") == ["application/x-www-form-urlencoded"])
            let claims = try await TokenClaims(form: request.body, signedBy: ServiceKey.shared.get())
            #expect(claims.iss == "sync@example.test")
            #expect(claims.aud == "\(server.url)/token")
            #expect(claims.exp - claims.iat == 3600)
            #expect(
                claims.scope
                    == "https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/firebase.database"
            )
            for request in server.requests.dropFirst() {
                #expect(request.header("Authorization") == ["Bearer t1"])
                #expect(
                    request.query == ["shallow=true", "auth_variable_override=%7B%22uid%22%3A%22moviesync%22%7D"])
            }
        }
    }

    @Test func `callers at the same time share one token`() async throws {
        let tokens = TokenService()
        try await withServiceAccount(tokens) { _, line in
            try await line.reply(200, [:], "null")
        } _: { remote, _ in
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 { group.addTask { _ = try await remote.keys(in: movies) } }
                try await group.waitForAll()
            }
            #expect(tokens.count == 1)
        }
    }

    @Test func `a token near its end is replaced`() async throws {
        let tokens = TokenService(lifetime: 0)
        try await withServiceAccount(tokens) { _, line in
            try await line.reply(200, [:], "null")
        } _: { remote, server in
            _ = try await remote.keys(in: movies)
            _ = try await remote.keys(in: movies)
            #expect(server.requests.last?.header("Authorization") == ["Bearer t2"])
        }
    }

    @Test func `a token of an endless life is used, also for a stream`() async throws {
        let tokens = TokenService(lifetime: .max)
        let (shown, isShown) = AsyncStream<Void>.makeStream()
        try await withServiceAccount(tokens) { request, line in
            guard request.header("Accept") == ["text/event-stream"] else {
                return try await line.reply(200, [:], "null")
            }
            try await line.beginStream()
            try await line.send(StreamTests.put("/", "null"))
            for await _ in shown { break }
            throw ScriptedServer.HangUp()
        } _: { remote, _ in
            _ = try await remote.keys(in: movies)
            try await withListener(remote) { listening async throws in
                #expect(try await listening.next(2) == StreamTests.empty)
                isShown.yield()
                #expect(try await listening.end().code == .streamEnded)
            }
            #expect(tokens.count == 1)
        }
    }

    @Test func `a young token is not renewed because of a refusal`() async throws {
        let tokens = TokenService()
        try await withServiceAccount(tokens) { _, line in
            try await line.reply(401, [:], #"{"error":"Permission denied"}"#)
        } _: { remote, _ in
            let error = try await remoteError { _ = try await remote.keys(in: movies) }
            #expect(error.code == .denied)
            #expect(tokens.count == 1)
        }
    }

    @Test func `an answer of the token service that is too large names its own limit`() async throws {
        let key = try ServiceKey.shared.get()
        try await withServer { _, line in
            try await line.reply(200, [:], String(repeating: " ", count: (1 << 20) + 1))
        } _: { server in
            let credential = FirebaseCredential.serviceAccount(json: key.file(tokensFrom: server.url))
            try await withRemote(server.url, { $0.credential = credential }) { remote in
                let error = try await remoteError { _ = try await remote.keys(in: movies) }
                #expect(error.code == .tooLarge)
                #expect(error.message == "the answer of \(server.url)/token is larger than 1 MiB")
            }
        }
    }

    @Test(arguments: [(400, RemoteError.Code.unauthorized), (503, .unavailable)])
    func `a token that can't be had says why`(status: Int, code: RemoteError.Code) async throws {
        let key = try ServiceKey.shared.get()
        try await withServer { _, line in
            try await line.reply(status, [:], #"{"error":"invalid_grant","error_description":"Invalid JWT: iat"}"#)
        } _: { server in
            let credential = FirebaseCredential.serviceAccount(json: key.file(tokensFrom: server.url))
            try await withRemote(server.url, { $0.credential = credential }) { remote in
                let error = try await remoteError { _ = try await remote.keys(in: movies) }
                #expect(error.code == code)
                #expect(error.message.contains("invalid_grant: Invalid JWT: iat"))
            }
        }
    }

    @Test(arguments: ["", "[]", "{}", #"{"client_email":"a"}"#, #"{"client_email":"a","private_key":"none"}"#])
    func `a file that is no key is refused in one line`(text: String) {
        let settings = FirebaseSettings(
            url: "https://db.example.test", credential: .serviceAccount(json: Array(text.utf8)))
        let error = #expect(throws: RemoteSettingsError.self) { try FirebaseRemote(settings, logger: quiet) }
        #expect(error?.message.contains("service account") == true)
        #expect(error?.message.contains("\n") == false)
    }

    @Test func `tokens come from no port that there is not`() throws {
        let file = try ServiceKey.shared.get().file(tokensFrom: "http://127.0.0.1:99999")
        let settings = FirebaseSettings(url: "https://db.example.test", credential: .serviceAccount(json: file))
        let error = #expect(throws: RemoteSettingsError.self) { try FirebaseRemote(settings, logger: quiet) }
        #expect(error?.message.contains("token_uri has a port that there is not") == true)
    }

    private func entry(_ number: Int64) -> RemoteEntry {
        RemoteEntry(key: "from", value: .record(fields: ["number": .integer(number)], stamps: nil))
    }

    @Test func `a stream is replaced before its token ends`() async throws {
        // The second one lives long: however busy the machine is, nobody asks for a third.
        let tokens = TokenService(lifetime: 2, later: 3600)
        let opened = Mutex(0)
        let (successor, asked) = (Bell(), Bell())
        let (isThere, beats) = (successor.rings(), asked.rings())
        try await withServiceAccount(tokens) { request, line in
            guard request.header("Accept") == ["text/event-stream"] else {
                try await line.reply(200, [:], "null")
                return asked.ring()
            }
            let number = opened.withLock { count in
                count += 1
                return count
            }
            if number > 2 { return await line.staySilent() }
            try await line.beginStream()
            try await line.send(StreamTests.put("/", #"{"from":{"number":\#(number)}}"#))
            if number == 2 {
                successor.ring()
                return await line.staySilent()
            }
            // A heartbeat for each other request, until the stream is closed from the other side.
            for await _ in beats { try await line.send("event: keep-alive\ndata: null\n\n") }
        } _: { remote, server in
            try await withListener(remote) { listening in
                #expect(
                    try await listening.next(3) == [
                        .snapshotBegan, .snapshotEntry(entry(1)), .snapshotEnded(entries: 1),
                    ])
                for await _ in isThere { break }
                let second = try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { while !Task.isCancelled { _ = try? await remote.keys(in: movies) } }
                    defer { group.cancelAll() }
                    return try await listening.next(3)
                }
                #expect(second == [.snapshotBegan, .snapshotEntry(entry(2)), .snapshotEnded(entries: 1)])
                let streams = server.requests.filter { $0.header("Accept") == ["text/event-stream"] }
                #expect(streams.prefix(2).map { $0.header("Authorization") } == [["Bearer t1"], ["Bearer t2"]])
            }
        }
    }

    @Test func `a revoked token is not used again`() async throws {
        let tokens = TokenService()
        try await withServiceAccount(tokens) { _, line in
            try await line.beginStream()
            try await line.send(
                StreamTests.put("/", "null") + "event: auth_revoked\ndata: credential is no longer valid\n\n")
            await line.staySilent()
        } _: { remote, server in
            for _ in 1...2 {
                let error = try await remoteError { try await remote.listen(to: movies, after: nil) { _ in } }
                #expect(error.code == .tokenEnded)
            }
            #expect(server.requests.last?.header("Authorization") == ["Bearer t2"])
        }
    }
}
