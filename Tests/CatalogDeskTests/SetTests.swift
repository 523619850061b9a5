import ControlAPI
import ControlTestSupport
import SyncModel
import TestSupport
import Testing

@testable import CatalogDesk

/// Sets, what is in the library, and what is saved of them.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct SetTests {
    private static func change(_ seq: Int64, _ op: Change.Kind, _ id: String, _ fields: [String: JSONValue])
        -> ChangeReply
    {
        ChangeReply(
            seq: seq, op: op, collection: "movies", id: id, fields: fields, stamp: nil, origin: .remote,
            at: FakeControlService.moment)
    }

    @Test func `what is in the library follows the record, not the row`() async throws {
        try await withServer { _, line in
            try await line.reply(200, ["Cache-Control": "max-age=600"], Body.films([1, 2, 3]))
        } _: { server in
            try await RunningDesk.run(at: server.url) { running in
                let kept = "6F9619FF-8B86-4011-B42D-00C04FC964F1"
                running.library.change { state in
                    state.status.lastChange = 4
                    state.records = [
                        RecordReply(collection: "movies", id: kept, fields: ["title": "x", "tmdbID": 2], stamp: "")
                    ]
                }
                let set = try await running.search("film")
                #expect(set.rows.map(\.record) == [nil, kept, nil])
                let order = CatalogPickOrder(pick: [3, 2, 3])
                let picks = try await running.desk.picks(from: set.set, order, user: 7)
                #expect(picks.picks.map(\.number) == [3, 2] && picks.picks.map(\.state) == [.new, .already])
                let third = SourceID.record("movies", "tmdb", "3").description
                #expect(picks.picks.map(\.id) == [third, kept])
                #expect(picks.picks.first?.fields == ["title": "Film 3", "year": 1979, "tmdbID": 3])
                running.library.change { state in
                    state.changes = [
                        Self.change(5, .create, third, ["title": "Film 3"]), Self.change(6, .delete, kept, [:]),
                    ]
                }
                let after = try await running.desk.set(set.set, CatalogSetView(), user: nil)
                #expect(after.rows.map(\.record) == [nil, nil, third])
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test(arguments: [[], [0], [4], [1, -1], [.min], [.max], Array(1...1_001)])
    func `a number that is not there is no pick`(numbers: [Int]) async throws {
        try await withServer { _, line in
            try await line.reply(200, [:], Body.films([1, 2, 3]))
        } _: { server in
            try await RunningDesk.run(at: server.url) { running in
                let set = try await running.search("film")
                let error = await #expect(throws: ControlError.self) {
                    try await running.desk.picks(from: set.set, CatalogPickOrder(pick: numbers), user: 7)
                }
                #expect(error?.code == "badPick")
            }
        }
    }

    @Test func `a set goes when it is dropped, and each collection has a last one`() async throws {
        try await withServer { request, line in
            let artists = #"{"artists":[{"idArtist":"1","strArtist":"Björk"}]}"#
            try await line.reply(200, [:], request.path.contains("json") ? artists : Body.films([1]))
        } _: { server in
            try await RunningDesk.run(at: server.url) { running in
                let films = try await running.search("film")
                let artists = try await running.search("björk", in: "audiodb")
                let last = try await running.desk.set("latest", CatalogSetView(), user: 7)
                #expect(last.set == artists.set)
                let movies = try await running.desk.set("latest", CatalogSetView(collection: "movies"), user: 7)
                #expect(movies.set == films.set)
                try await running.desk.drop(set: films.set, user: 7)
                await #expect(throws: ControlError.unknownSet(films.set)) {
                    try await running.desk.set(films.set, CatalogSetView(), user: 7)
                }
            }
        }
    }

    @Test func `home is all lists at once, also where one fails`() async throws {
        try await withServer { request, line in
            if request.path.hasSuffix("popular") { return try await line.reply(500, [:], "{}") }
            try await line.reply(200, [:], Body.films([1, 2]))
        } _: { server in
            try await RunningDesk.run(at: server.url) { running in
                let home = await running.desk.home(user: 7)
                #expect(home.sections.map(\.list) == ["now-playing", "popular", "top-rated", "upcoming", "recent"])
                #expect(home.sections.map { $0.set?.rows.count } == [2, nil, 2, 2, 2])
                #expect(home.sections[1].reason == "tmdb answered 500")
                #expect(server.requests.count == 5)
            }
        }
    }

    @Test func `ten texts typed quickly are one request, and cancelling reads what runs now anew`() async throws {
        try await withServer { request, line in
            let found = request.query.contains("query=aliens") ? [2, 3] : [1, 2]
            try await line.reply(200, ["Cache-Control": "max-age=600"], Body.films(found))
        } _: { server in
            try await RunningDesk.run(at: server.url) { running in
                var steps = try await running.desk.live("tmdb", user: 7).makeAsyncIterator()
                let first = try #require(await steps.next())
                #expect(first.query.isEmpty && first.count == 2)
                running.time.takeInHand()
                for length in 1...6 {
                    try await running.desk.tell(live: first.search, .init(query: String("aliens".prefix(length))))
                }
                running.time.pass(299)
                #expect(server.requests.count == 1)
                var found: CatalogLiveReply?
                while found == nil {
                    // The pauses begin when their text is taken.
                    running.time.pass(300)
                    await Task.yield()
                    if server.requests.count > 1 { found = await steps.next() }
                }
                #expect(found?.query == "aliens" && found?.count == 2)
                #expect(found?.changes.map(\.at) == [0, 1] && found?.changes.map { $0.insert?.key } == [nil, "3"])
                #expect(server.requests.count == 2)
                #expect(try await running.desk.set("latest", CatalogSetView(), user: 7).rows.map(\.key) == ["2", "3"])
                try await running.desk.tell(live: first.search, .init(cancel: true))
                let home = try #require(await steps.next())
                #expect(home.query.isEmpty && home.count == 2 && server.requests.count == 3)
                #expect(server.requests.last?.path == "/3/movie/now_playing")
                await #expect(throws: ControlError.unknownSearch("x")) {
                    try await running.desk.tell(live: "x", .init(query: "a"))
                }
            }
        }
    }
}
