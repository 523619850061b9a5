import ControlAPI
import SyncModel
import TestSupport
import Testing

/// Two nodes and a hub, driven as people, programs and apps do it.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct SmokeTests {
    static let alien = "6F9619FF-8B86-4011-B42D-00C04FC964FF"

    @Test func `what people edit on one node arrives on the other`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let (a, b) = (try await site.node("a", hub.url), try await site.node("b", hub.url))
            let added = try await a.tool(["add", "Alien", "--field", "year=1979", "--wait"], json: false)
            #expect(added.code == 0, "\(added.errors)")
            let id = added.line
            try await b.until("one film") { $0.collections["movies"]?.records == 1 }
            #expect(try await b.tool(["watched", String(id.prefix(6)), "--wait"]).code == 0)
            try await a.until("the change") { $0.lastChange == 2 }
            try await site.untilEqual([a, b], hub, count: 1)
            #expect(try await a.records()[id]?["hasWatched"] == true)
            #expect(try await a.tool(["rm", id, "--wait"]).code == 0)
            try await b.until("no film") { $0.collections["movies"]?.records == 0 }
            try await site.untilEqual([a, b], hub, count: 0)
            #expect(try await hub.tree("/moviesync/tombstones/movies/\(id)/_v").text != nil)
        }
    }

    @Test func `lines of the journal arrive on the hub and the other node`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let (a, b) = (try await site.node("a", hub.url), try await site.node("b", hub.url))
            try a.append("create", Self.alien.lowercased(), #"{"title":"Alien","hasWatched":false,"rating":5.0}"#)
            try await b.until("the film") { $0.collections["movies"]?.records == 1 }
            try b.append("update", Self.alien, #"{"hasWatched":true,"rating":null}"#)
            try await a.until("the change") { $0.lastChange == 2 }
            try await site.untilEqual([a, b], hub, count: 1)
            #expect(try await hub.records()[Self.alien] == ["title": "Alien", "hasWatched": true])
            #expect(try await hub.tree("/movies/\(Self.alien)/identifier") == .string(Self.alien))
            try b.append("delete", Self.alien)
            try await a.until("no film") { $0.collections["movies"]?.records == 0 }
            try await site.untilEqual([a, b], hub, count: 0)
        }
    }

    @Test func `many edits at once arrive`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let (a, b) = (try await site.node("a", hub.url), try await site.node("b", hub.url))
            let ids = (1000..<1300).map { "6F9619FF-8B86-4011-B42D-00C04FC9\($0)" }
            let film = #""fields":{"title":"F","hasWatched":false}}"#
            try a.append(ids.map { #"{"op":"create","id":"\#($0)",\#(film)"# + "\n" }.joined())
            try await site.untilEqual([a], hub, count: 300)
            try await b.until("300 films") { $0.collections["movies"]?.records == 300 }
            for (node, title) in [(a, "From a"), (b, "From b")] {
                let fields = #""fields":{"title":"\#(title)"}}"#
                try node.append(ids.map { #"{"op":"update","id":"\#($0)",\#(fields)"# + "\n" }.joined())
                try await node.settled()
                for other in [a, b] {
                    try await other.untilRecords("all titles") { $0.values.allSatisfy { $0["title"]?.text == title } }
                }
            }
            try await site.untilEqual([a, b], hub, count: 300)
        }
    }

    @Test func `what apps write arrives and keeps what they do not know`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let (a, b) = (try await site.node("a", hub.url), try await site.node("b", hub.url))
            try a.append("create", Self.alien, #"{"title":"Alien","hasWatched":false,"rating":5}"#)
            try await site.untilEqual([a, b], hub, count: 1)
            try await b.until("the film") { $0.collections["movies"]?.records == 1 }
            let app = #"{"identifier":"\#(Self.alien)","title":"Alien","hasWatched":true}"#
            try await hub.write("PUT", "/movies/\(Self.alien)", app)
            for node in [a, b] {
                try await node.untilRecords("the app's edit") {
                    $0[Self.alien] == ["title": "Alien", "hasWatched": true, "rating": 5]
                }
            }
            try await site.untilEqual([a, b], hub, count: 1)
            #expect(try await hub.tree("/movies/\(Self.alien)/_v").text != nil)
            try await hub.write("PATCH", "/movies/\(Self.alien)", #"{"hasWatched":false}"#)
            try await b.untilRecords("the patch") { $0[Self.alien]?["hasWatched"] == false }
            try await hub.write("DELETE", "/movies/\(Self.alien)")
            for node in [a, b] { try await node.until("no film") { $0.collections["movies"]?.records == 0 } }
            try await site.untilEqual([a, b], hub, count: 0)
        }
    }
}
