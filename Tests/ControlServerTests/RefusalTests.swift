import ControlAPI
import ControlTestSupport
import NIOCore
import TestSupport
import Testing

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct RefusalTests {
    @Test(arguments: [
        ("GET", "/", 404, "unknownRoute"),
        ("GET", "/v2/status", 404, "unknownRoute"),
        ("GET", "/v1/status/more", 404, "unknownRoute"),
        ("POST", "/v1/holds/7/forget", 404, "unknownRoute"),
        ("POST", "/v1/status", 405, "wrongMethod"),
        ("HEAD", "/v1/status", 405, nil),
        ("GET", "/v1/holds/7/approve", 405, "wrongMethod"),
        ("DELETE", "/v1/records/movies/6F", 405, "wrongMethod"),
        ("GET", "/v1/records/nothing", 404, "unknownCollection"),
        ("GET", "/v1/records/movies/ABC", 404, "unknownRecord"),
        ("GET", "/v1/records/movies/6f", 409, "ambiguousRecord"),
        ("GET", "/v1/records/movies/zebra", 400, "badID"),
        ("GET", "/v1/records/movies/6F9619FF-8B86-4011-B42D-00C04FC964F-", 400, "badID"),
        ("GET", "/v1/records/movies/6F9619FF-8B86-4011-B42D-00C04FC964FF0", 400, "badID"),
        ("GET", "/v1/records/movies/..%2f..%2fetc", 400, "badID"),
        ("GET", "/v1/records/movies?limit=0", 400, "badLimit"),
        ("GET", "/v1/records/movies?limit=1001", 400, "badLimit"),
        ("GET", "/v1/records/movies?limit=-1", 400, "badLimit"),
        ("GET", "/v1/quarantine?limit=many", 400, "badLimit"),
        ("GET", "/v1/conflicts?limit=", 400, "badLimit"),
        ("GET", "/v1/records/movies?where=title", 400, "badWhere"),
        ("GET", "/v1/records/movies?where=%3dx", 400, "badWhere"),
        ("GET", "/v1/records/movies/6F9?wait=-1", 400, "badWait"),
        ("GET", "/v1/records/movies/6F9?wait=3601", 400, "badWait"),
        ("GET", "/v1/records/movies/6F9?wait=nan", 400, "badWait"),
        ("POST", "/v1/sync?wait=soon", 400, "badWait"),
        ("GET", "/v1/changes?after=-1", 400, "badAfter"),
        ("GET", "/v1/changes?after=99999999999999999999", 400, "badAfter"),
        ("POST", "/v1/holds/x/approve", 400, "badID"),
        ("POST", "/v1/holds/0/approve", 400, "badID"),
        ("POST", "/v1/quarantine/%00/drop", 400, "badID"),
        ("POST", "/v1/pause?direction=journal", 400, "badDirection"),
        ("POST", "/v1/pause?direction=", 400, "badDirection"),
    ])
    func `what can't be understood is refused with a word`(
        method: String, path: String, status: Int, code: String?
    ) async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let reply = try await ask(method, path, at: socket)
            #expect(reply.status == status)
            #expect((status == 405) == reply.head.lowercased().contains("\r\nallow: "))
            if let code { #expect(try reply.read(ControlError.self).code == code) }
            #expect(try await ask("GET", "/v1/status", at: socket).status == 200, "the server must live on")
        }
    }

    @Test(arguments: [
        ("/v1/holds/7/approve?dryrun=true", "", "'dryrun' in its query: it knows dryRun"),
        ("/v1/holds/7/reject", #"{"dryRun":true}"#, "'dryRun' in its body: it knows none there"),
        ("/v1/conflicts/5/restore?dryRun=true", "", "'dryRun' in its query: it knows none there"),
        ("/v1/quarantine/3/drop?%64ryRun=true", "", "'%64ryRun' in its query: it knows none there"),
        ("/v1/quarantine/drop", #"{"ids":[3],"dryRun":true}"#, "'dryRun' in its body: it knows ids"),
        (
            "/v1/undo", #"{"since":"2026-11-20T20:00:00.000Z","dryrun":true,"yes":true}"#,
            "'dryrun' in its body: it knows since, until, from, dryRun, yes"
        ),
        ("/v1/verify?repair=true&fast", "", "'fast' in its query: it knows repair"),
        ("/v1/sync?wait=1&direction=push", "", "'direction' in its query: it knows wait"),
    ])
    func `what is not known is not passed over where something is changed`(
        path: String, body: String, words: String
    ) async throws {
        let service = FakeControlService.full()
        try await withServedSocket(service) { socket in
            let reply = try await exchange(
                "POST \(path) HTTP/1.1\r\nHost: moviesync\r\nConnection: close\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)", at: socket)
            #expect(reply.status == 400)
            let error = try reply.read(ControlError.self)
            #expect(error.code == "unknownWord" && error.message == "this request knows no \(words)")
            // The first thing the service hears of.
            #expect(try await ask("POST", "/v1/reload?", at: socket).status == 200)
            #expect(await service.calls.first { _ in true } == "reload")
            #expect(try await ask("GET", "/v1/holds?word=1", at: socket).status == 200)
        }
    }

    @Test(arguments: [("POST /v1/undo", true), ("POST /v1/undo", false), ("PUT /v1/status", false), ("GET /", true)])
    func `who reads nothing before all is sent is told, too, that it is too much`(
        request: String, isInPieces: Bool
    ) async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let address = try SocketAddress(unixDomainSocketPath: socket)
            let answer = try await exchange(request, bodyOf: 8 << 20, at: address, isInPieces: isInPieces)
            #expect(answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
            #expect(try await ask("GET", "/v1/status", at: socket).status == 200)
        }
    }

    @Test(arguments: [
        ("/v1/holds/7/approve?dryRun=false&dryRun=true", "", "'dryRun' stands twice in the query: say it once"),
        ("/v1/undo", #"{"since":"10m"}"#, "'since' in the body is not what it should be: this is not an RFC 3339 time"),
        ("/v1/undo", "{}", "the body lacks 'since': the documentation has its keys"),
        ("/v1/holds/7/approve", "{'dryRun': true}", "this request knows no body but an empty one, or {}"),
        ("/v1/pause?direction=push", "dryRun", "this request knows no body but an empty one, or {}"),
        ("/v1/undo", "[]", "the body is no JSON of this order: the documentation has its keys"),
        ("/v1/quarantine/drop", #"{"ids":[true]}"#, "'ids' in the body is not what it should be: "),
    ])
    func `what is said twice, or is of another kind, is named`(
        path: String, body: String, words: String
    ) async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let reply = try await ask("POST", path, body: body, at: socket)
            #expect(reply.status == 400)
            let message = try reply.read(ControlError.self).message
            #expect(message.hasPrefix(words) && !message.contains("\n"), "\(message)")
        }
    }

    @Test func `a form is no way around the words that are known`() async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let reply = try await exchange(
                "POST /v1/holds/7/approve HTTP/1.1\r\nHost: moviesync\r\nConnection: close\r\n"
                    + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 11\r\n\r\ndryRun=true",
                at: socket)
            #expect(reply.status == 400 && reply.body.contains("'dryRun' in its body"))
        }
    }

    @Test(arguments: [
        "nonsense\r\n\r\n", "GET\r\n\r\n", "GET /v1/status HTTP/9.9\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
        "GET /v1/status HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        "GET /\u{E9}?%zz=%f HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /" + String(repeating: "a", count: 2 << 20) + " HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /v1/status HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 2 << 20) + "\r\n\r\n",
    ])
    func `nonsense does not harm the server`(request: String) async throws {
        try await withServedSocket(FakeControlService()) { socket in
            let reply = try await exchange(
                request, at: socket, until: { $0.contains("\r\n\r\n{") && $0.hasSuffix("\n") })
            #expect(reply.status == 0 || (400..<500).contains(reply.status))
            if reply.status != 0 { #expect(try reply.read(ControlError.self).code.isEmpty == false, "\(reply)") }
            #expect(try await ask("GET", "/v1/status", at: socket).status == 200)
        }
    }

    @Test func `what is no request is refused with a word, also behind one that was answered`() async throws {
        try await withServedSocket(FakeControlService()) { socket in
            let alone = try await exchange("nonsense\r\n\r\n", at: socket)
            #expect(alone.status == 400 && alone.head.lowercased().contains("content-type: application/json"))
            #expect(try alone.read(ControlError.self).code == "badRequest")
            let request = "GET /v1/nothing HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n"
            let behind = try await exchange(request, at: socket)
            #expect(behind.status == 404 && behind.body.contains("HTTP/1.1 400") && behind.body.contains("badRequest"))
        }
    }

    @Test func `a request need not name a host, but names no two`() async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let none = try await exchange("GET /v1/status HTTP/1.1\r\nConnection: close\r\n\r\n", at: socket)
            #expect(none.status == 200)
            let two = try await exchange("GET /v1/status HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", at: socket)
            #expect(two.status == 400)
        }
    }

    @Test func `a connection that ends with the answer says so, also where that is a refusal`() async throws {
        try await withServedSocket(FakeControlService()) { socket in
            let request = "GET /v1/records/movies/6F9?wait=0 HTTP/1.1\r\nHost: moviesync\r\n\r\n"
            let reply = try await exchange(request, at: socket)
            #expect(reply.status == 404 && reply.head.lowercased().contains("connection: close"))
        }
    }

    @Test(arguments: ["/v1/sync", "/v1/reload"])
    func `a body over 1 MiB is refused`(path: String) async throws {
        let service = FakeControlService()
        try await withServedSocket(service) { socket in
            let head = "POST \(path) HTTP/1.1\r\nHost: moviesync\r\nConnection: close\r\n"
            func body(_ count: Int) -> String { "{" + String(repeating: " ", count: count - 2) + "}" }
            let large = body(ControlRoute.maxBody + 1)
            let sized = try await exchange(head + "Content-Length: \(large.utf8.count)\r\n\r\n\(large)", at: socket)
            #expect(sized.status == 413)
            #expect(try sized.read(ControlError.self).code == "tooLarge")
            let size = String(large.utf8.count, radix: 16)
            let chunked = try await exchange(
                head + "Transfer-Encoding: chunked\r\n\r\n\(size)\r\n\(large)\r\n0\r\n\r\n", at: socket
            )
            #expect(chunked.status == 413)
            let fits = body(ControlRoute.maxBody)
            let small = try await exchange(head + "Content-Length: \(fits.utf8.count)\r\n\r\n\(fits)", at: socket)
            #expect(small.status == 200)
        }
    }

    @Test func `a body that is no HTTP is the client's fault`() async throws {
        try await withServedSocket(FakeControlService()) { socket in
            let reply = try await exchange(
                "POST /v1/reload HTTP/1.1\r\nHost: moviesync\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n\r\n",
                at: socket)
            #expect(reply.status == 400)
            #expect(try reply.read(ControlError.self).code == "badBody")
        }
    }

    @Test(arguments: [
        "/v1/holds/7/approve", "/v1/holds/7/reject", "/v1/quarantine/3/retry", "/v1/quarantine/3/drop",
        "/v1/conflicts/5/restore", "/v1/pause", "/v1/resume", "/v1/reload", "/v1/verify",
    ])
    func `a stranger may not change anything`(path: String) async throws {
        let service = FakeControlService.full()
        try await withServedSocket(service, allowedUIDs: [4_294_967_294]) { socket in
            let reply = try await ask("POST", path, at: socket)
            #expect(reply.status == 403)
            #expect(try reply.read(ControlError.self).code == "notAllowed")
            // The first thing the service hears of is the sync, which everybody may ask for.
            #expect(try await ask("POST", "/v1/sync", at: socket).status == 200)
            #expect(await service.calls.first { _ in true } == "sync now")
        }
    }

    @Test func `an error of the service keeps its status and word`() async throws {
        let service = FakeControlService()
        service.change { $0.failure = .notYet("verify") }
        try await withServedSocket(service) { socket in
            let reply = try await ask("POST", "/v1/verify", at: socket)
            #expect(reply.status == 501)
            #expect(
                reply.body == #"{"error":{"code":"notYet","message":"verify is not available in this version"}}"# + "\n"
            )
        }
    }

    @Test func `changes that are no longer kept are gone`() async throws {
        let service = FakeControlService()
        service.change { $0.changes = [FakeControlService.change(5)] }
        try await withServedSocket(service) { socket in
            for accept in ["", "Accept: text/event-stream\r\n"] {
                let reply = try await ask("GET", "/v1/changes?after=3", at: socket, headers: accept)
                #expect(reply.status == 410)
                #expect(try reply.read(ControlError.self).code == "gone")
            }
            // Who names no change is told all that are kept.
            for place in ["/v1/changes?after=4", "/v1/changes"] {
                #expect(try await ask("GET", place, at: socket).status == 200)
            }
        }
    }
}
