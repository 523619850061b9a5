import ControlAPI
import ControlTestSupport
import TestSupport
import Testing

@Suite(.inTurn, .timeLimit(.minutes(1))) struct CatalogRouteTests {
    /// One request with a body.
    private func send(_ path: String, _ body: String, at socket: String) async throws -> RawReply {
        try await exchange(
            "POST \(path) HTTP/1.1\r\nHost: m\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)",
            at: socket)
    }

    @Test func `a set has every key, for all who can connect`() async throws {
        try await withServedSocket(FakeControlService(), catalogs: FakeCatalogService(), allowedUIDs: []) { socket in
            let reply = try await ask("GET", "/v1/catalogs/tmdb/search?query=alien", at: socket)
            #expect(
                reply.body == #"""
                    {"attribution":"This product uses the TMDB API but is not endorsed or certified by TMDB.",\#
                    "catalog":"tmdb","collection":"movies","duplicatesDropped":1,"held":2,"list":null,"more":true,\#
                    "query":"alien","rows":[{"favourite":null,"fields":{"title":"Alien","tmdbID":348,"year":1979},"ids":{"tmdb":"348"},\#
                    "key":"348","number":1,"picture":{"kind":"poster","sizes":{"92":\#
                    "https://image.tmdb.org/t/p/w92/a.jpg"},"url":"https://image.tmdb.org/t/p/original/a.jpg"},\#
                    "record":"6F9619FF-8B86-4011-B42D-00C04FC964F1","reviews":null},{"favourite":null,"fields":{"title":"Alien\u001b[2J"},"ids":{},\#
                    "key":"9","number":2,"picture":null,"record":null,"reviews":null}],"set":"5ca1ab1e","skipped":2,"stale":false,\#
                    "total":660,"truncated":false}

                    """#)
        }
    }

    @Test func `a list may be asked for with POST, too`() async throws {
        let catalogs = FakeCatalogService()
        try await withServedSocket(FakeControlService(), catalogs: catalogs) { socket in
            let path = "/v1/catalogs/tmdb/lists/now-playing"
            for (query, body) in [("?region=DE", ""), ("", #"{"region":"DE"}"#)] {
                let reply = try await send(path + query, body, at: socket)
                #expect(reply.status == 200, "\(reply.body)")
                #expect(await catalogs.calls.first { _ in true } == "list tmdb now-playing DE")
            }
        }
    }

    @Test func `each route asks for what it says`() async throws {
        let catalogs = FakeCatalogService()
        try await withServedSocket(FakeControlService(), catalogs: catalogs) { socket in
            let root = "/v1/catalogs"
            for (method, path) in [
                ("GET", "/tmdb/search?query=am%C3%A9lie%20x&year=2001"), ("GET", "/tmdb/lists/now-playing?region=DE"),
                ("GET", "/sets/latest?filter=a&from=3&limit=5"), ("GET", "/sets/5ca1ab1e"),
                ("POST", "/sets/5ca1ab1e/more"), ("POST", "/sets/5ca1ab1e/more?again=true"),
                ("DELETE", "/sets/5ca1ab1e"), ("GET", "/shelf/items/a%2Fb"),
            ] {
                let reply = try await ask(method, root + path, at: socket)
                #expect(reply.status == 200, "\(path): \(reply.body)")
            }
            for (path, body) in [
                ("/tmdb/search", #"{"query":"alien"}"#),
                ("/sets/latest/picks", #"{"pick":[1,3],"collection":"movies"}"#),
                ("/live/1ive", #"{"query":"ali"}"#), ("/live/1ive", #"{"cancel":true}"#),
            ] {
                let reply = try await send(root + path, body, at: socket)
                #expect(reply.status == 200, "\(path): \(reply.body)")
            }
            var seen: [String] = []
            for await call in catalogs.calls {
                seen.append(call)
                if seen.count == 12 { break }
            }
            #expect(
                seen == [
                    "search tmdb amélie x 2001", "list tmdb now-playing DE", "set latest a 3 5", "set 5ca1ab1e - 1 100",
                    "more 5ca1ab1e false", "more 5ca1ab1e true", "drop 5ca1ab1e", "item shelf a/b",
                    "search tmdb alien -", "picks latest [1, 3] movies", "tell 1ive ali false", "tell 1ive - true",
                ])
        }
    }

    @Test func `a live search is an event stream`() async throws {
        try await withServedSocket(FakeControlService(), catalogs: FakeCatalogService()) { socket in
            let reply = try await exchange("GET /v1/catalogs/tmdb/live HTTP/1.1\r\nHost: m\r\n\r\n", at: socket) {
                $0.contains("\n\n\r\n")
            }
            #expect(reply.head.contains("text/event-stream"))
            let step = #"{"changes":[],"count":0,"query":"","reason":null,"search":"1ive","state":"shown","step":1}"#
            #expect(reply.body.contains("id: 1\ndata: \(step)\n\n"))
        }
    }

    @Test(
        arguments: [
            ("GET", "/v1/catalogs/tmdb/search?query=a&year=x", 400), ("GET", "/v1/catalogs/imdb/search?query=a", 404),
            ("GET", "/v1/catalogs/sets/other", 404), ("GET", "/v1/catalogs/sets/latest?from=0", 400),
            ("POST", "/v1/catalogs/tmdb/search", 400), ("POST", "/v1/catalogs/sets/latest/picks", 400),
            ("PUT", "/v1/catalogs", 405), ("GET", "/v1/catalogs/tmdb/nothing", 404),
        ])
    func `what can't be understood is refused`(method: String, path: String, status: Int) async throws {
        try await withServedSocket(FakeControlService(), catalogs: FakeCatalogService()) { socket in
            let reply = try await ask(method, path, at: socket)
            #expect(reply.status == status)
            _ = try reply.read(ControlError.self)
        }
    }
}
