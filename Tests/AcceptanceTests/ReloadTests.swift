import ControlAPI
import FoundationEssentials
import Glibc
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// What a reload changes while edits come in: another database, another credential, other collections.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2))) struct ReloadTests {
    private static func id(_ number: Int) -> String {
        let digits = String(number)
        return "6F9619FF-8B86-4011-B42D-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    private static func film(_ number: Int) -> String { "{\"title\":\"Film \(number)\",\"hasWatched\":false}" }

    /// Appends films one by one while `body` runs; returns how many there are.
    private static func appending(
        to node: Node, from first: Int = 0, while body: @escaping @Sendable () async throws -> Void
    ) async throws -> Int {
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await body()
                return 0
            }
            group.addTask {
                var next = first
                while !Task.isCancelled {
                    try node.append("create", id(next), film(next))
                    next += 1
                    // So that a film comes every few milliseconds, with requests in flight all the time.
                    _ = try? await node.status()
                }
                return next
            }
            var count = 0
            for try await last in group {
                count = max(count, last)
                group.cancelAll()
            }
            return count
        }
    }

    private func reload(_ node: Node) async throws -> ReloadReply {
        let result = try await node.tool(["reload"])
        #expect(result.code == 0, "\(result.errors)")
        return try result.read(ReloadReply.self)
    }

    /// Each film was created once, by the daemon that runs since the beginning, from the journal that it reads.
    private func expectOnce(_ node: Node, _ count: Int, since before: StatusSnapshot) async throws {
        let status = try await node.status()
        #expect(status.pid == before.pid)
        #expect(status.startedAt == before.startedAt)
        #expect(status.journal.lines == count)
        #expect(status.journal.offset == UInt64(Site.text(of: node.journal).utf8.count))
        #expect(status.journal.quarantined == 0)
        #expect(status.collections["movies"]?.conflicts == 0)
        var (created, after): ([String], String?) = ([], "0")
        while let place = after {
            let page = try await node.control("GET", "/v1/changes?after=\(place)").json
            guard case .array(let changes) = page.members?["items"] else { throw TooLate("no changes: \(page)") }
            created += changes.compactMap { $0.members?["id"]?.text }
            after = page.members?["next"]?.text
        }
        #expect(created.count == count)
        #expect(Set(created).count == count)
    }

    @Test func `another address of the database is taken while edits come in`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let proxies = [try await site.proxy(to: hub), try await site.proxy(to: hub)]
            let node = try await site.node("a", hub.url)
            let before = try await node.settled()
            let count = try await Self.appending(to: node) {
                for turn in 0..<6 {
                    let proxy = proxies[turn % 2]
                    let seen = proxy.requests.count
                    try node.configure(remote: proxy.url)
                    #expect(try await reload(node) == ReloadReply(reloaded: ["remote.url"]))
                    #expect(try await node.status().remote.url == proxy.url)
                    try await proxy.until("a film is written", after: seen) { $0.isWrite }
                }
            }
            try await site.untilEqual([node], hub, count: count)
            try await expectOnce(node, count, since: before)
            #expect(try await node.status().remote.requests >= proxies.reduce(0) { $0 + $1.requests.count })
        }
    }

    @Test func `a request that is not answered keeps no reload waiting, and is made good`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let proxy = try await site.proxy(to: hub)
            let node = try await site.node("a", proxy.url)
            let before = try await node.settled()
            proxy.behave { $0.isWrite ? .silent : .pass }
            for number in 0..<20 { try node.append("create", Self.id(number), Self.film(number)) }
            try await proxy.until("a film is written") { $0.isWrite }
            try node.configure(remote: hub.url)
            let start = ContinuousClock.now
            _ = try await reload(node)
            #expect(start.duration(to: .now) < .seconds(15))
            try await site.untilEqual([node], hub, count: 20)
            try await expectOnce(node, 20, since: before)
        }
    }

    @Test func `an empty second database gets all that waits, and the rest when a person says so`() async throws {
        try await withSite { site in
            let (first, second) = (try await site.hub("first"), try await site.hub("second"))
            let node = try await site.node("a", first.url)
            let before = try await node.settled()
            for number in 0..<3 { try node.append("create", Self.id(number), Self.film(number)) }
            try await site.untilEqual([node], first, count: 3)
            let count = try await Self.appending(to: node, from: 3) {
                try node.configure(remote: second.url)
                _ = try await reload(node)
                try await second.untilRecords("a film that nobody else had") { !$0.isEmpty }
            }
            try await second.untilRecords("the last film") { $0[Self.id(count - 1)] != nil }
            let hold = try #require(try await node.status().holds.first)
            #expect(hold.kind == "emptyRemote")
            #expect(try await node.tool(["reject", "\(hold.id)"]).code == 0)
            try await site.untilEqual([node], second, count: count)
            try await expectOnce(node, count, since: before)
        }
    }

    @Test func `a renewed credential is taken`() async throws {
        try await withSite { site in
            let secret = site.folder.appending("secret")
            func write(_ text: String) throws {
                try Data("\(text)\n".utf8).write(to: URL(filePath: secret.string))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret.string)
            }
            try write("correct-horse-battery")
            let rules = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
                .appending("config/database.rules.json")
            let hub = try await site.hub(flags: ["--rules", rules.string, "--secret-file", secret.string])
            var settings = NodeSettings()
            settings.remote = "  credential: secret\n  credentialFile: \"\(secret)\""
            let node = try await site.node("a", hub.url, settings)
            let before = try await node.settled()
            try await hub.stop()
            try write("another-horse-battery")
            try await hub.start()
            try node.append("create", Self.id(0), Self.film(0))
            try await node.until("the old credential is refused") {
                $0.state == .degraded && $0.remote.lastError != nil
            }
            #expect(try await reload(node) == ReloadReply(reloaded: ["remote.credentialFile"]))
            try await node.settled()
            try await expectOnce(node, 1, since: before)
            #expect(try await reload(node) == ReloadReply(reloaded: []))
        }
    }

    @Test func `a collection comes and goes, and what is here of it stays`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await site.node("a", hub.url)
            let before = try await node.settled()
            let artist = #"{"op":"create","collection":"artists","id":"\#(Self.id(900))","fields":{"name":"Björk"}}"#
            try node.append(artist + "\n")
            try await node.until("a line for nobody") { $0.journal.quarantined == 1 }
            var settings = NodeSettings()
            settings.collections = "movies, artists"
            try node.configure(remote: hub.url, settings)
            #expect(try await reload(node) == ReloadReply(reloaded: ["collections.enabled"]))
            try await node.until("the artist") {
                $0.collections["artists"]?.records == 1 && $0.journal.quarantined == 0
            }
            try await node.settled()
            #expect(try await hub.tree("/artists").members?.count == 1)
            let count = try await Self.appending(to: node) {
                for collections in ["movies", "movies, artists", "movies"] {
                    var settings = NodeSettings()
                    settings.collections = collections
                    try node.configure(remote: hub.url, settings)
                    _ = try await reload(node)
                }
            }
            try await site.untilEqual([node], hub, count: count)
            let status = try await node.status()
            #expect(status.pid == before.pid)
            #expect(status.collections["artists"] == nil)
            #expect(status.disabled == ["artists": .init(records: 1, pending: 0)])
            #expect(try await node.tool(["status"], json: false).output.contains("artists"))
            #expect(try await node.tool(["list", "artists"]).code != 0)
            settings.collections = "movies, artists"
            try node.configure(remote: hub.url, settings)
            _ = try await reload(node)
            #expect(try await node.status().collections["artists"]?.records == 1)
            #expect(try await node.status().disabled == nil)
        }
    }

    @Test func `a declared collection comes, and is declared otherwise`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            var settings = NodeSettings()
            settings.collections = "movies, games"
            let node = try await site.node("a", hub.url)
            let before = try await node.settled()
            let folder = node.folder.appending("collections.d")
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
            let file = URL(filePath: folder.appending("games.json").string)
            try Data(#"{"columns":["title"],"fields":{"title":{"type":"text","required":true}}}"#.utf8).write(to: file)
            try node.configure(remote: hub.url, settings)
            #expect(try await reload(node) == ReloadReply(reloaded: ["collections.enabled", "collections.d"]))
            let game = #"{"op":"create","collection":"games","id":"\#(Self.id(1))","fields":{"title":"G","players":2}}"#
            try node.append(game + "\n")
            try await node.until("the game") { $0.collections["games"]?.records == 1 && $0.pending == 0 }
            let other = #"""
                {"columns": ["title"],
                 "fields": {"title": {"type": "text", "required": true}, "players": {"type": "integer", "maximum": 1}}}
                """#
            try Data(other.utf8).write(to: file)
            #expect(try await reload(node) == ReloadReply(reloaded: ["collections.d"]))
            try node.append(game.replacing(Self.id(1), with: Self.id(2)) + "\n")
            try await node.until("the game that two play") { $0.journal.quarantined == 1 }
            try Data("{".utf8).write(to: file)
            #expect(try await node.tool(["reload"]).code == 65)
            #expect(try await node.status().collections["games"]?.records == 1)
            #expect(try await node.status().pid == before.pid)
        }
    }

    @Test func `the embedded hub goes on while collections and the shape of the log change`() async throws {
        try await withSite { site in
            let a = try await site.node("a", "http://127.0.0.1:1", started: false)
            let port = try LastingPort.free()
            func configure(_ collections: String, log: String) throws {
                var settings = NodeSettings()
                settings.collections = collections
                try a.configure(remote: "http://127.0.0.1:1", settings)
                var text = Site.text(of: a.config)
                text.replace("plugin: firebase\n  url: \"http://127.0.0.1:1\"", with: "plugin: local")
                text.replace("format: json", with: "format: \(log)")
                text += "\nlocal:\n  listen: 127.0.0.1:\(port)\n  data: \"\(a.folder.appending("hub"))\"\n"
                try Data(text.utf8).write(to: URL(filePath: a.config.string))
            }
            try configure("movies", log: "json")
            try await a.start()
            let b = try await site.node("b", "http://127.0.0.1:\(port)")
            try await b.settled()
            try configure("movies, favourites", log: "text")
            #expect(try await reload(a) == ReloadReply(reloaded: ["log.format", "collections.enabled"]))
            try b.append("create", Self.id(0), Self.film(0))
            try await a.until("the film") { $0.collections["movies"]?.records == 1 }
            try await a.settled()
            let favourite = "http://127.0.0.1:\(port)/favourites/anna/\(Self.id(0)).json"
            #expect(try await site.ask("PUT", favourite, body: #"{"title":"F","overview":""}"#).status == 200)
            try await a.until("the favourite") { $0.collections["favourites"]?.records == 1 }
            #expect(try #require(a.program).lastLines().contains(" event="))
            let heard = Site.text(of: try #require(b.program).log)
            #expect(heard.components(separatedBy: "\"stream.down\"").count == 1)
        }
    }

    @Test func `another base is what it is after a restart`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let (a, b) = (try await site.node("a", hub.url), try await site.node("b", hub.url))
            try a.append("create", Self.id(0), Self.film(0))
            for node in [a, b] { try await node.until("the film") { $0.collections["movies"]?.records == 1 } }
            for node in [a, b] { try await node.settled() }
            var settings = NodeSettings()
            settings.base = "shared/movies"
            for node in [a, b] { try node.configure(remote: hub.url, settings) }
            #expect(try await reload(a) == ReloadReply(reloaded: ["collections.movies.base"]))
            try await b.stop()
            try await b.start()
            for node in [a, b] { try await node.until("the question") { $0.holds.first?.kind == "emptyRemote" } }
            let hold = try #require(try await a.status().holds.first)
            #expect(try await a.tool(["reject", "\(hold.id)"]).code == 0)
            for node in [a, b] { try await node.until("the film is there") { $0.holds.isEmpty && $0.pending == 0 } }
            #expect(try await hub.records("/shared/movies").count == 1)
            #expect(try await hub.tree("/moviesync/tombstones") == .null)
        }
    }

    @Test func `what the remote can't be made of changes nothing`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await site.node("a", hub.url)
            try await node.settled()
            var settings = NodeSettings()
            settings.remote = "  credential: service-account\n  credentialFile: \"\(site.folder)/none.json\""
            try node.configure(remote: hub.url, settings)
            #expect(try await node.tool(["reload"]).code == 65)
            try node.append("create", Self.id(0), Self.film(0))
            try await site.untilEqual([node], hub, count: 1)
        }
    }
}
