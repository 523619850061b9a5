import ControlAPI
import FoundationEssentials
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// State that was lost, restored or copied, and things done in an unlucky order.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct RestoreTests {
    private static func id(_ number: Int) -> String { "6F9619FF-8B86-4011-B42D-0000000" + String(10_000 + number) }
    private static let film = #"{"title":"F","hasWatched":false}"#

    private func withFilms(
        _ settings: NodeSettings = NodeSettings(), _ body: (Site, Hub, Node, Node) async throws -> Void
    ) async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let a = try await site.node("a", hub.url, settings)
            let b = try await site.node("b", hub.url, settings)
            for number in 1...30 { try a.append("create", Self.id(number), Self.film) }
            try await b.until("30 films") { $0.collections["movies"]?.records == 30 }
            try await site.untilEqual([a, b], hub, count: 30)
            try await body(site, hub, a, b)
        }
    }

    @Test func `a replayed journal overwrites nothing that others did since`() async throws {
        try await withFilms { site, hub, a, b in
            try await a.stop()
            try b.append("update", Self.id(1), #"{"title":"Of b"}"#)
            try b.append("delete", Self.id(2))
            try await b.settled()
            try FileManager.default.removeItem(atPath: a.state.string)
            try await a.start()
            try await site.untilEqual([a, b], hub, count: 29)
            #expect(try await hub.records()[Self.id(1)]?["title"] == "Of b")
            for node in [a, b] { #expect(try await node.status().holds.isEmpty) }
        }
    }

    @Test func `a long replayed journal is read before the remote`() async throws {
        try await withFilms { site, hub, a, b in
            try await a.stop()
            try b.append("update", Self.id(1), #"{"title":"Of b"}"#)
            try await b.settled()
            try FileManager.default.removeItem(atPath: a.state.string)
            let replayed = try String(contentsOfFile: a.journal.string, encoding: .utf8)
            let others = (100..<2100).map { #"{"op":"create","id":"\#(Self.id($0))","fields":\#(Self.film)}"# + "\n" }
            try (others.joined() + replayed).write(toFile: a.journal.string, atomically: true, encoding: .utf8)
            try await a.start()
            try await site.untilEqual([a, b], hub, count: 2030)
            #expect(try await hub.records()[Self.id(1)]?["title"] == "Of b")
        }
    }

    @Test func `a restored old state catches up under a new name`() async throws {
        try await withFilms { site, hub, a, b in
            try await a.stop()
            let copy = a.folder.appending("backup").string
            try FileManager.default.copyItem(atPath: a.state.string, toPath: copy)
            try await a.start()
            let node = try await a.status().node
            try a.append("update", Self.id(1), #"{"title":"After the backup"}"#)
            try a.append("delete", Self.id(2))
            try b.append("update", Self.id(3), #"{"title":"Of b"}"#)
            try await site.untilEqual([a, b], hub, count: 29)
            try await a.stop()
            try FileManager.default.removeItem(atPath: a.state.string)
            try FileManager.default.moveItem(atPath: copy, toPath: a.state.string)
            try await a.start()
            try await site.untilEqual([a, b], hub, count: 29)
            #expect(try await hub.records()[Self.id(1)]?["title"] == "After the backup")
            #expect(try await hub.records()[Self.id(3)]?["title"] == "Of b")
            _ = node
        }
    }

    @Test func `a backup of a running node, put back, begins a new node that knows what was known`() async throws {
        try await withFilms { site, hub, a, b in
            let file = site.folder.appending("backup.sqlite")
            #expect(try await a.tool(["backup", file.string]).code == 0)
            #expect(FileManager.default.fileExists(atPath: file.string))
            #expect(try await a.tool(["backup", site.folder.appending("no/folder").string]).code == 74)
            let before = try await a.status()
            try b.append("delete", Self.id(1))
            try await b.settled()
            try await a.stop()
            try FileManager.default.removeItem(atPath: a.state.string)
            try FileManager.default.createDirectory(atPath: a.state.string, withIntermediateDirectories: true)
            try FileManager.default.moveItem(
                atPath: file.string, toPath: a.state.appending("state.sqlite").string)
            try await a.start()
            try await site.untilEqual([a, b], hub, count: 29)
            #expect(try await a.status().node != before.node)
            #expect(try await a.status().lastChange >= before.lastChange, "numbers of changes go on")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: a.state.string).allSatisfy {
                    !$0.contains("backup")
                })
        }
    }

    @Test func `a hub restored from an older backup gets back what the nodes have`() async throws {
        try await withFilms { site, hub, a, b in
            let old = try await hub.tree("/")
            let text = try ControlJSON.text(old)
            for number in 31...34 { try a.append("create", Self.id(number), Self.film) }
            try a.append("update", Self.id(1), #"{"title":"Newer"}"#)
            try await b.until("34 films") { $0.collections["movies"]?.records == 34 }
            try await site.untilEqual([a, b], hub, count: 34)
            try await a.stop()
            try await b.stop()
            try await hub.write("PUT", "/", String(decoding: text, as: UTF8.self))
            try await a.start()
            try await b.start()
            // An older version is not newer, and films that are gone without a tombstone look as if they had been deleted.
            let held = try await a.until("a hold") { !$0.holds.isEmpty }
            #expect(held.holds.map(\.kind) == ["massDelete"])
            #expect(try await hub.records().count == 30)
            let rejected = try await a.tool(["reject", "\(held.holds[0].id)"])
            #expect(rejected.code == 0, "\(rejected.errors)")
            try await site.untilEqual([a, b], hub, count: 34)
            #expect(try await hub.records()[Self.id(1)]?["title"] == "Newer")
            for node in [a, b] { #expect(try await node.list("holds").isEmpty) }
        }
    }

    @Test(arguments: ["full", "incremental"]) func `pauses in quick succession lose nothing`(_ pull: String)
        async throws
    {
        var settings = NodeSettings()
        settings.pull = pull
        try await withFilms(settings) { site, hub, a, b in
            for round in 1...25 {
                _ = try await a.control("POST", "/v1/pause")
                try await hub.write("PATCH", "/movies/\(Self.id(round))", #"{"title":"T\#(round)"}"#)
                try a.append("update", Self.id(30), #"{"title":"R\#(round)"}"#)
                _ = try await a.control("POST", "/v1/resume")
            }
            try await a.untilRecords("all titles") { records in
                (1...25).allSatisfy { records[Self.id($0)]?["title"]?.text == "T\($0)" }
            }
            try await site.untilEqual([a, b], hub, count: 30)
            #expect(try await hub.records()[Self.id(30)]?["title"] == "R25")
        }
    }

    @Test func `an incremental node sees what apps do`() async throws {
        var settings = NodeSettings()
        settings.pull = "incremental"
        try await withFilms(settings) { site, hub, a, b in
            try await hub.write("DELETE", "/movies/\(Self.id(1))")
            for node in [a, b] { try await node.until("29 films") { $0.collections["movies"]?.records == 29 } }
            try await hub.write("PATCH", "/movies/\(Self.id(2))", #"{"title":"Patched"}"#)
            for node in [a, b] {
                try await node.untilRecords("the patch") { $0[Self.id(2)]?["title"] == "Patched" }
            }
            try await site.untilEqual([a, b], hub, count: 29)
        }
    }

    @Test func `the tool's own deletes are no mass delete until they are many`() async throws {
        try await withFilms { site, hub, a, b in
            #expect(try await a.tool(["rm", Self.id(1), Self.id(2), Self.id(3), "--wait"]).code == 0)
            try await site.untilEqual([a, b], hub, count: 27)
            #expect(try await a.tool(["rm"] + (4...20).map(Self.id)).code == 77)
            try await a.until("a hold") { $0.holds.map(\.kind) == ["massDelete"] }
            #expect(try await a.records().count == 27)
            #expect(try await hub.records().count == 27)
        }
    }

    @Test func `edits made offline are decided by when they were made`() async throws {
        try await withFilms { site, hub, a, b in
            let start = Moment.now().milliseconds
            try await a.stop()
            let early = Moment(milliseconds: start + 1)
            try #require(Moment.now() > early, "a daemon does not stop within a millisecond")
            try b.append("update", Self.id(1), #"{"title":"Later"}"#)
            try await b.settled()
            try a.append("update", Self.id(1), #"{"title":"Earlier"}"#, more: #","at":"\#(early)""#)
            try a.append("update", Self.id(2), #"{"title":"Only here"}"#, more: #","at":"\#(early)""#)
            try await a.start()
            try await site.untilEqual([a, b], hub, count: 30)
            #expect(try await hub.records()[Self.id(2)]?["title"] == "Only here")
            #expect(try await hub.records()[Self.id(1)]?["title"] != nil)
        }
    }
}
