import ControlAPI
import SyncModel
import TestSupport
import Testing

/// What a node could not notice by itself is found by a comparison, and repaired.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct VerifyTests {
    private static func id(_ number: Int) -> String { "6F9619FF-8B86-4011-B42D-0000000\(10_000 + number)" }

    /// A node that pulls only changes, and twelve films.
    private func withNode(_ body: (Site, Hub, Node) async throws -> Void) async throws {
        try await withSite { site in
            let hub = try await site.hub()
            var settings = NodeSettings()
            settings.pull = "incremental"
            let node = try await site.node("a", hub.url, settings)
            for number in 1...12 {
                try node.append("create", Self.id(number), #"{"title":"F\#(number)","hasWatched":false}"#)
            }
            try await node.until("12 films") { $0.collections["movies"]?.records == 12 }
            try await site.untilEqual([node], hub, count: 12)
            // A later write, so that the cursor is behind the films.
            try node.append("create", Self.id(20), #"{"title":"Last","hasWatched":false}"#)
            try await site.untilEqual([node], hub, count: 13)
            try await body(site, hub, node)
        }
    }

    private func verify(_ node: Node, repair: Bool = false) async throws -> (code: Int?, VerifyReply.Collection) {
        let result = try await node.tool(["verify"] + (repair ? ["--repair"] : []))
        let reply = try result.read(VerifyReply.self)
        return (result.code, try #require(reply.collections.first))
    }

    /// What an app does behind the node's back: none of it has a server's time, by which changes are pulled.
    private func change(_ hub: Hub) async throws {
        try await hub.write("DELETE", "/movies/\(Self.id(1))")
        try await hub.write("PATCH", "/movies/\(Self.id(2))", #"{"title":"App's"}"#)
        try await hub.write("PUT", "/movies/\(Self.id(30))", #"{"title":"New","hasWatched":true}"#)
        try await hub.write("PUT", "/movies/\(Self.id(3).lowercased())", #"{"title":"Second","hasWatched":true}"#)
        try await hub.write("PUT", "/movies/\(Self.id(4))", "[1,2]")
        try await hub.write("PUT", "/movies/settings", #"{"theme":"dark"}"#)
    }

    @Test func `equal sides are equal, and a plan says what differs without changing it`() async throws {
        try await withNode { _, hub, node in
            let (code, equal) = try await verify(node)
            #expect(code == 0 && equal.differences == 0 && equal.compared == 13 && !equal.repaired)
            #expect(try await node.tool(["verify"], json: false).output.contains("equal"))
            #expect(try await node.tool(["pause", "push"]).code == 0)
            try node.append("create", Self.id(21), #"{"title":"Waits","hasWatched":false}"#)
            try await node.until("pending") { $0.collections["movies"]?.pending == 1 }
            let waiting = try await node.tool(["verify"], json: false)
            #expect(waiting.code == 0 && waiting.output.contains("movies: 13 compared"), "\(waiting.output)")
            #expect(waiting.output.contains("1 record is not pushed yet"))
            try node.append("delete", Self.id(21))
            #expect(try await node.tool(["resume"]).code == 0)
            try await node.settled()
            try await node.stop()
            try await change(hub)
            try await node.start()
            try await node.until("live") { $0.remote.stream == .live }
            try await node.settled()
            let before = try await hub.tree("/movies")
            let (differs, found) = try await verify(node)
            #expect(differs == 65)
            #expect(
                found.found == [
                    "missingThere": 1, "differs": 1, "missingHere": 1, "secondKey": 1, "unreadable": 1, "strayKey": 1,
                ])
            #expect(found.items.first { $0.what == "missingThere" }?.key == Self.id(1))
            let shown = try await node.tool(["verify"], json: false).output
            #expect(shown.contains(Self.id(1)) && shown.contains("a second key for a record: 1"))
            #expect(try await hub.tree("/movies") == before)
            #expect(try await node.records()[Self.id(2)]?["title"] == "F2")
            let last = try #require(try await node.status().collections["movies"]?.lastVerify)
            #expect(last.differences == 6 && last.found == found.found && !last.repaired)
            let health = try await node.tool(["health"], json: false)
            #expect(health.code == 1 && health.output.contains("6 differed"))
        }
    }

    @Test func `a repair makes both sides equal, and what can't be read is named until it can`() async throws {
        try await withNode { site, hub, node in
            try await node.stop()
            try await change(hub)
            try await node.start()
            try await node.until("live") { $0.remote.stream == .live }
            let (code, found) = try await verify(node, repair: true)
            #expect(code == 65 && found.repaired && found.differences == 6)
            try await node.untilRecords("the repairs") {
                $0[Self.id(1)] == nil && $0[Self.id(2)]?["title"] == "App's" && $0[Self.id(30)] != nil
            }
            try await node.until("in quarantine") { $0.collections["movies"]?.quarantined == 1 }
            try await node.settled()
            let tree = try await hub.tree("/movies").members ?? [:]
            #expect(tree[Self.id(3).lowercased()] == nil && tree[Self.id(3)]?.members?["title"] == "Second")
            #expect(tree[Self.id(4)] == [1, 2] && tree["settings"] != nil)
            #expect(try await node.status().collections["movies"]?.lastVerify?.repaired == true)
            let (still, left) = try await verify(node)
            #expect(still == 65 && left.found == ["unreadable": 1, "strayKey": 1])
            // The body is mended, and the stray key removed; nobody tells the node.
            try await hub.write("PUT", "/movies/\(Self.id(4))", #"{"title":"Mended","hasWatched":true}"#)
            try await hub.write("DELETE", "/movies/settings")
            _ = try await verify(node, repair: true)
            try await node.untilRecords("the mended film") { $0[Self.id(4)]?["title"] == "Mended" }
            try await site.untilEqual([node], hub, count: 13)
            #expect(try await verify(node).code == 0)
            #expect(try await node.status().collections["movies"]?.quarantined == 0)
        }
    }

    @Test func `a remote that can't be read is an error of one line`() async throws {
        try await withNode { _, hub, node in
            try await hub.kill()
            let result = try await node.tool(["verify"], json: false)
            #expect(result.code == 70 && result.output.isEmpty)
            #expect(result.errors.split(separator: "\n").count == 1 && result.errors.contains("remote"))
        }
    }
}
