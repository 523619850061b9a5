import Firebase
import PluginKit
import SyncModel
import TestSupport
import Testing

@Suite(.inTurn, .timeLimit(.minutes(1))) struct RedirectTests {
    @Test func `a redirect is followed with method, headers, body and credential`() async throws {
        try await withServer { request, line in
            try await line.reply(200, ["ETag": "new="], request.body)
        } _: { shard in
            let target = "\(shard.url)/shard/movies/\(key).json?ns=db"
            try await withScript(adjusting: { $0.credential = .emulator }) { _, line in
                try await line.reply(307, ["Location": target], "")
            } _: { remote, server in
                let outcome = try await remote.write(film("Alien"), in: movies, if: .absent)
                #expect(outcome == .written(etag: "new="))
                let request = try #require(shard.requests.first)
                #expect(request.method == "PUT")
                #expect(request.target == "/shard/movies/\(key).json?ns=db")
                #expect(request.header("Authorization") == ["Bearer owner"])
                #expect(request.header("if-match") == ["null_etag"])
                #expect(request.body == ConditionalWriteTests.bodyText)
                #expect(remote.traffic.requests == 2)
                _ = try await remote.write(film("Alien"), in: movies, if: .absent)
                #expect(server.requests.count == 2, "each request starts from the canonical address")
            }
        }
    }

    @Test(arguments: [
        ("", ["shallow=true", "auth=s"]), ("?ns=x", ["ns=x", "shallow=true", "auth=s"]),
        ("?auth=s", ["auth=s", "shallow=true"]),
    ])
    func `a redirect that lost the credential, or what was asked, gets it again`(target: String, query: [String])
        async throws
    {
        try await withScript(adjusting: { $0.credential = .secret("s") }) { request, line in
            if request.path == "/moved/movies.json" { return try await line.reply(200, [:], "null") }
            try await line.reply(307, ["Location": "/moved/movies.json" + target], "")
        } _: { remote, server in
            let keys = try await remote.keys(in: movies)
            #expect(keys.isEmpty)
            #expect(server.requests.last?.query == query)
        }
    }

    @Test(arguments: [
        "/nowhere.json", "/", "/movies/a.json", "http://127.0.0.1:1/other.json?ns=x", "/movies.json?shallow=false",
    ])
    func `what stands at another path is no answer`(target: String) async throws {
        try await withScript { request, line in
            if request.path != "/movies.json" { return try await line.reply(200, [:], "null") }
            try await line.reply(307, ["Location": target], "")
        } _: { remote, server in
            let error = try await remoteError { _ = try await remote.keys(in: movies) }
            #expect(error.code == .unreachable && error.message.contains("a redirect leads to another"))
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: ["http://db.example.test/", "http://127.0.0.1.example.test:9000/", "http://192.0.2.1/"])
    func `no secret follows a redirect to another machine by plain http`(target: String) async throws {
        try await withScript(adjusting: { $0.credential = .secret("s") }) { _, line in
            try await line.reply(307, ["Location": target], "")
        } _: { remote, server in
            let error = try await remoteError { _ = try await remote.keys(in: movies) }
            #expect(error.code == .unreachable && error.message.contains("it would show the credential"))
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: ["/movies.json", "ftp://host/", "http://127.0.0.1:99999/", "http://localhost:65536/", ""])
    func `a redirect that leads nowhere is an error`(target: String) async throws {
        try await withScript { _, line in
            try await line.reply(307, target.isEmpty ? [:] : ["Location": target], "")
        } _: { remote, server in
            let error = try await remoteError { _ = try await remote.keys(in: movies) }
            #expect(error.code == .unreachable)
            #expect(server.requests.count == (target == "/movies.json" ? 6 : 1))
        }
    }
}
