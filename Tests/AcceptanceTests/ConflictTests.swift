import ControlAPI
import SyncModel
import TestSupport
import Testing

/// Edits of the same film on both sides, and who wins.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct ConflictTests {
    private static let id = "6F9619FF-8B86-4011-B42D-00C04FC964FF"
    private static let first = #"{"title":"Alien","hasWatched":false}"#

    /// Two nodes that hold one film.
    private func withFilm(_ body: (Site, Hub, Node, Node) async throws -> Void) async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let (a, b) = (try await site.node("a", hub.url), try await site.node("b", hub.url))
            try a.append("create", Self.id, Self.first)
            try await b.until("the film") { $0.collections["movies"]?.records == 1 }
            try await site.untilEqual([a, b], hub, count: 1)
            try await body(site, hub, a, b)
        }
    }

    @Test func `the later edit wins on both nodes, and the ledger keeps the other`() async throws {
        try await withFilm { site, hub, a, b in
            #expect(try await a.tool(["pause", "push"]).code == 0)
            try a.append("update", Self.id, #"{"title":"Earlier"}"#)
            try await a.until("the edit") { $0.collections["movies"]?.pending == 1 }
            try b.append("update", Self.id, #"{"title":"Later"}"#)
            try await a.untilRecords("the later title on a") { $0[Self.id]?["title"] == "Later" }
            #expect(try await a.tool(["resume", "push"]).code == 0)
            try await site.untilEqual([a, b], hub, count: 1)
            #expect(try await hub.records()[Self.id]?["title"] == "Later")
            let conflicts = try await a.list("conflicts")
            #expect(conflicts.count == 1)
            #expect(conflicts.first?["loser"]?.members?["fields"]?.members?["title"] == "Earlier")
            #expect(conflicts.first?["winner"]?.members?["fields"]?.members?["title"] == "Later")
            #expect(try await a.status().collections["movies"]?.conflicts == 1)
        }
    }

    @Test func `the node whose edit was acknowledged, and lost, has it in its ledger too`() async throws {
        try await withFilm { site, hub, a, b in
            try await b.tool(["pause"])
            try a.append("update", Self.id, #"{"title":"Earlier"}"#)
            #expect(try await a.settled().pending == 0)
            try b.append("update", Self.id, #"{"title":"Later"}"#)
            try await b.until("the edit") { $0.collections["movies"]?.pending == 1 }
            try await b.tool(["resume"])
            try await a.untilRecords("the later title on a") { $0[Self.id]?["title"] == "Later" }
            try await site.untilEqual([a, b], hub, count: 1)
            for node in [a, b] {
                let conflict = try #require(try await node.list("conflicts").first)
                #expect(conflict["fields"] == ["title"] && conflict["restored"] == false)
                #expect(conflict["loser"]?.members?["fields"]?.members?["title"] == "Earlier")
            }
            // So it can be brought back there.
            #expect(try await a.tool(["restore", "1"]).code == 0)
            try await b.untilRecords("what had lost") { $0[Self.id]?["title"] == "Earlier" }
        }
    }

    @Test func `edits of different fields are both kept`() async throws {
        try await withFilm { site, hub, a, b in
            try await a.tool(["pause"])
            try b.append("update", Self.id, #"{"title":"Earlier"}"#)
            try await hub.untilRecords("the first title") { $0[Self.id]?["title"] == "Earlier" }
            try a.append("update", Self.id, #"{"hasWatched":true}"#)
            try await a.until("the edit") { $0.collections["movies"]?.pending == 1 }
            try await a.stop()
            try await a.start()
            #expect(try await a.status().pausedDirections == ["pull", "push"])
            #expect(try await a.status().state == .paused)
            try await a.tool(["resume"])
            try await site.untilEqual([a, b], hub, count: 1)
            #expect(try await hub.records()[Self.id] == ["title": "Earlier", "hasWatched": true])
            for node in [a, b] { #expect(try await node.list("conflicts").isEmpty) }
        }
    }

    @Test(arguments: [true, false])
    func `delete and edit are decided by the later`(_ deleteIsLater: Bool) async throws {
        try await withFilm { site, hub, a, b in
            try await a.tool(["pause", "push"])
            func delete(_ node: Node) throws { try node.append("delete", Self.id) }
            func edit(_ node: Node) throws { try node.append("update", Self.id, #"{"title":"Edited"}"#) }
            if deleteIsLater { try edit(a) } else { try delete(a) }
            try await a.until("the change") { $0.collections["movies"]?.pending == 1 }
            if deleteIsLater { try delete(b) } else { try edit(b) }
            let count = deleteIsLater ? 0 : 1
            try await hub.untilRecords("the change of b") {
                let title = $0[Self.id]?["title"]
                return deleteIsLater ? title == nil : title == "Edited"
            }
            try await a.tool(["resume", "push"])
            if !deleteIsLater {
                try await a.untilRecords("the edit on a") { $0[Self.id]?["title"] == "Edited" }
            }
            try await site.untilEqual([a, b], hub, count: count)
            for node in [a, b] {
                try await node.stop()
                try await node.start()
            }
            try await site.untilEqual([a, b], hub, count: count)
        }
    }

    @Test func `a deleted film that an app puts back unchanged is removed again`() async throws {
        try await withFilm { site, hub, a, b in
            let stale = try await hub.tree("/movies/\(Self.id)").members ?? [:]
            try a.append("delete", Self.id)
            try await b.until("no film") { $0.collections["movies"]?.records == 0 }
            try await site.untilEqual([a, b], hub, count: 0)
            let title = stale["title"]?.text ?? ""
            let body = #"{"identifier":"\#(Self.id)","title":"\#(title)","hasWatched":false}"#
            for _ in 1...3 {
                try await hub.write("PUT", "/movies/\(Self.id)", body)
                try await hub.untilRecords("the removal") { $0.isEmpty }
            }
            try await site.untilEqual([a, b], hub, count: 0)
        }
    }

    @Test func `a deleted film that an app puts back with another title is a new edit`() async throws {
        try await withFilm { site, hub, a, b in
            try a.append("delete", Self.id)
            try await b.until("no film") { $0.collections["movies"]?.records == 0 }
            try await site.untilEqual([a, b], hub, count: 0)
            try await hub.write(
                "PUT", "/movies/\(Self.id)", #"{"identifier":"\#(Self.id)","title":"Again","hasWatched":true}"#)
            for node in [a, b] { try await node.until("the film") { $0.collections["movies"]?.records == 1 } }
            try await site.untilEqual([a, b], hub, count: 1)
            try await b.stop()
            try await b.start()
            try await site.untilEqual([a, b], hub, count: 1)
        }
    }

    @Test func `deletes stay deleted for nodes that were away and for new ones`() async throws {
        try await withFilm { site, hub, a, b in
            try await b.stop()
            try a.append("delete", Self.id)
            try await a.settled()
            try await b.start()
            try await b.until("no film") { $0.collections["movies"]?.records == 0 }
            let c = try await site.node("c", hub.url)
            try await site.untilEqual([a, b, c], hub, count: 0)
            // A replayed line of a restored spool is older than the delete.
            try c.append(
                "create", Self.id, Self.first, more: #","at":"2026-01-01T00:00:00Z""#)
            try await c.settled()
            try await site.untilEqual([a, b, c], hub, count: 0)
        }
    }
}
