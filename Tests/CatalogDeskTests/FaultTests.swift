import ControlAPI
import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import CatalogDesk

/// What sources do wrong, over real sockets.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct FaultTests {
    private static let invalid =
        #"{"success":false,"status_code":7,"status_message":"Invalid API key: \#(RunningDesk.key)"}"#

    @Test(
        arguments: [
            ("tmdb", 401, invalid, 409, "unauthorized"),
            ("tmdb", 404, #"{"status_code":34,"status_message":"not here"}"#, 404, "notFound"),
            ("tmdb", 422, #"{"errors":["query must be provided"]}"#, 400, "refused"),
            ("tmdb", 200, #"{"success":false,"status_code":22,"status_message":"Invalid page"}"#, 400, "refused"),
            ("tmdb", 200, "<html>busy</html>", 503, "unavailable"), ("tmdb", 200, "", 503, "unavailable"),
            ("tmdb", 502, "bad gateway", 503, "unavailable"), ("tmdb", 429, "", 429, "limited"),
            ("tmdb", 429, "{}", 429, "limited"), ("omdb", 401, "<html></html>", 409, "unauthorized"),
            ("omdb", 401, #"{"Response":"False","Error":"Invalid API key!"}"#, 409, "unauthorized"),
            ("omdb", 401, #"{"Response":"False","Error":"No API key provided."}"#, 409, "unauthorized"),
            ("omdb", 401, #"{"Response":"False","Error":"Request limit reached!"}"#, 429, "limited"),
            ("omdb", 200, #"{"Response":"False","Error":"Too many results."}"#, 400, "refused"),
            ("audiodb", 200, "", 503, "unavailable"), ("audiodb", 200, "<html></html>", 503, "unavailable"),
        ])
    func `a failure is told in a word, without the key`(
        catalog: String, status: Int, body: String, answer: Int, code: String
    ) async throws {
        try await withServer { _, line in
            try await line.reply(status, [:], body)
        } _: { server in
            try await RunningDesk.run(at: server.url) { running in
                let error = try #require(await running.failure(of: "alien", in: catalog))
                #expect(error.status == answer && error.code == code, "\(error.message)")
                #expect(server.requests.count == 1)
                let seen = try ControlJSON.text(await running.desk.catalogs())
                for text in [error.message, running.log.text, String(decoding: seen, as: UTF8.self)] {
                    #expect(!text.contains(RunningDesk.key) && !text.contains("5ec4e7"))
                }
            }
        }
    }

    @Test func `where nobody listens at the configured place, that place and a plain word are told`() async throws {
        try await RunningDesk.run(at: "http://127.0.0.1:9/path") { running in
            let error = try #require(await running.failure(of: "alien"))
            let words = "127.0.0.1:9 can't be asked: the connection was refused"
            #expect(error.message.contains(words), "\(error.message)")
            #expect(!error.message.contains("themoviedb") && !error.message.contains("errno"))
        }
    }

    @Test(.enabled(if: OpenSSL.isThere, "openssl makes the certificate"))
    func `a certificate that is not accepted is told as that`() async throws {
        let folder = try TemporaryFolder()
        try await withServer(tls: try TestCertificate(in: folder.path).context()) { _, line in
            try await line.reply(200, [:], "{}")
        } _: { server in
            try await RunningDesk.run(at: server.url) { running in
                let error = try #require(await running.failure(of: "alien"))
                let words = "127.0.0.1:\(server.port) can't be asked: its certificate is not accepted"
                #expect(error.message.contains(words), "\(error.message)")
                #expect(!error.message.contains("SSL") && server.requests.isEmpty)
            }
        }
    }

    @Test func `nothing found is an empty set`() async throws {
        try await withServer { request, line in
            let found =
                request.path.contains("json")
                ? #"{"artists":null}"# : #"{"Response":"False","Error":"Movie not found!"}"#
            try await line.reply(200, [:], found)
        } _: { server in
            try await RunningDesk.run(at: server.url) { running in
                for catalog in ["omdb", "audiodb"] {
                    let set = try await running.search("nobody", in: catalog)
                    #expect(set.rows.isEmpty && set.held == 0 && !set.more)
                }
                #expect(server.requests.map(\.path).contains("/api/v1/json/123/search.php"))
            }
        }
    }

    @Test func `a cut answer, a redirect and a closed door are no answers`() async throws {
        try await withServer { request, line in
            if request.query.contains("query=cut") {
                try await line.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"results\":[")
                throw ScriptedServer.HangUp()
            }
            if request.query.contains("query=closed") { throw ScriptedServer.HangUp() }
            try await line.reply(302, ["Location": "http://127.0.0.1:1/private"], "")
        } _: { server in
            try await RunningDesk.run(at: server.url) { running in
                for text in ["cut", "closed", "redirect"] {
                    let error = try #require(await running.failure(of: text))
                    #expect(error.code == "unavailable" && !error.message.contains(RunningDesk.key), "\(error.message)")
                }
                #expect(server.requests.count == 3)
            }
        }
    }

    @Test func `a source that asks for it is left alone as long as it says`() async throws {
        let answers = Mutex<[(Int, [String: String], String)]>([
            (429, ["Retry-After": "7"], #"{"status_code":25,"status_message":"slow down"}"#),
            (200, [:], Body.films([1])),
        ])
        try await withServer { _, line in
            let (status, headers, body) = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            try await line.reply(status, headers, body)
        } _: { server in
            try await RunningDesk.run(at: server.url) { running in
                #expect(await running.failure(of: "a")?.code == "limited")
                let limited = try #require(await running.desk.catalogs().first)
                #expect(limited.state == .limited && limited.until == Moment(milliseconds: 1_795_388_407_000))
                #expect(
                    await running.failure(of: "b")?.message == "tmdb asks for fewer requests: slow down: again in 8 s")
                #expect(server.requests.count == 1)
                running.time.pass(7_000)
                #expect(try await running.search("b").rows.count == 1)
                #expect(await running.desk.catalogs().first?.state == .ok)
            }
        }
    }

    @Test func `a day's limit ends with the day`() async throws {
        try await withServer { _, line in
            try await line.reply(401, [:], #"{"Response":"False","Error":"Request limit reached!"}"#)
        } _: { server in
            try await RunningDesk.run(at: server.url) { running in
                for _ in 0..<3 { #expect(await running.failure(of: "alien", in: "omdb")?.code == "limited") }
                running.time.pass(3_599_000)
                #expect(await running.failure(of: "alien", in: "omdb")?.code == "limited")
                #expect(server.requests.count == 1)
                running.time.pass(2_000)
                _ = await running.failure(of: "alien", in: "omdb")
                #expect(server.requests.count == 2)
            }
        }
    }

    @Test func `another key counts at once, also after a limit`() async throws {
        let key = Mutex("spent")
        try await withServer { request, line in
            if request.query.contains("apikey=spent") {
                return try await line.reply(401, [:], #"{"Response":"False","Error":"Request limit reached!"}"#)
            }
            try await line.reply(
                200, [:], #"{"Response":"True","totalResults":"1","Search":[{"Title":"Alien","imdbID":"tt1"}]}"#)
        } _: { server in
            try await RunningDesk.run(at: server.url, key: key.withLock { $0 }) { running in
                for _ in 0..<2 { #expect(await running.failure(of: "alien", in: "omdb")?.code == "limited") }
                #expect(server.requests.count == 1)
                key.withLock { $0 = "fresh" }
                let state = await running.desk.catalogs().first { $0.name == "omdb" }?.state
                #expect(state == .ok)
                let found = try await running.search("alien", in: "omdb")
                #expect(found.rows.count == 1)
            }
        }
    }

    @Test func `a source that is down is left alone, and what it said before is shown`() async throws {
        let isDown = Mutex(false)
        try await withServer { _, line in
            if isDown.withLock({ $0 }) { throw ScriptedServer.HangUp() }
            try await line.reply(200, ["Cache-Control": "no-store"], Body.films([1]))
        } _: { server in
            try await RunningDesk.run(at: server.url) { running in
                let first = try await running.search("old")
                #expect(!first.stale)
                isDown.withLock { $0 = true }
                for text in ["a", "b", "c", "d", "e"] { _ = await running.failure(of: text) }
                let before = server.requests.count
                #expect(await running.failure(of: "f")?.code == "unavailable")
                let second = try await running.search("old")
                #expect(second.stale)
                #expect(server.requests.count == before)
                #expect(await running.desk.catalogs().first?.state == .down)
                isDown.withLock { $0 = false }
                running.time.pass(31_000)
                #expect(try await running.search("f").rows.count == 1)
                #expect(await running.desk.catalogs().first?.state == .ok)
            }
        }
    }

    @Test func `without a key nothing is sent, and it is said where to get one`() async throws {
        try await withServer { _, line in
            try await line.reply(
                200, [:],
                #"{"artists":[{"idArtist":"1","strArtist":"Björk","intFormedYear":"0","strBiographyEN":null}]}"#)
        } _: { server in
            try await RunningDesk.run(at: server.url, key: nil) { running in
                let error = try #require(await running.failure(of: "alien"))
                #expect(error.code == "noKey" && error.message.contains("https://www.themoviedb.org/settings/api"))
                let states = await running.desk.catalogs().map(\.state)
                #expect(states == [.noKey, .noKey, .ok] && server.requests.isEmpty)
                let artist = try #require(try await running.search("bjork", in: "audiodb").rows.first)
                #expect(artist.fields == ["name": "Björk"] && artist.ids == ["audiodb": "1"])
            }
        }
    }
}
