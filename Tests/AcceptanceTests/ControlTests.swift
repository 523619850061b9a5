import ControlAPI
import FoundationEssentials
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// What scripts and dashboards hold on to: the control socket and the exit codes of the tool.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct ControlTests {
    private static func id(_ number: Int) -> String { "6F9619FF-8B86-4011-B42D-0000000" + String(10_000 + number) }

    /// A node that has twelve films, every other one watched.
    private func withNode(_ body: (Site, Hub, Node) async throws -> Void) async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await site.node("a", hub.url)
            for number in 1...12 {
                try node.append("create", Self.id(number), #"{"title":"F\#(number)","hasWatched":\#(number % 2 == 0)}"#)
            }
            try await node.until("12 films") { $0.collections["movies"]?.records == 12 }
            try await node.settled()
            try await body(site, hub, node)
        }
    }

    @Test func `status has the keys that are promised`() async throws {
        try await withNode { _, hub, node in
            let status = try #require(try await node.control("GET", "/v1/status").json.members)
            func expect(_ value: JSONValue?, _ keys: String) {
                let missing = Set(keys.split(separator: " ").map(String.init)).subtracting(
                    value?.members?.keys.map(\.self) ?? [])
                #expect(missing.isEmpty)
            }
            expect(
                .object(status), "version node pid startedAt state journal collections remote holds convergedAt")
            expect(status["journal"], "path offset size lines quarantined lastReadAt")
            expect(
                status["collections"]?.members?["movies"],
                "records tombstones pending oldestPendingSeconds quarantined conflicts")
            expect(
                status["remote"],
                "plugin url stream lastPushAt lastPullAt lastError retryAt clockOffsetMs requests bytesSent bytesReceived"
            )
            #expect(status["state"] == "running")
            #expect(status["pid"]?.whole == node.program?.process.map { Int64($0) })
            #expect(status["journal"]?.members?["lines"] == 12)
            #expect(status["remote"]?.members?["url"]?.text == hub.url)
            #expect(status["remote"]?.members?["stream"] == "live")
            #expect(Moment(status["convergedAt"]?.text ?? "") != nil)
        }
    }

    @Test func `records are paged and filtered`() async throws {
        try await withNode { _, _, node in
            var found: [String] = []
            var after = ""
            repeat {
                let page = try #require(
                    try await node.control("GET", "/v1/records/movies?limit=5\(after)").json.members)
                guard case .array(let items) = page["items"] else { break }
                found += items.compactMap { $0.members?["id"]?.text }
                after = page["next"]?.text.map { "&after=\($0)" } ?? ""
            } while !after.isEmpty
            #expect(found == (1...12).map(Self.id))
            let watched = try await node.control("GET", "/v1/records/movies?where=hasWatched%3Dtrue").json
            guard case .array(let items) = watched.members?["items"] else { return #expect(Bool(false)) }
            #expect(items.count == 6)
            let one = try #require(
                try await node.control("GET", "/v1/records/movies/\(Self.id(3).lowercased())").json.members)
            #expect(one["pending"] == false)
            #expect(one["deleted"] == false)
            #expect(one["base"]?.members?["stamp"] == one["stamp"])
        }
    }

    @Test(arguments: [
        ("GET", "/v1/nothing", 404), ("GET", "/v1/records/comics", 404), ("POST", "/v1/status", 405),
        ("GET", "/v1/records/movies/zzz", 400), ("GET", "/v1/records/movies?limit=0", 400),
        ("GET", "/v1/records/movies?after=x", 400), ("GET", "/v1/records/movies/\(id(99))", 404),
        ("GET", "/v1/records/movies/6F9619", 409), ("POST", "/v1/holds/7/approve", 404),
        ("POST", "/v1/holds/x/approve", 400), ("POST", "/v1/quarantine/7/retry", 404),
        ("POST", "/v1/pause?direction=sideways", 400), ("POST", "/v1/sync?wait=soon", 400),
        ("GET", "/v1/changes?after=-1", 400), ("GET", "/v1/records/movies?where=%3D%3D", 400),
    ])
    func `a bad request is a clear 4xx`(_ method: String, _ path: String, _ status: Int) async throws {
        try await withNode { _, _, node in
            let answer = try await node.control(method, path)
            #expect(answer.status == status, "\(answer.text)")
            let error = try answer.json.members?["error"]?.members
            #expect(error?["code"]?.text ?? "" != "")
            #expect(error?["message"]?.text ?? "" != "")
            #expect(try await node.status().state == .running)
        }
    }

    @Test func `changes are read once and then live`() async throws {
        try await withNode { site, _, node in
            let result = try await node.tool(["changes", "--after", "9"])
            #expect(try result.items().count == 3)
            let headers = ["Accept": "text/event-stream"]
            var seen: [Int64] = []
            try await site.lines(of: node.url("/v1/changes?after=10"), headers: headers) { line in
                guard line.hasPrefix("id: "), let number = Int64(line.dropFirst(4)) else { return false }
                seen.append(number)
                if number == 12 { try node.append("delete", Self.id(1)) }
                return number == 13
            }
            #expect(seen == [11, 12, 13])
        }
    }

    @Test func `a wait answers when the remote has the edit`() async throws {
        try await withNode { _, hub, node in
            for round in 1...10 {
                try node.append("update", Self.id(1), #"{"title":"T\#(round)"}"#)
                let record = try await node.control("GET", "/v1/records/movies/\(Self.id(1))?wait=10").json.members
                #expect(record?["pending"] == false)
                #expect(record?["fields"]?.members?["title"]?.text == "T\(round)")
                #expect(try await hub.records()[Self.id(1)]?["title"]?.text == "T\(round)")
            }
            try await node.tool(["pause", "push"])
            try node.append("update", Self.id(1), #"{"title":"Later"}"#)
            let record = try await node.control("GET", "/v1/records/movies/\(Self.id(1))?wait=0.2").json.members
            #expect(record?["pending"] == true)
            #expect(record?["reason"] == "push is paused")
        }
    }

    @Test func `a paused direction stays paused across a restart`() async throws {
        try await withNode { _, hub, node in
            try await node.tool(["pause", "pull"])
            try await node.stop()
            try await node.start()
            #expect(try await node.status().pausedDirections == ["pull"])
            try await hub.write("PUT", "/movies/\(Self.id(50))", #"{"title":"F","hasWatched":false}"#)
            #expect(try await node.tool(["health"]).code == 1)
            #expect(try await node.status().collections["movies"]?.records == 12)
            try await node.tool(["resume", "pull"])
            try await node.until("the film") { $0.collections["movies"]?.records == 13 }
            #expect(try await node.tool(["health"]).code == 0)
            #expect(try await node.control("GET", "/metrics").text.contains("moviesync_"))
        }
    }

    @Test func `the tool's exit codes say what was wrong`() async throws {
        try await withNode { site, _, node in
            let codes: [([String], Int)] = [
                (["status"], 0), (["show", Self.id(1)], 0), (["show", "6F9619FF-8B86-4011-B42D-000000010001"], 0),
                (["nonsense"], 64), (["show", "zz"], 64), (["set", Self.id(1)], 64),
                (["show", "6F9619"], 65), (["show", Self.id(99)], 66), (["approve", "7"], 65),
                (["list", "comics"], 65),
            ]
            for (arguments, code) in codes {
                let result = try await node.tool(arguments, json: false)
                #expect(result.code == code, "\(arguments): \(result.errors)")
                if code == 65 {
                    #expect(result.errors.split(separator: "\n").count == 1)
                    #expect(result.output.isEmpty)
                }
            }
            let file = site.folder.appending("bad.jsonl")
            try Data("nonsense\n".utf8).write(to: URL(filePath: file.string))
            #expect(try await node.tool(["journal", "verify", file.string]).code == 65)
            try await node.stop()
            #expect(try await node.tool(["status"]).code == 69)
            #expect(try await node.tool(["health"]).code == 3)
            let added = try await node.tool(["add", "While it is down"], json: false)
            #expect(added.code == 0, "\(added.errors)")
            try await node.start()
            try await node.until("the film") { $0.collections["movies"]?.records == 13 }
        }
    }

    @Test func `a broken pipe ends the tool quietly`() async throws {
        try await withNode { site, _, node in
            let script = """
                export MOVIESYNC_SOCKET=$2
                { "$1" list; echo "code $?" >&2; } | head -n 1 >/dev/null
                { "$1" changes --json; echo "code $?" >&2; } | true
                """
            let result = try await site.shell(script, [BuiltProgram.moviesync.path.string, node.socketPath])
            #expect(!result.errors.contains("rror"), "\(result.errors)")
            #expect(!result.errors.contains("code 13"), "\(result.errors)")
        }
    }
}
