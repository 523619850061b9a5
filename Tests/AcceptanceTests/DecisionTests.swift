import ControlAPI
import SyncModel
import TestSupport
import Testing

/// What is said of a hold before its decision, and the base of a collection that an app has written one film over.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct DecisionTests {
    private static let ids = (10...29).map { "6F9619FF-8B86-4011-B42D-00C04FC964\($0)" }

    /// A hub with twenty films, and nodes that know them.
    private func withFilms(
        pull: String = "full", nodes names: [String] = ["a"], _ body: (Site, Hub, [Node]) async throws -> Void
    ) async throws {
        try await withSite { site in
            let hub = try await site.hub()
            var settings = NodeSettings()
            settings.pull = pull
            var nodes: [Node] = []
            for name in names { nodes.append(try await site.node(name, hub.url, settings)) }
            for (number, id) in Self.ids.enumerated() {
                try nodes[0].append("create", id, #"{"title":"Film \#(number)","hasWatched":false}"#)
            }
            for node in nodes { try await node.until("20 films") { $0.collections["movies"]?.records == 20 } }
            try await site.untilEqual(nodes, hub, count: 20)
            try await body(site, hub, nodes)
        }
    }

    private func decision(_ node: Node, _ arguments: String...) async throws -> DecisionReply {
        let result = try await node.tool(arguments)
        #expect(result.code == 0, "\(result.errors)")
        return try result.read(DecisionReply.self)
    }

    private func hold(_ node: Node) async throws -> HoldReply {
        try await node.until("a hold") { !$0.holds.isEmpty }
        let answer = try await node.control("GET", "/v1/holds")
        return try #require(try answer.read(Page<HoldReply>.self).items.first)
    }

    @Test(arguments: [true, false])
    func `a hold names its records, and a decision can be tried before it is made`(_ approved: Bool) async throws {
        try await withFilms { site, hub, nodes in
            let (a, word) = (nodes[0], approved ? "approve" : "reject")
            let gone = Self.ids.prefix(12).map { "\"\($0)\":null" }.joined(separator: ",")
            try await hub.write("PATCH", "/movies", "{\(gone)}")
            let hold = try await hold(a)
            #expect(hold.kind == "massDelete" && hold.count == 12)
            #expect(Set(hold.records?.map(\.id) ?? []) == Set(Self.ids.prefix(12)))
            #expect(Set(hold.records?.map(\.title) ?? []) == Set((0..<12).map { "Film \($0)" }))
            #expect(hold.records?.allSatisfy { $0.what.approve.contains("deleted") } == true)
            #expect(hold.records?.allSatisfy { $0.what.reject.contains("kept") } == true)
            let shown = try await a.tool(["holds"], json: false).output
            #expect(shown.contains("Film 0") && shown.contains("and 2 more") && shown.contains(hold.reason))
            #expect(shown.contains("moviesync approve 1") && shown.contains("moviesync reject 1"))

            let tried = try await decision(a, word, "1", "--dry-run")
            #expect(!tried.done && tried.dryRun && tried.count == 12 && tried.deletes == (approved ? 12 : 0))
            #expect(tried.records.count == 12 && tried.effect == (approved ? hold.approve : hold.reject))
            let answer = try await a.control("POST", "/v1/holds/1/\(word)?dryRun=true")
            #expect(try answer.read(DecisionReply.self) == tried)
            #expect(try await a.status().holds.count == 1)
            #expect(try await a.records().count == 20)
            #expect(try await hub.records().count == 8)

            #expect(try await decision(a, word, "1").done)
            try await site.untilEqual(nodes, hub, count: approved ? 8 : 20)
            #expect(try await a.tool([word, "1", "--dry-run"]).code == 65)
        }
    }

    /// An app forgets the key, and writes one film over all.
    private func writeOverAll(_ hub: Hub) async throws {
        let film = #"{"identifier":"\#(Self.ids[3])","title":"Alien","hasWatched":true,"year":1979}"#
        try await hub.write("PUT", "/movies", film)
    }

    private func keys(_ hub: Hub) async throws -> Set<String> {
        Set(try await hub.tree("/movies").members?.keys.map(\.self) ?? [])
    }

    @Test(arguments: [false, true])
    func `one film written over all others is taken back by a reject, with its keys`(whileDown: Bool) async throws {
        try await withFilms(nodes: ["a", "b"]) { site, hub, nodes in
            let a = nodes[0]
            if whileDown { try await a.stop() }
            try await writeOverAll(hub)
            if whileDown { try await a.start() }
            for node in nodes {
                let hold = try await hold(node)
                #expect(hold.kind == "rootIsOneRecord" && hold.count == 20)
                #expect(try await node.tool(["health"]).code == 2)
            }
            try a.append("create", "6F9619FF-8B86-4011-B42D-00C04FC96499", #"{"title":"New","hasWatched":false}"#)
            try await a.until("the new film waits") { $0.collections["movies"]?.records == 21 }
            #expect(try await keys(hub) == ["identifier", "title", "hasWatched", "year"])
            let tried = try await decision(a, "reject", "1", "--dry-run")
            #expect(tried.count == 20 && tried.deletes == 0)
            #expect(try await keys(hub) == ["identifier", "title", "hasWatched", "year"])
            #expect(try await decision(a, "reject", "1").done)
            try await site.untilEqual(nodes, hub, count: 21)
            #expect(try await keys(hub) == Set(Self.ids + ["6F9619FF-8B86-4011-B42D-00C04FC96499"]))
            for node in nodes {
                let status = try await node.settled()
                #expect(status.holds.isEmpty && status.collections["movies"]?.quarantined == 0)
                #expect(try await node.tool(["verify"]).code == 0)
            }
        }
    }

    @Test func `approved, its keys stay, and are no question any more`() async throws {
        try await withFilms { site, hub, nodes in
            let a = nodes[0]
            try await writeOverAll(hub)
            #expect(try await hold(a).kind == "rootIsOneRecord")
            #expect(try await decision(a, "approve", "1").deletes == 20)
            #expect(try await a.settled().collections["movies"]?.records == 0)
            try await a.stop()
            try await a.start()
            #expect(try await a.settled().holds.isEmpty)
            try a.append("create", Self.ids[0], #"{"title":"New","hasWatched":false}"#)
            #expect(try await a.settled().pending == 0)
            #expect(try await keys(hub) == ["identifier", "title", "hasWatched", "year", Self.ids[0]])
        }
    }

    @Test func `a node that pulls only changes finds it too`() async throws {
        try await withFilms(pull: "incremental") { site, hub, nodes in
            let a = nodes[0]
            try await writeOverAll(hub)
            let hold = try await hold(a)
            #expect(hold.kind == "rootIsOneRecord" && hold.count == 20)
            #expect(try await a.tool(["verify"]).code == 65)
            #expect(try await decision(a, "reject", "1").done)
            try await a.settled()
            #expect(try await keys(hub) == Set(Self.ids))
            #expect(try await a.tool(["verify"]).code == 0)
        }
    }
}
