import ControlAPI
import FoundationEssentials
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// Nodes that know each other, and tombstones that end.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct NodesTests {
    private static let rules: FilePath = FilePath(#filePath).removingLastComponent().removingLastComponent()
        .removingLastComponent().appending("config").appending("database.rules.json")

    private static func id(_ number: Int) -> String { "6F9619FF-8B86-4011-B42D-0000000000" + String(10 + number) }
    private static let film = #"{"title":"F","hasWatched":false}"#

    private static func settings(keep: String, base: String = "movies") -> NodeSettings {
        var settings = NodeSettings()
        settings.base = base
        settings.more = "tombstones: {keep: \(keep)}"
        return settings
    }

    /// Signs in with an ID token, so that the shipped rules bind the node.
    private func bind(_ settings: inout NodeSettings, _ name: String, _ site: Site) throws {
        let file = site.folder.appending("\(name).token")
        try Data(Site.unsignedToken(of: name).utf8).write(to: URL(filePath: file.string))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.string)
        settings.remote = """
              credential: id-token
              credentialFile: "\(file)"
              writeGuard: rules
            """
    }

    private func untilGone(_ path: String, _ hub: Hub) async throws {
        try await until("nothing at \(path)", hearing: [], [hub.hear("/moviesync/tombstones/movies")]) {
            try await hub.tree(path) == .null ? () : nil
        }
    }

    @Test(arguments: [false, true])
    func `tombstones end on every node, also where the shipped rules bind it`(isBound: Bool) async throws {
        try await withSite { site in
            let hub = try await isBound ? site.hub(rules: Self.rules, flags: ["--emulator"]) : site.hub()
            var nodes: [Node] = []
            for name in ["a", "b"] {
                var settings = Self.settings(keep: "1s")
                if isBound { try bind(&settings, name, site) }
                nodes.append(try await site.node(name, hub.url, settings))
            }
            let (a, b) = (nodes[0], nodes[1])
            for number in 1...9 { try a.append("create", Self.id(number), Self.film) }
            try await b.until("the films") { $0.collections["movies"]?.records == 9 }
            try a.append("delete", Self.id(1))
            try await b.until("the delete") { $0.collections["movies"]?.records == 8 }
            try await untilGone("/moviesync/tombstones/movies/\(Self.id(1))", hub)
            #expect(try await hub.tree("/moviesync/horizon/movies").text != nil)
            for node in nodes {
                // A tombstone that another node has ended is neither a change nor a line of the log.
                try await node.untilAsked("nothing left of it") { $0.collections["movies"]?.tombstones == 0 }
            }
            try await site.untilEqual(nodes, hub, count: 8)
            #expect(try await hub.tree("/moviesync/tombstones") == .null)
        }
    }

    @Test(arguments: ["full", "incremental"])
    func `a node that was away for too long takes what the remote has`(pull: String) async throws {
        try await withSite { site in
            let hub = try await site.hub()
            var settings = Self.settings(keep: "1s")
            settings.pull = pull
            let a = try await site.node("a", hub.url, settings)
            let b = try await site.node("b", hub.url, settings)
            for number in 1...9 { try a.append("create", Self.id(number), Self.film) }
            try await b.until("the films") { $0.collections["movies"]?.records == 9 }
            try await site.untilEqual([a, b], hub, count: 9)
            try await b.stop()
            try a.append("delete", Self.id(1))
            try await a.settled()
            try await untilGone("/moviesync/tombstones/movies/\(Self.id(1))", hub)
            try b.append("update", Self.id(2), #"{"title":"Kept"}"#)
            try await b.start()
            try await site.untilEqual([a, b], hub, count: 8)
            #expect(try await hub.records()[Self.id(2)]?["title"] == "Kept")
            try await b.program?.logged("node.fenced")
            #expect(try await b.status().collections["movies"]?.fencedAt != nil)
            #expect(try await hub.tree("/moviesync/tombstones") == .null)
        }
    }

    @Test func `nodes know each other`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let a = try await site.node("a", hub.url, Self.settings(keep: "90d"))
            let b = try await site.node("b", hub.url, Self.settings(keep: "90d"))
            let ids = Set([try await a.status().node, try await b.status().node])
            try await until("both entries", hearing: [], [hub.hear("/moviesync/nodes")]) {
                Set(try await hub.tree("/moviesync/nodes").members?.keys.map { $0 } ?? []) == ids ? () : nil
            }
            let nodes = try await a.tool(["nodes"]).items().compactMap(\.members)
            #expect(Set(nodes.compactMap { $0["id"]?.text }) == ids)
            #expect(nodes.allSatisfy { $0["lastSeenAt"]?.text != nil && $0["name"]?.text?.isEmpty == false })
            #expect(nodes.count { $0["isThis"] == true } == 1)
            let text = try await b.tool(["nodes"], json: false).output
            #expect(text.contains("(this)"))
            #expect(ids.allSatisfy { text.contains($0) })
            try await hub.stop()
            let answer = try await a.control("GET", "/v1/nodes")
            #expect(answer.status == 502)
        }
    }

    @Test func `two bases in one database do not mix`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let a = try await site.node("a", hub.url, Self.settings(keep: "90d"))
            let b = try await site.node("b", hub.url, Self.settings(keep: "90d", base: "shared/movies"))
            for node in [a, b] { try node.append("create", Self.id(1), Self.film) }
            for node in [a, b] { try await node.settled() }
            try a.append("delete", Self.id(1))
            try await a.settled()
            // A later edit there, so that whatever would come has come.
            try b.append("create", Self.id(2), Self.film)
            try await b.settled()
            #expect(try await b.records().keys.sorted() == [Self.id(1), Self.id(2)])
            #expect(try await hub.tree("/moviesync/tombstones/shared%252Fmovies") == .null)
            try b.append("delete", Self.id(2))
            try await b.settled()
            let keys = try await hub.tree("/moviesync/tombstones").members?.keys.sorted()
            #expect(keys == ["movies", "shared%2Fmovies"])
            let nodes = try await a.list("nodes")
            #expect(nodes.count { $0["collections"]?.members?["movies"] != nil } == 1)
        }
    }
}
