import ControlAPI
import FoundationEssentials
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// Nodes with `writeGuard: rules` against a hub with the shipped security rules.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct GuardedHubTests {
    static let rules: FilePath = FilePath(#filePath).removingLastComponent().removingLastComponent()
        .removingLastComponent().appending("config").appending("database.rules.json")

    private static func id(_ number: Int) -> String { "6F9619FF-8B86-4011-B42D-0000000000" + String(10 + number) }

    private static func film(_ title: String) -> String { #"{"title":"\#(title)","hasWatched":false}"# }

    /// A node that signs in with an ID token.
    static func node(
        _ name: String, _ site: Site, _ hub: Hub, writeGuard: String = "rules", collections: String = "movies"
    ) async throws -> Node {
        let file = site.folder.appending("\(name).token")
        try Data(Site.unsignedToken(of: name).utf8).write(to: URL(filePath: file.string))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.string)
        var settings = NodeSettings()
        settings.remote = """
              credential: id-token
              credentialFile: "\(file)"
              writeGuard: \(writeGuard)
            """
        settings.collections = collections
        return try await site.node(name, hub.url, settings)
    }

    /// Two nodes that hold `count` films.
    private func withFilms(_ count: Int, _ body: (Site, Hub, Node, Node) async throws -> Void) async throws {
        try await withSite { site in
            let hub = try await site.hub(rules: Self.rules, flags: ["--emulator"])
            let (a, b) = (try await Self.node("a", site, hub), try await Self.node("b", site, hub))
            for number in 0..<count { try a.append("create", Self.id(number), Self.film("Film \(number)")) }
            try await b.until("the films") { $0.collections["movies"]?.records == count }
            try await site.untilEqual([a, b], hub, count: count)
            try await body(site, hub, a, b)
        }
    }

    @Test func `the doctor says what a credential may not look at`() async throws {
        try await withFilms(1) { _, _, a, _ in
            let said = try await a.tool(["doctor"], json: false).output
            #expect(said.contains("rules"), "\(said)")
            #expect(said.contains("not checked: this credential may not read the rules"), "\(said)")
        }
    }

    @Test func `a base overwritten by one film is restored, and keys that the rules keep are named`() async throws {
        try await withFilms(8) { site, hub, a, b in
            try await hub.write("PUT", "/movies", #"{"identifier":"\#(Self.id(0))","title":"X","hasWatched":true}"#)
            for node in [a, b] { try await node.until("a hold") { $0.holds.first?.kind == "rootIsOneRecord" } }
            let hold = try #require(try await a.status().holds.first?.id)
            #expect(try await a.tool(["reject", "\(hold)"]).code == 0)
            try await site.untilEqual([a, b], hub, count: 8)
            let named = try await a.list("quarantine").compactMap { $0["record"]?.text }
            #expect(named.sorted() == ["hasWatched", "identifier", "title"])
            for key in ["hasWatched", "identifier", "title"] { try await hub.write("DELETE", "/movies/\(key)") }
            for node in [a, b] {
                try await node.untilAsked("an empty quarantine") { $0.collections["movies"]?.quarantined == 0 }
                #expect(try await node.settled().holds.isEmpty)
            }
        }
    }

    @Test func `a stale edit in a batch loses alone and is kept in the ledger`() async throws {
        try await withFilms(20) { site, hub, a, b in
            try await a.tool(["pause"])
            for number in 0..<20 { try a.append("update", Self.id(number), #"{"title":"Edited \#(number)"}"#) }
            try await a.until("the edits") { $0.collections["movies"]?.pending == 20 }
            for number in [3, 11] { try b.append("update", Self.id(number), #"{"title":"Later \#(number)"}"#) }
            try await b.settled()
            try await a.tool(["resume", "push"])
            try await a.until("nothing pending") { $0.collections["movies"]?.pending == 0 }
            try await a.tool(["resume"])
            try await site.untilEqual([a, b], hub, count: 20)
            let records = try await hub.records()
            for number in 0..<20 {
                let title = [3, 11].contains(number) ? "Later \(number)" : "Edited \(number)"
                #expect(records[Self.id(number)]?["title"] == .string(title))
            }
            let losers = try await a.list("conflicts").compactMap { $0["loser"]?.members?["fields"]?.members?["title"] }
            #expect(Set(losers) == ["Edited 3", "Edited 11"])
            #expect(try await a.list("quarantine").isEmpty)
            #expect(try await b.list("conflicts").isEmpty)
        }
    }

    @Test func `an edit older than the delete does not bring the film back`() async throws {
        try await withFilms(2) { site, hub, a, b in
            try await a.tool(["pause"])
            try a.append("update", Self.id(0), #"{"title":"Too late"}"#)
            try await a.until("the edit") { $0.collections["movies"]?.pending == 1 }
            try b.append("delete", Self.id(0))
            try await b.settled()
            #expect(try await hub.tree("/moviesync/tombstones/movies/\(Self.id(0))/_v").text != nil)
            try await a.tool(["resume"])
            try await site.untilEqual([a, b], hub, count: 1)
            let losers = try await a.list("conflicts").compactMap { $0["loser"]?.members?["fields"]?.members?["title"] }
            #expect(losers == ["Too late"])
        }
    }

    @Test func `a delete older than the edit does not remove the film`() async throws {
        try await withFilms(2) { site, hub, a, b in
            try await a.tool(["pause"])
            try a.append("delete", Self.id(0))
            try await a.until("the delete") { $0.collections["movies"]?.pending == 1 }
            try b.append("update", Self.id(0), #"{"title":"Still there"}"#)
            try await b.settled()
            try await a.tool(["resume"])
            try await site.untilEqual([a, b], hub, count: 2)
            #expect(try await hub.records()[Self.id(0)]?["title"] == "Still there")
        }
    }

    @Test func `nodes that write with ETags are bound by the same rules, and keep them`() async throws {
        try await withSite { site in
            let hub = try await site.hub(rules: Self.rules, flags: ["--emulator"])
            let a = try await Self.node("a", site, hub, writeGuard: "etag")
            let b = try await Self.node("b", site, hub, writeGuard: "etag")
            for number in 0..<3 { try a.append("create", Self.id(number), Self.film("Film \(number)")) }
            try await site.untilEqual([a, b], hub, count: 3)
            try b.append("update", Self.id(0), #"{"title":"Edited"}"#)
            try b.append("delete", Self.id(1))
            try await b.settled()
            try await site.untilEqual([a, b], hub, count: 2)
            #expect(try await hub.records()[Self.id(0)]?["title"] == "Edited")
        }
    }

    @Test func `others may only write what the rules allow`() async throws {
        try await withFilms(1) { site, hub, a, b in
            let (path, token) = ("/movies/\(Self.id(0))", Site.unsignedToken(of: "app"))
            let before = try await hub.tree(path)
            let stamp = try #require(before.members?["_v"]?.text)
            func record(
                _ version: String, over replaced: String?, _ time: String = #"{".sv":"timestamp"}"#
            ) -> String {
                let base = replaced.map { #","_b":"\#($0)""# } ?? ""
                return
                    #"{"identifier":"\#(Self.id(0))","title":"App","hasWatched":true,"_v":"\#(version)","_t":\#(time)\#(base)}"#
            }
            let older = "000000000001-0000-0000000000000001"
            let newer = "f" + stamp.dropFirst()
            let refused: [(String, String, String?, String?)] = [
                ("PUT", path, record(newer, over: stamp), nil), ("PUT", path, record(older, over: stamp), token),
                ("PUT", path, record(newer, over: stamp, "5"), token), ("PUT", path, record("new", over: stamp), token),
                // What does not say what it replaces, or says so wrongly.
                ("PUT", path, record(newer, over: nil), token), ("PUT", path, record(newer, over: older), token),
                ("PATCH", "/movies", #"{"\#(Self.id(0))":\#(record(newer, over: nil))}"#, token),
                ("PUT", path, Self.film("no stamp"), token), ("DELETE", path, nil, token),
                ("DELETE", "/movies", nil, token),
                ("PUT", "/movies/x", record(newer, over: nil), token), ("PUT", "/other", "1", token),
                ("PUT", "/", "null", token),
                ("PATCH", path, #"{"title":"only the title"}"#, token),
                ("PATCH", "/movies", #"{"\#(Self.id(1))/title":"x"}"#, token),
            ]
            for (method, path, body, token) in refused {
                let answer = try await hub.attempt(method, path, body, by: token)
                #expect(answer.status == 401, "\(method) \(path) \(body ?? ""): \(answer.text)")
            }
            #expect(try await hub.attempt("GET", "/movies", nil, by: nil).status == 401)
            #expect(try await hub.attempt("GET", "/movies", nil, by: token).status == 200)
            #expect(try await hub.tree(path) == before)
            // Of just after the last one: what an app does that keeps to the protocol.
            let next = String(stamp.prefix(12)) + "-ffff-" + stamp.suffix(16)
            #expect(try await hub.attempt("PUT", path, record(next, over: stamp), by: token).status == 200)
            try await a.untilRecords("the app's edit") { $0[Self.id(0)]?["title"] == "App" }
            try await site.untilEqual([a, b], hub, count: 1)
        }
    }

    @Test(arguments: [
        #"{"rules":{".read":"auth != null",".write":false}}"#, #"{"rules":{".read":false,".write":false}}"#,
    ]) func `when rules refuse everything, edits wait until they come back`(_ closed: String) async throws {
        try await withFilms(3) { site, hub, a, b in
            try await hub.replaceRules(closed)
            for number in 0..<3 { try a.append("update", Self.id(number), #"{"title":"Waits \#(number)"}"#) }
            try a.append("create", Self.id(3), Self.film("New"))
            let status = try await a.until("the refusal") {
                $0.collections["movies"]?.pending == 4 && $0.remote.lastError?.contains("Permission denied") == true
            }
            #expect(status.collections["movies"]?.quarantined == 0)
            try await hub.replaceRules(Site.text(of: Self.rules))
            try await a.tool(["sync"])
            try await site.untilEqual([a, b], hub, count: 4, within: .seconds(40))
            #expect(try await hub.records()[Self.id(1)]?["title"] == "Waits 1")
            #expect(try await a.list("quarantine").isEmpty)
        }
    }
}
