import ControlAPI
import SyncModel
import TestSupport
import Testing

/// What the daemon refuses to do until a person decides.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct HoldTests {
    private static let ids = (10...29).map { "6F9619FF-8B86-4011-B42D-00C04FC964\($0)" }

    /// Two nodes with twenty films.
    private func withFilms(_ body: (Site, Hub, Node, Node) async throws -> Void) async throws {
        try await withSite { site in
            let hub = try await site.hub()
            var settings = NodeSettings()
            settings.collections = "movies, artists"
            let a = try await site.node("a", hub.url, settings)
            let b = try await site.node("b", hub.url, settings)
            for id in Self.ids { try a.append("create", id, #"{"title":"F","hasWatched":false}"#) }
            try await b.until("20 films") { $0.collections["movies"]?.records == 20 }
            try await site.untilEqual([a, b], hub, count: 20)
            try await body(site, hub, a, b)
        }
    }

    /// The one hold that is there, with what everybody shows of it.
    private func hold(_ node: Node, _ kind: String, direction: String) async throws -> HoldReply {
        let status = try await node.until("a hold") { !$0.holds.isEmpty }
        let hold = try #require(status.holds.first)
        #expect(status.holds.count == 1)
        #expect(hold.kind == kind)
        #expect(hold.collection == "movies")
        #expect(hold.direction == direction)
        #expect(status.state == .degraded)
        #expect(try await node.tool(["health"]).code == 2)
        #expect(try await node.control("GET", "/v1/health").status == 503)
        #expect(try await node.list("holds").first?["kind"]?.text == kind)
        let shown = try await node.tool(["holds"], json: false)
        #expect(shown.output.contains(kind))
        return hold
    }

    /// Artists go on while films wait.
    private func expectArtistsFlow(_ from: Node, _ to: Node) async throws {
        try from.append(
            "create", Self.ids[0], #"{"name":"Pink Floyd","yearFormed":1965}"#, more: #","collection":"artists""#)
        try await to.until("the artist") { $0.collections["artists"]?.records == 1 }
    }

    private func decide(_ node: Node, _ hold: HoldReply, _ approved: Bool) async throws {
        let word = approved ? "approve" : "reject"
        let decided = try await node.tool([word, "\(hold.id)"])
        #expect(decided.code == 0, "\(decided.errors)")
        #expect(try await node.status().holds.isEmpty)
        #expect(try await node.tool([word, "\(hold.id)"]).code != 0)
    }

    private func restart(_ node: Node) async throws {
        try await node.stop()
        try await node.start()
        try await node.until("live") { $0.remote.stream == .live }
    }

    @Test(arguments: [true, false]) func `many deletes in the journal wait`(_ approved: Bool) async throws {
        try await withFilms { site, hub, a, b in
            try a.append(Self.ids.prefix(10).map { "{\"op\":\"delete\",\"id\":\"\($0)\"}\n" }.joined())
            let hold = try await hold(a, "massDelete", direction: "journal")
            #expect(try await a.status().collections["movies"]?.records == 20)
            try a.append("update", Self.ids[0], #"{"title":"Behind the delete"}"#)
            try a.append("update", Self.ids[19], #"{"title":"Free"}"#)
            try await b.untilRecords("the free edit on b") { $0[Self.ids[19]]?["title"] == "Free" }
            try await expectArtistsFlow(a, b)
            try await restart(a)
            #expect(try await hub.records().count == 20)
            try await decide(a, hold, approved)
            try await site.untilEqual([a, b], hub, count: approved ? 10 : 20)
            if !approved {
                #expect(try await hub.records()[Self.ids[0]]?["title"] == "Behind the delete")
            } else {
                let item = try await a.list("quarantine").first
                #expect(item?["code"] == "unknownRecord")
            }
            #expect(try await b.status().holds.isEmpty)
        }
    }

    @Test(arguments: [true, false]) func `many deletes of an app wait`(_ approved: Bool) async throws {
        try await withFilms { site, hub, a, b in
            try await b.stop()
            let gone = Self.ids.prefix(10).map { "\"\($0)\":null" }.joined(separator: ",")
            try await hub.write("PATCH", "/movies", "{\(gone)}")
            let hold = try await hold(a, "massDelete", direction: "pull")
            #expect(try await a.status().collections["movies"]?.records == 20)
            try await restart(a)
            try await expectArtistsFlow(a, a)
            #expect(try await a.status().holds.map(\.id) == [hold.id])
            try await decide(a, hold, approved)
            try await site.untilEqual([a], hub, count: approved ? 10 : 20)
            try await b.start()
            try await site.untilEqual([a, b], hub, count: approved ? 10 : 20)
            #expect(try await b.status().holds.isEmpty)
        }
    }

    @Test func `an edit made since survives an approved disappearance`() async throws {
        try await withFilms { site, hub, a, b in
            try await b.stop()
            let gone = Self.ids.prefix(10).map { "\"\($0)\":null" }.joined(separator: ",")
            try await hub.write("PATCH", "/movies", "{\(gone)}")
            let hold = try await hold(a, "massDelete", direction: "pull")
            try a.append("update", Self.ids[0], #"{"title":"Edited since"}"#)
            try await a.untilRecords("the edit") { $0[Self.ids[0]]?["title"] == "Edited since" }
            try await decide(a, hold, true)
            try await site.untilEqual([a], hub, count: 11)
            #expect(try await hub.records()[Self.ids[0]]?["title"] == "Edited since")
            try await b.start()
            try await site.untilEqual([a, b], hub, count: 11)
        }
    }

    @Test func `deletes one by one of an app are counted too`() async throws {
        try await withFilms { site, hub, a, b in
            try await b.stop()
            for id in Self.ids.prefix(15) { try await hub.write("DELETE", "/movies/\(id)") }
            let hold = try await hold(a, "massDelete", direction: "pull")
            try await a.until("only those that may") { $0.collections["movies"]?.records == 15 }
            try await a.untilAsked("all others are counted") {
                $0.holds.first?.reason.contains("delete 10 of") ?? false
            }
            try await decide(a, hold, true)
            try await a.until("five films") { $0.collections["movies"]?.records == 5 }
            try await a.settled()
            try await b.start()
            try await b.until("five films") { $0.collections["movies"]?.records == 5 }
            #expect(try await b.status().holds.isEmpty)
            try await site.untilEqual([a, b], hub, count: 5)
        }
    }

    @Test(arguments: [(true, false), (false, false), (true, true), (false, true)])
    func `an emptied remote waits`(_ approved: Bool, whileDown: Bool) async throws {
        try await withFilms { site, hub, a, b in
            try await b.stop()
            if whileDown { try await a.stop() }
            try await hub.write("DELETE", "/movies")
            if whileDown { try await a.start() }
            let hold = try await hold(a, "emptyRemote", direction: "pull")
            #expect(try await a.status().collections["movies"]?.records == 20)
            try await restart(a)
            try await expectArtistsFlow(a, a)
            #expect(try await hub.tree("/movies") == .null)
            try await decide(a, hold, approved)
            try await site.untilEqual([a], hub, count: approved ? 0 : 20)
            try await b.start()
            try await site.untilEqual([a, b], hub, count: approved ? 0 : 20)
            #expect(try await b.status().holds.isEmpty)
        }
    }

    @Test(arguments: [true, false]) func `a decision on one node ends the hold of another`(_ approved: Bool)
        async throws
    {
        try await withFilms { site, hub, a, b in
            try await hub.write("DELETE", "/movies")
            let hold = try await hold(a, "emptyRemote", direction: "pull")
            _ = try await self.hold(b, "emptyRemote", direction: "pull")
            try await decide(a, hold, approved)
            try await site.untilEqual([a, b], hub, count: approved ? 0 : 20)
            #expect(try await b.settled().holds.isEmpty)
        }
    }

    @Test(arguments: [true, false]) func `an edit from the future waits`(_ approved: Bool) async throws {
        try await withFilms { site, hub, a, b in
            let id = Self.ids[0]
            try a.append("update", id, #"{"title":"Future"}"#, more: #","at":"2099-01-01T00:00:00Z""#)
            let hold = try await hold(a, "futureEdit", direction: "journal")
            try a.append("update", id, #"{"hasWatched":true}"#)
            try a.append("update", Self.ids[1], #"{"title":"Now"}"#)
            try await b.untilRecords("the other edit on b") { $0[Self.ids[1]]?["title"] == "Now" }
            #expect(try await a.records()[id] == ["title": "F", "hasWatched": false])
            try await restart(a)
            try await decide(a, hold, approved)
            try await site.untilEqual([a, b], hub, count: 20)
            #expect(
                try await hub.records()[id] == ["title": approved ? "Future" : "F", "hasWatched": true])
            let stamp = try await hub.tree("/movies/\(id)/_v").text ?? ""
            #expect(stamp < "03b", "stamped when decided: \(stamp)")
        }
    }

    @Test func `an edit from the near future is applied when its time has come`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            var settings = NodeSettings()
            settings.more = "clock:\n  maxAhead: 1s"
            let a = try await site.node("a", hub.url, settings)
            let at = Moment(milliseconds: Moment.now().milliseconds + 3_000)
            try a.append("create", Self.ids[0], #"{"title":"F","hasWatched":false}"#, more: #","at":"\#(at)""#)
            try await a.until("a hold") { $0.holds.map(\.kind) == ["futureEdit"] }
            try await a.until("the film", within: .seconds(8)) {
                $0.holds.isEmpty && $0.collections["movies"]?.records == 1
            }
            try await site.untilEqual([a], hub, count: 1)
        }
    }

    @Test func `a remote record from the future is set aside`() async throws {
        try await withFilms { site, hub, a, b in
            let future = "03bbbbbbbbbb-0000-00000000000000aa"
            let body = #"{"identifier":"\#(Self.ids[0])","title":"X","hasWatched":true,"_v":"\#(future)"}"#
            try await hub.write("PUT", "/movies/\(Self.ids[0])", body)
            for node in [a, b] {
                try await node.until("one in quarantine") { $0.collections["movies"]?.quarantined == 1 }
                #expect(try await node.list("quarantine").first?["code"] == "futureStamp")
                #expect(try await node.records()[Self.ids[0]]?["title"] == "F")
                #expect(try await node.tool(["health"]).code == 1)
            }
            try a.append("create", Self.ids[1], #"{"title":"Now","hasWatched":true}"#)
            try await b.untilRecords("other films go on") { $0[Self.ids[1]]?["title"] == "Now" }
            let stamp = try await hub.tree("/movies/\(Self.ids[1])/_v").text ?? ""
            #expect(stamp < "03b", "the clock did not follow: \(stamp)")
        }
    }

    @Test func `a delete made while a hold waits goes out after a reject`() async throws {
        try await withFilms { site, hub, a, b in
            try await b.stop()
            try await hub.write("DELETE", "/movies")
            let hold = try await hold(a, "emptyRemote", direction: "pull")
            try a.append("delete", Self.ids[0])
            try await a.until("the delete") { $0.collections["movies"]?.records == 19 }
            try await decide(a, hold, false)
            try await site.untilEqual([a], hub, count: 19)
            try await b.start()
            try await site.untilEqual([a, b], hub, count: 19)
        }
    }

    @Test func `an edit of a record from the future waits without asking`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let proxy = try await site.proxy(to: hub)
            let node = try await site.node("a", proxy.url)
            let future = "03bbbbbbbbbb-0000-00000000000000aa"
            try node.append("create", Self.ids[0], #"{"title":"F","hasWatched":false}"#)
            try await site.untilEqual([node], hub, count: 1)
            let body = #"{"identifier":"\#(Self.ids[0])","title":"X","hasWatched":true,"_v":"\#(future)"}"#
            try await hub.write("PUT", "/movies/\(Self.ids[0])", body)
            try await node.until("one in quarantine") { $0.collections["movies"]?.quarantined == 1 }
            try node.append("update", Self.ids[0], #"{"title":"Edited"}"#)
            try node.append("create", Self.ids[1], #"{"title":"Other","hasWatched":false}"#)
            try await node.until("the other film") { $0.collections["movies"]?.records == 2 && $0.pending <= 1 }
            try await hub.untilRecords("the other film") { $0.count == 2 }
            let asked = proxy.requests.filter { !$0.isStream && $0.uri.contains(Self.ids[0]) }.count
            #expect(asked < 12, "the record was asked for \(asked) times")
            #expect(try await node.records()[Self.ids[0]]?["title"] == "Edited")
            let item = try #require(try await node.list("quarantine").first?["id"]?.whole)
            #expect(try await node.tool(["quarantine", "drop", "\(item)"]).code == 0)
            try await node.until("in quarantine again, because the edit still waits") {
                $0.collections["movies"]?.quarantined == 1
            }
        }
    }

    @Test func `a tombstone from the future is set aside`() async throws {
        try await withFilms { site, hub, a, b in
            let tombstone = #"{"_v":"03bbbbbbbbbb-0000-00000000000000aa"}"#
            let update = #"{"moviesync/tombstones/movies/\#(Self.ids[0])":\#(tombstone),"movies/\#(Self.ids[0])":null}"#
            try await hub.write("PATCH", "/", update)
            for node in [a, b] {
                try await node.until("one in quarantine") { $0.collections["movies"]?.quarantined == 1 }
                #expect(try await node.list("quarantine").first?["code"] == "futureStamp")
            }
            try a.append("create", Self.ids[1], #"{"title":"Now","hasWatched":true}"#)
            try await b.untilRecords("other films go on") { $0[Self.ids[1]]?["title"] == "Now" }
            let stamp = try await hub.tree("/movies/\(Self.ids[1])/_v").text ?? ""
            #expect(stamp < "03b", "the clock did not follow: \(stamp)")
        }
    }
}
