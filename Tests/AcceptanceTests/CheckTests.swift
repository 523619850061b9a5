import ControlAPI
import FoundationEssentials
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// Checks under a whole daemon.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2))) struct CheckTests {
    private static func id(_ number: Int) -> String { "6F9619FF-8B86-4011-B42D-0000000000" + String(10 + number) }

    /// Refuses the title "Bad", gives every film a genre, and is of no use while the file `broken` is there.
    private static func check(in folder: FilePath) throws -> String {
        let program = folder.appending("check").string
        let script = #"""
            #!/bin/sh
            [ ! -e "\#(folder)/broken" ] || exit 1
            exec jq --unbuffered -c '
              if .call == "hello" then {id, ok: {protocol: 1, name: "c", version: "1",
                provides: {check: {collections: ["movies"]}}}}
              elif .call == "check" then if .with.fields.title == "Bad"
                then {id, error: {code: "defect", field: "title", message: "is bad"}}
                else {id, ok: {fields: (.with.fields + {genre: "horror"})}} end
              elif .call then {id, error: {code: "unknownCall", message: .call}} else empty end'
            """#
        try Data(script.utf8).write(to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        return program
    }

    private static func node(
        _ name: String, of site: Site, _ hub: Hub, whenDown: String? = nil, checks: Bool = true
    ) async throws -> Node {
        var settings = NodeSettings()
        let more = whenDown.map { ", whenDown: \($0)" } ?? ""
        if checks { settings.more = "plugins: {strict: {command: [\"\(try check(in: site.folder))\"]\(more)}}" }
        return try await site.node(name, hub.url, settings)
    }

    private static func add(_ number: Int, _ title: String, to node: Node) throws {
        try node.append("create", id(number), #"{"title":"\#(title)","hasWatched":false}"#)
    }

    @Test func `lines are accepted, completed and refused, and what others wrote is left alone`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let other = try await Self.node("other", of: site, hub, checks: false)
            let node = try await Self.node("checked", of: site, hub)
            try Self.add(1, "Alien", to: node)
            try node.append("update", Self.id(1), #"{"title":"Aliens","genre":"comedy"}"#)
            try Self.add(2, "Bad", to: node)
            try Self.add(3, "Bad", to: other)
            try await node.until("all") { status in
                status.collections["movies"]?.records == 2 && status.journal.quarantined == 1
            }
            try await node.settled()
            let records = try await node.records()
            #expect(records[Self.id(1)] == ["title": "Aliens", "hasWatched": false, "genre": "horror"])
            #expect(records[Self.id(3)] == ["title": "Bad", "hasWatched": false])
            let item = try #require(try await node.list("quarantine").first)
            #expect(item["code"] == "refusedByCheck" && item["record"] == .string(Self.id(2)))
            #expect(item["reason"] == #"the check strict refuses it: "title": is bad"#)
            let number = try #require(item["id"]?.whole)
            #expect(try await node.tool(["quarantine", "retry", "\(number)"]).code == 65)
            #expect(try await node.list("quarantine").first?["attempts"] == 2)
            try await node.stop()
            try await node.start()
            try await node.settled()
            #expect(try await node.records()[Self.id(2)] == nil)
        }
    }

    @Test func `lines wait for a check that can't be asked, and the status names it`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let broken = site.folder.appending("broken")
            try Data().write(to: URL(filePath: broken.string))
            let node = try await Self.node("a", of: site, hub, whenDown: "wait")
            try Self.add(1, "Alien", to: node)
            let status = try await node.until("waiting") { $0.journal.waitsFor != nil }
            #expect(status.journal.waitsFor?.hasPrefix("the check strict can't be asked: ") == true)
            #expect(status.collections["movies"]?.records == 0 && status.state == .degraded)
            #expect(try await node.tool(["health"]).code == 1)
            try FileManager.default.removeItem(atPath: broken.string)
            #expect(try await node.tool(["plugin", "restart", "strict"]).code == 0)
            try await node.until("the film") { status in
                status.collections["movies"]?.records == 1 && status.journal.waitsFor == nil
            }
            #expect(try await node.records()[Self.id(1)]?["genre"] == "horror")
        }
    }

    @Test(arguments: [("accept", 1, 0), ("refuse", 0, 1)])
    func `a check that can't be asked is done without, or refuses, where that is wanted`(
        whenDown: String, records: Int, quarantined: Int
    ) async throws {
        try await withSite { site in
            let hub = try await site.hub()
            try Data().write(to: URL(filePath: site.folder.appending("broken").string))
            let node = try await Self.node("a", of: site, hub, whenDown: whenDown)
            try Self.add(1, "Alien", to: node)
            try await node.until("the line") { status in
                status.collections["movies"]?.records == records && status.journal.quarantined == quarantined
                    && status.journal.lines == 1
            }
        }
    }

    @Test func `a check is remembered while it is broken after a restart`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await Self.node("a", of: site, hub)
            try Self.add(1, "Alien", to: node)
            try await node.until("the film") { $0.collections["movies"]?.records == 1 }
            try await node.stop()
            try Data().write(to: URL(filePath: site.folder.appending("broken").string))
            try Self.add(2, "Bad", to: node)
            try await node.start()
            try await node.until("waiting") { $0.journal.waitsFor != nil }
            #expect(try await node.status().collections["movies"]?.records == 1)
        }
    }
}
