import ControlAPI
import ControlTestSupport
import Logging
import NIOCore
import OperatingSystem
import SyncModel
import TestSupport
import Testing

@testable import WebFace

/// The page over real sockets, of a daemon made of values.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct ServedPageTests {
    private struct Served {
        let page: WebFace
        let service: FakeControlService
        let cookie: String
        let address: SocketAddress

        func ask(
            _ line: String, _ fields: String..., body: String = "", isKnown: Bool = true,
            until enough: @escaping @Sendable (String) -> Bool = { _ in false }
        ) async throws -> String {
            var text = "\(line) HTTP/1.1\r\nConnection: close\r\n"
            if !fields.contains(where: { $0.hasPrefix("Host:") }) { text += "Host: localhost\r\n" }
            for field in fields { text += field + "\r\n" }
            if isKnown { text += "Cookie: a=b; \(cookie); c=d\r\n" }
            if !body.isEmpty { text += "Content-Length: \(body.utf8.count)\r\n" }
            return try await exchange(text + "\r\n" + body, at: address, until: enough)
        }

        func status(_ line: String, _ fields: String..., body: String = "", isKnown: Bool = true) async throws -> Int? {
            var all = fields.filter { !$0.hasPrefix("Host:") }.joined(separator: "\r\n")
            if all.isEmpty { all = "X-None: x" }
            let host = fields.first { $0.hasPrefix("Host:") } ?? "Host: localhost"
            let answer = try await ask(line, all, host, body: body, isKnown: isKnown)
            return answer.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        }
    }

    private func withPage(
        readOnly: Bool = false, records: [RecordReply] = [FakeControlService.alien, FakeControlService.brazil],
        _ body: (Served) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            var state = FakeControlService.State()
            state.records = records
            state.status.journal.path = "\(folder)/journal.jsonl"
            let service = FakeControlService(state)
            let page = try WebFace(
                [try TCPListener.bind(host: "127.0.0.1", port: 0)],
                WebSettings(hosts: ["films.home"], readOnly: readOnly), sessions: "\(folder)/sessions.json",
                DaemonServices(
                    service: service, catalogs: FakeCatalogService(), artwork: FakeArtwork(),
                    status: { service.status() }
                ),
                .init(wall: { FakeControlService.moment.milliseconds }, sleep: sleepWhileTimeStands),
                logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await page.run() }
                let port = try #require(page.address.split(separator: ":").last.flatMap { Int($0) })
                let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
                let path = try #require(
                    page.link().url.split(separator: "/", maxSplits: 2).last?.split(separator: "/").last)
                let answer = try await exchange(
                    "GET /\(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", at: address)
                #expect(answer.hasPrefix("HTTP/1.1 303 "))
                #expect(answer.contains("HttpOnly; SameSite=Lax") && answer.contains("Path=/"))
                let cookie = try #require(answer.firstMatch(of: /(moviesync-[0-9a-f]+=[0-9a-f]{64});/)?.1)
                try await body(
                    Served(page: page, service: service, cookie: String(cookie), address: address))
                group.cancelAll()
            }
        }
    }

    @Test
    func `only a browser that has signed in sees anything`() async throws {
        try await withPage { served in
            let known = (try await served.status("GET /"), try await served.status("HEAD /"))
            #expect(known == (200, 200))
            for path in ["/", "/live", "/status", "/art/tmdb:%2Fa.jpg", "/film/6F", "/login", "/login?token=guess"] {
                let answer = try await served.ask("GET \(path)", isKnown: false)
                #expect(answer.hasPrefix("HTTP/1.1 401 ") || answer.hasPrefix("HTTP/1.1 410 "), "\(path)")
                #expect(!answer.contains("Alien") && !answer.contains("00000000000000aa"), "\(path)")
            }
            let style = try await served.status("GET /style.css", isKnown: false)
            #expect(style == 200)
        }
    }

    @Test(arguments: [
        ("GET /", "Host: evil.example", 403), ("GET /", "Host: films.home", 200), ("GET /", "Host: [::1]:9080", 200),
        ("GET //evil", "X-None: x", 400), ("GET /%FF", "X-None: x", 400), ("PUT /", "X-None: x", 405),
        ("DELETE /film/6F", "X-None: x", 405), ("GET /nothing", "X-None: x", 404),
        ("GET /film/zebra", "X-None: x", 404),
        ("POST /films", "X-None: x", 403), ("POST /films", "Origin: http://evil.example", 403),
        ("POST /films", "Origin: http://localhost", 400), ("GET /?part=films", "X-None: x", 200),
        ("GET /?part=nothing", "X-None: x", 404), ("GET /live.js", "X-None: x", 200),
    ])
    func `a request is answered with the right status`(line: String, field: String, status: Int) async throws {
        try await withPage { served in
            let found = try await served.status(line, field)
            #expect(found == status)
        }
    }

    @Test(arguments: [("POST /login", true), ("POST /films", false), ("GET /", true), ("PUT /nothing", false)])
    func `a body that nobody wants keeps nobody from the answer`(request: String, isInPieces: Bool) async throws {
        try await withPage { served in
            let answer = try await exchange(request, bodyOf: 8 << 20, at: served.address, isInPieces: isInPieces)
            #expect(answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
        }
    }

    @Test
    func `a page that is read-only takes no form`() async throws {
        try await withPage(readOnly: true) { served in
            for path in ["/films", "/holds/7/approve", "/person", "/leave", "/nothing"] {
                let status = try await served.status("POST \(path)", "Origin: http://localhost", body: "title=X")
                #expect(status == 403, "\(path)")
            }
            let library = try await served.ask("GET /")
            #expect(!library.contains("method=\"post\""))
        }
    }

    @Test(arguments: [("none", true), ("same-origin", true), ("cross-site", false), ("same-site", false)])
    func `a link on another site opens every page, and searches nothing`(site: String, isMade: Bool) async throws {
        try await withPage { served in
            let library = try await served.status("GET /", "Sec-Fetch-Site: \(site)")
            #expect(library == 200)
            let search = try await served.ask("GET /search?catalog=tmdb&query=alien", "Sec-Fetch-Site: \(site)")
            #expect(search.hasPrefix("HTTP/1.1 200 ") && search.contains("2 of 660") == isMade)
        }
    }

    @Test(
        arguments: [
            (nil, .signedIn, "HTTP/1.1 303 "), ("A1", .signedIn, "HTTP/1.1 303 "), ("A1", .ended, "HTTP/1.1 303 "),
            ("", .signedIn, "HTTP/1.1 503 "), ("", .ended, "HTTP/1.1 409 "),
        ] as [(String?, SessionReply.State, String)])
    func `nobody becomes a person of whom only the session's name is known`(
        uid: String?, state: SessionReply.State, answer: String
    ) async throws {
        try await withPage { served in
            served.service.change { fake in
                fake.status.people = uid.map { [.init(name: "anna", uid: $0, state: state)] }
            }
            let told = try await served.ask("POST /person", "Origin: http://localhost", body: "person=anna")
            #expect(told.hasPrefix(answer))
            #expect(told.contains("has not been asked of the remote yet") == (answer.contains("503")))
            let page = try await served.ask("GET /favourites")
            let person = answer.contains("303") ? uid ?? "anna" : ControlRoute.localPerson
            #expect(page.contains("/person/\(person)/picture"))
        }
    }

    @Test func `a person has a picture: the own one, else a letter`() async throws {
        var profile = FakeControlService.alien
        profile.collection = "profiles"
        profile.fields = ["uid": "anna", "name": "zoë <b>", "photo": "address:1"]
        try await withPage(records: [profile]) { served in
            let own = try await served.ask("GET /person/anna/picture?width=64")
            #expect(own.hasSuffix("\r\n\r\naddress:1 64") && own.contains("no-cache"))
            let outside = try await served.status("GET /person/anna/picture", isKnown: false)
            let wide = try await served.status("GET /person/anna/picture?width=9999")
            #expect((outside, wide) == (401, 400))
        }
        profile.fields["photo"] = "https://elsewhere.example/a.jpg"
        try await withPage(records: [profile]) { served in
            let letter = try await served.ask("GET /person/anna/picture")
            #expect(letter.contains("image/svg+xml") && letter.contains(">Z</text>"))
            #expect(letter.contains("default-src 'self'") && letter.contains("nosniff"))
        }
        try await withPage(records: []) { served in
            let letter = try await served.ask("GET /person/x1/picture?name=%C3%A9va")
            #expect(letter.contains(">É</text>"))
            let tag = try #require(letter.firstMatch(of: /(?i)etag: ("[^"]+")/)?.1)
            let again = try await served.status("GET /person/x1/picture?name=%C3%A9va", "If-None-Match: \(tag)")
            #expect(again == 304)
        }
    }

    @Test
    func `a change is told as the name of a section`() async throws {
        try await withPage { served in
            let change = ChangeReply(
                seq: 3, op: .create, collection: "movies", id: FakeControlService.alienID, fields: [:], stamp: nil,
                origin: .journal, at: FakeControlService.moment)
            async let heard = served.ask("GET /live?after=2") { $0.contains("\"seq\":3}") }
            for await call in served.service.calls where call.hasPrefix("listening") {
                served.service.publish(change)
                break
            }
            let answer = try await heard
            #expect(answer.contains("text/event-stream"))
            #expect(answer.contains("id: 3\ndata: {\"section\":\"library\",\"seq\":3}\n\n"))
            #expect(!answer.contains("Alien"))
        }
    }
}
