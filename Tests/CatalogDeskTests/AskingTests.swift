import ControlAPI
import PluginKit
import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import CatalogDesk

/// The desk and a source that it asks over real sockets.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct AskingTests {
    @Test func `a search is one request, what follows from it none`() async throws {
        try await withServer { request, line in
            try await line.reply(200, ["Cache-Control": "max-age=600"], Body.films([348, 349, 348], pages: 1, bad: 2))
        } _: { server in
            try await RunningDesk.run(at: server.url, region: "DE") { running in
                let set = try await running.search("  amélie  & co ")
                #expect(
                    server.requests.map(\.target) == [
                        "/3/search/movie?language=en&page=1&region=DE&query=am%C3%A9lie%20%26%20co&include_adult=false"
                            + "&api_key=\(RunningDesk.key)"
                    ])
                #expect(server.requests.first?.header("User-Agent") == ["moviesync/0.3.0"])
                #expect(set.rows.map(\.key) == ["348", "349"] && set.rows.map(\.number) == [1, 2])
                #expect(set.duplicatesDropped == 1 && set.skipped == 2 && !set.more && !set.stale)
                #expect(try await running.search("amélie & co").rows.count == 2)
                let filtered = try await running.desk.set("latest", CatalogSetView(filter: "349"), user: 7)
                #expect(filtered.rows.map(\.number) == [2] && filtered.held == 2)
                #expect(try await running.desk.set("latest", CatalogSetView(), user: 7).rows.count == 2)
                await #expect(throws: ControlError.unknownSet("latest")) {
                    try await running.desk.set("latest", CatalogSetView(), user: 8)
                }
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test func `the next page is there before anybody asks for it`() async throws {
        try await withServer { request, line in
            let page = request.query.contains("page=2") ? 2 : 1
            try await line.reply(
                200, ["Cache-Control": "max-age=600"], Body.films((page * 20)..<(page * 20 + 20), pages: 2))
        } _: { server in
            try await RunningDesk.run(at: server.url) { running in
                let set = try await running.search("film")
                #expect(set.more && set.rows.count == 20)
                _ = try await until("page 2 is asked for", hearing: [server.bell]) {
                    server.requests.count == 2 ? true : nil
                }
                let more = try await running.desk.more(of: set.set, again: false, user: 7)
                #expect(more.rows.first?.number == 21 && more.rows.count == 20 && more.held == 40 && !more.more)
                let end = try await running.desk.more(of: set.set, again: false, user: 7)
                #expect(end.rows.isEmpty)
                #expect(server.requests.count == 2)
            }
        }
    }

    @Test func `what has not changed is not sent again`() async throws {
        try await withServer { request, line in
            if request.header("If-None-Match") == ["W/\"1\""] {
                try await line.send("HTTP/1.1 304 Not Modified\r\nETag: W/\"1\"\r\n\r\n")
            } else {
                try await line.reply(200, ["ETag": "W/\"1\"", "Cache-Control": "public, max-age=60"], Body.films([1]))
            }
        } _: { server in
            try await RunningDesk.run(at: server.url) { running in
                _ = try await running.search("film")
                running.time.pass(59_000)
                _ = try await running.search("film")
                #expect(server.requests.count == 1)
                running.time.pass(2_000)
                #expect(try await running.search("film").rows.count == 1)
                #expect(server.requests.map { $0.header("If-None-Match") } == [[], ["W/\"1\""]])
            }
        }
    }

    @Test func `ten thousand rows come without doubles, and pages end where the source does`() async throws {
        try await withServer { request, line in
            let number = request.query.compactMap { $0.hasPrefix("page=") ? Int($0.dropFirst(5)) : nil }.first ?? 0
            // Each page begins with the last row of the one before.
            let start = (number - 1) * 20
            try await line.reply(
                200, [:], Body.films([max(start, 1)] + Array((start + 1)...(start + 20)), pages: 42_000))
        } _: { server in
            try await RunningDesk.run(at: server.url) { running in
                var set = try await running.desk.list("tmdb", "popular", CatalogListOrder(), user: 7)
                var keys = set.rows.map(\.key)
                while set.more {
                    set = try await running.desk.more(of: set.set, again: false, user: 7)
                    keys += set.rows.map(\.key)
                }
                #expect(keys.count == 10_000 && Set(keys).count == 10_000 && set.held == 10_000)
                #expect(set.truncated && set.duplicatesDropped == 500)
                #expect(server.requests.count == 500)
                // 20 at once, then 20 in a second.
                #expect(running.time.now >= 1_000 + 24_000)
            }
        }
    }

    @Test func `equal questions at the same time are one request`() async throws {
        let catalog = HeldCatalog()
        try await RunningDesk.run(others: [catalog]) { running in
            async let first = running.search("alien", in: "held")
            async let second = running.search("alien", in: "held")
            await catalog.answer {
                running.desk.state.withLock { $0.flights.values.first?.waitingCount == 2 }
            }
            let rows = try await [first.rows, second.rows]
            #expect(rows[0].count == 1 && rows[0] == rows[1])
            #expect(catalog.asked == 1)
        }
    }

    @Test func `a request that nobody waits for any more is ended`() async throws {
        let closed = Bell()
        let ends = Mutex(0)
        try await withServer { _, line in
            await line.untilClosed()
            ends.withLock { $0 += 1 }
            closed.ring()
        } _: { server in
            try await RunningDesk.run(at: server.url) { running in
                let ended = await withTaskGroup(of: Bool.self) { group in
                    group.addTask { await running.failure(of: "alien") == nil }
                    _ = try? await until("it is asked", hearing: [server.bell]) { server.requests.isEmpty ? nil : true }
                    group.cancelAll()
                    return await group.next() ?? false
                }
                #expect(ended)
                _ = try await until("the connection ends", hearing: [closed]) { ends.withLock { $0 } == 1 ? true : nil }
            }
        }
    }

    @Test func `details have pictures and ids, and say when they are old`() async throws {
        let answers = Mutex(0)
        try await withServer { request, line in
            guard
                answers.withLock({ count in
                    count += 1
                    return count
                }) == 1
            else { return try await line.reply(503, [:], "<html>busy</html>") }
            try await line.reply(
                200, ["Cache-Control": "max-age=1"],
                #"""
                {"id":348,"title":"Alien","release_date":"1979-05-25","external_ids":{"imdb_id":"tt0078748"},
                "images":{"posters":[{"file_path":"/a.jpg"},{"file_path":"/b.jpg"}],
                "backdrops":[{"file_path":"/c.jpg"},{"file_path":"/d.jpg"}]}}
                """#)
        } _: { server in
            try await RunningDesk.run(at: server.url) { running in
                let film = try await running.desk.item("348", of: "tmdb")
                #expect(film.ids == ["tmdb": "348", "imdb": "tt0078748"] && film.images.count == 4 && !film.stale)
                #expect(film.images.first?.url(width: 400) == "https://image.tmdb.org/t/p/w500/a.jpg")
                running.time.pass(5_000)
                let old = try await running.desk.item("348", of: "tmdb")
                #expect(old.stale)
                await #expect(throws: ControlError.self) { try await running.desk.item("../348", of: "tmdb") }
                #expect(server.requests.count == 2)
            }
        }
    }
}

/// A catalog that answers when it is told to.
final class HeldCatalog: Catalog {
    private let gate = AsyncStream<Void>.makeStream()
    private let requests = Mutex(0)

    var asked: Int { requests.withLock { $0 } }

    /// Answers as soon as `condition` holds.
    func answer(when condition: () -> Bool) async {
        while !condition() { await Task.yield() }
        gate.continuation.finish()
    }

    var description: CatalogDescription {
        CatalogDescription(
            name: "held", title: "Held", collection: "movies", attribution: "", keyPage: "", imageHosts: [])
    }

    var obstacle: CatalogError? { nil }

    func page(_ query: CatalogQuery, known: String?) async throws(CatalogError) -> CatalogReading<CatalogPage> {
        requests.withLock { $0 += 1 }
        for await _ in gate.stream {}
        return CatalogReading(CatalogPage(rows: [CatalogRow(key: "1", fields: ["title": "Alien"])]))
    }

    func details(
        of key: String, language: String, known: String?
    ) async throws(CatalogError) -> CatalogReading<CatalogRow> { throw CatalogError(.notFound, "nothing") }
}
