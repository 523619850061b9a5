import ControlAPI
import ControlTestSupport
import SyncModel
import TestSupport
import Testing

/// The keys of every reply are promises: here they stand to the letter.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct RouteTests {
    @Test func `the status has every key`() async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let reply = try await ask("GET", "/v1/status", at: socket)
            #expect(reply.status == 200)
            #expect(reply.head.lowercased().contains("content-type: application/json"))
            #expect(
                reply.body == """
                    {"collections":{"movies":{"conflicts":0,"lastVerify":null,"oldestPendingSeconds":1.5,"pending":1,"quarantined":0,\
                    "records":2,"tombstones":0}},"convergedAt":null,"health":{"level":"ok","reasons":[]},"holds":[],"hooks":null,"journal":{"lastError":null,\
                    "lastReadAt":null,"lines":3,"offset":90,"path":"/var/spool/moviesync/journal.jsonl",\
                    "quarantined":0,"size":100},"lastChange":2,"node":"00000000000000aa","pausedDirections":[],"people":null,\
                    "pid":4711,"plugins":null,"remote":{"bytesReceived":0,"bytesSent":0,"clockOffsetMs":0,"lastError":null,\
                    "lastPullAt":null,"lastPushAt":"2026-11-20T20:15:04.120Z","plugin":"local","requests":0,\
                    "retryAt":null,"stream":"live","trouble":null,"url":"http://127.0.0.1:9000"},\
                    "startedAt":"2026-11-20T20:15:04.120Z","state":"running","version":"0.1.0"}

                    """
            )
        }
    }

    @Test(arguments: [
        (
            "/v1/records/movies?limit=1&where=title~aLI",
            """
            {"items":[{"base":{"etag":"x","stamp":"019a9d2f1a38-0000-00000000000000aa"},"collection":"movies",\
            "deleted":false,"fields":{"hasWatched":true,"title":"Alien","year":1979},\
            "id":"6F9619FF-8B86-4011-B42D-00C04FC964FF","pending":false,"reason":null,\
            "stamp":"019a9d2f1a38-0000-00000000000000aa"}],"next":null}
            """
        ),
        (
            "/v1/records/movies/6f0",
            """
            {"base":null,"collection":"movies","deleted":false,"fields":{"hasWatched":false,"title":"Brazil"},\
            "id":"6F000000-8B86-4011-B42D-00C04FC964FF","pending":true,"reason":"the remote is down",\
            "stamp":"019a9d2f1a38-0002-00000000000000aa"}
            """
        ),
        (
            "/v1/changes?after=1",
            """
            {"items":[{"at":"2026-11-20T20:15:04.120Z","collection":"movies",\
            "fields":{"hasWatched":true,"title":"Alien","year":1979},"id":"6F9619FF-8B86-4011-B42D-00C04FC964FF",\
            "op":"create","origin":"journal","seq":2,"stamp":"019a9d2f1a38-0000-00000000000000aa"}],"next":null}
            """
        ),
        (
            "/v1/nodes",
            """
            {"items":[{"collections":{"movies":{"appliedAt":"2026-11-20T20:15:04.120Z","behindSeconds":0}},\
            "id":"00000000000000aa","isThis":true,"lastSeenAt":"2026-11-20T20:15:04.120Z","name":"attic",\
            "version":"0.1.0"},{"collections":{"artists":{"appliedAt":null,"behindSeconds":null},\
            "movies":{"appliedAt":"2026-11-20T18:15:04.120Z","behindSeconds":7200}},"id":"00000000000000bb",\
            "isThis":false,"lastSeenAt":null,"name":"cellar","version":"0.0.9"}],"next":null}
            """
        ),
        (
            "/v1/holds",
            """
            {"items":[{"approve":"deletes these records here too","collection":"movies","count":12,"direction":"pull",\
            "id":7,"kind":"massDelete","person":null,"reason":"12 of 20 records would be deleted","records":[{"collection":"movies",\
            "id":"6F9619FF-8B86-4011-B42D-00C04FC964FF","title":"Alien",\
            "what":{"approve":"deleted","reject":"kept"}}],"reject":"keeps these records",\
            "since":"2026-11-20T20:15:04.120Z"}],"next":null}
            """
        ),
        (
            "/v1/quarantine",
            """
            {"items":[{"attempts":1,"code":"invalidJSON","collection":null,"file":"/var/spool/moviesync/journal.jsonl",\
            "id":3,"length":12,"offset":40,"reason":"this is not a JSON object","record":null,\
            "since":"2026-11-20T20:15:04.120Z","source":"journal"}],"next":null}
            """
        ),
        (
            "/v1/quarantine/3",
            """
            {"attempts":1,"bytes":null,"code":"invalidJSON","collection":null,\
            "file":"/var/spool/moviesync/journal.jsonl","here":null,"id":3,"isWhole":true,"length":12,\
            "line":"{\\"op\\":\\"craete\\"}","offset":40,"reason":"this is not a JSON object","record":null,\
            "remote":null,"since":"2026-11-20T20:15:04.120Z","source":"journal","stamp":null}
            """
        ),
        (
            "/v1/conflicts",
            """
            {"items":[{"at":"2026-11-20T20:15:04.120Z","collection":"movies","fields":[],"id":5,\
            "loser":{"deleted":false,"fields":{"title":"Aliens"},"node":null,"stamp":null},\
            "record":"6F9619FF-8B86-4011-B42D-00C04FC964FF","restored":false,"rule":"higherStamp",\
            "winner":{"deleted":false,"fields":{"title":"Alien"},"node":"00000000000000aa",\
            "stamp":"019a9d2f1a38-0002-00000000000000aa"}}],"next":null}
            """
        ),
        (
            "/v1/collections",
            """
            {"items":[{"columns":["title","year","hasWatched"],"defaults":{"hasWatched":false},\
            "identityFields":["identifier"],"keyParts":[],"name":"movies","textFields":["title"],"titleField":"title"},\
            {"columns":["name","yearFormed","biography"],"defaults":{},"identityFields":[],"keyParts":[],"name":"artists",\
            "textFields":["biography","name"],"titleField":"name"}],"next":null}
            """
        ),
        ("/v1/health", #"{"level":"ok","reasons":[]}"#),
    ])
    func `each list has every key`(path: String, expected: String) async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let reply = try await ask("GET", path, at: socket)
            #expect(reply.status == 200)
            #expect(reply.body == expected + "\n")
        }
    }

    @Test func `pages are walked with next`() async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let first = try await ask("GET", "/v1/records/movies?limit=1", at: socket).read(Page<RecordReply>.self)
            #expect(first.items.map(\.id) == [FakeControlService.brazilID])
            let next = try #require(first.next)
            let second = try await ask("GET", "/v1/records/movies?limit=1&after=\(next)", at: socket)
            #expect(try second.read(Page<RecordReply>.self).items.map(\.id) == [FakeControlService.alienID])
            #expect(try second.read(Page<RecordReply>.self).next == nil)
        }
    }

    @Test(arguments: [(HealthReport.Level.ok, 200), (.warning, 200), (.critical, 503)])
    func `health has a status for monitors`(level: HealthReport.Level, status: Int) async throws {
        let service = FakeControlService()
        service.change { $0.health = HealthReport(level: level, reasons: ["why"]) }
        try await withServedSocket(service) { socket in
            let reply = try await ask("GET", "/v1/health", at: socket)
            #expect(reply.status == status)
            #expect(try reply.read(HealthReport.self).level == level)
        }
    }

    @Test(arguments: [
        ("/v1/holds/7/approve", "approve 7", decided),
        ("/v1/holds/7/reject?dryRun=false", "reject 7", decided),
        ("/v1/holds/7/approve?dryRun=true", "approve 7 dry", tried),
        ("/v1/holds/7/reject?dryRun=true", "reject 7 dry", tried),
        ("/v1/quarantine/3/retry", "retry 3", #"{"done":true}"#),
        ("/v1/quarantine/3/drop", "drop 3", #"{"done":true}"#),
        ("/v1/conflicts/5/restore", "restore 5", #"{"done":true}"#),
        ("/v1/sync", "sync now", #"{"done":true,"pending":0,"reasons":[]}"#),
        ("/v1/sync?wait=2.5", "sync 2.5 seconds", #"{"done":true,"pending":0,"reasons":[]}"#),
        ("/v1/pause", "pause both", #"{"done":true}"#),
        ("/v1/pause?direction=push", "pause push", #"{"done":true}"#),
        ("/v1/resume?direction=pull", "resume pull", #"{"done":true}"#),
        ("/v1/reload", "reload", #"{"needsRestart":["journal"],"reloaded":["log.level"]}"#),
        ("/v1/verify", "verify", verified(false)), ("/v1/verify?repair=true", "verify and repair", verified(true)),
    ])
    func `each order reaches the service`(path: String, call: String, expected: String) async throws {
        let service = FakeControlService.full()
        try await withServedSocket(service) { socket in
            let reply = try await ask("POST", path, at: socket)
            #expect(reply.status == 200)
            #expect(reply.body == expected + "\n")
            #expect(await service.calls.first { _ in true } == call)
        }
    }

    @Test(arguments: ["retry", "drop"])
    func `a decision about many items is one order`(decision: String) async throws {
        let service = FakeControlService.full()
        try await withServedSocket(service) { socket in
            let path = "/v1/quarantine/\(decision)"
            let reply = try await ask("POST", path, body: #"{"ids":[3,4]}"#, at: socket)
            #expect(reply.status == 200 && reply.body == "{\"done\":true}\n")
            #expect(await service.calls.first { _ in true } == "\(decision) [3, 4]")
            let many = (1...1_001).map(String.init).joined(separator: ",")
            for body in ["", "{}", #"{"ids":["x"]}"#, "{\"ids\":[\(many)]}"] {
                let refused = try await ask("POST", path, body: body, at: socket)
                #expect(try refused.status == 400 && refused.read(ControlError.self).code == "badBody")
            }
        }
    }

    private static func verified(_ repaired: Bool) -> String {
        """
        {"collections":[{"at":"2026-11-20T20:15:04.120Z","collection":"movies","compared":2,"differences":0,\
        "found":{},"items":[],"pending":0,"repaired":\(repaired)}],"done":true}
        """
    }

    private static let records = """
        "effect":"deletes these records here too","records":[{"after":{},"before":{"hasWatched":true,"title":"Alien"},\
        "collection":"movies","id":"6F9619FF-8B86-4011-B42D-00C04FC964FF","title":"Alien","what":"deleted"}]}
        """
    private static let decided = #"{"count":12,"deletes":12,"done":true,"dryRun":false,"# + records
    private static let tried = #"{"count":12,"deletes":12,"done":false,"dryRun":true,"# + records

    @Test func `metrics are Prometheus text`() async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let reply = try await ask("GET", "/metrics", at: socket)
            #expect(reply.head.contains("text/plain; version=0.0.4"))
            let lines = reply.body.split(separator: "\n")
            for expected in [
                "# TYPE moviesync_records gauge", #"moviesync_records{collection="movies"} 2"#,
                #"moviesync_pending{collection="movies"} 1"#,
                #"moviesync_oldest_pending_seconds{collection="movies"} 1.5"#,
                #"moviesync_quarantined{collection="movies"} 0"#, #"moviesync_conflicts_total{collection="movies"} 0"#,
                "moviesync_holds 0", "moviesync_requests_total 0", "moviesync_sent_bytes_total 0",
                "moviesync_received_bytes_total 0", "moviesync_stream_up 1", "moviesync_journal_offset_bytes 90",
                "moviesync_journal_size_bytes 100", "moviesync_up 1", "moviesync_last_push_time_seconds 1795205704.12",
            ] {
                #expect(lines.contains(Substring(expected)), "\(expected) is missing")
            }
        }
    }
}
