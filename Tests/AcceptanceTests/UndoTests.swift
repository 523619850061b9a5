import ControlAPI
import SyncModel
import TestSupport
import Testing

/// What a node can tell of the past, and takes back.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct UndoTests {
    private static func id(_ number: Int) -> String { "6F9619FF-8B86-4011-B42D-0000000\(10_000 + number)" }

    /// Two nodes with six films.
    private func withFilms(_ body: (Site, Hub, Node, Node) async throws -> Void) async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let (a, b) = (try await site.node("a", hub.url), try await site.node("b", hub.url))
            for number in 1...6 {
                try a.append("create", Self.id(number), #"{"title":"F\#(number)","hasWatched":false}"#)
            }
            try await site.untilEqual([a, b], hub, count: 6)
            try await body(site, hub, a, b)
        }
    }

    private func reply<Reply: Decodable>(_ node: Node, _ arguments: [String], code: Int = 0) async throws -> Reply {
        let result = try await node.tool(arguments)
        #expect(result.code == code, "\(arguments): \(result.errors)")
        return try result.read(Reply.self)
    }

    /// Both nodes and an app change the first film, one after the other.
    private func changeOneFilm(_ site: Site, _ hub: Hub, _ a: Node, _ b: Node) async throws {
        try b.append("update", Self.id(1), #"{"title":"B's"}"#)
        try await a.untilRecords("the edit of b") { $0[Self.id(1)]?["title"] == "B's" }
        try await site.untilEqual([a, b], hub, count: 6)
        try await hub.write("PATCH", "/movies/\(Self.id(1))", #"{"hasWatched":true}"#)
        try await a.untilRecords("the app's edit") { $0[Self.id(1)]?["hasWatched"] == true }
        try await site.untilEqual([a, b], hub, count: 6)
    }

    @Test func `a history says who changed what, and why says it of each field`() async throws {
        try await withFilms { site, hub, a, b in
            try await changeOneFilm(site, hub, a, b)
            let other = try await b.status().node
            let history: HistoryReply = try await reply(a, ["history", Self.id(1)])
            #expect(history.complete && history.next == nil)
            let items = history.items.filter { $0.op != "conflict" }
            #expect(items.last?.op == "create" && items.last?.who == "this node" && items.last?.origin == "journal")
            let theirs = try #require(items.first { $0.fields.first?.name == "title" && $0.op == "update" })
            #expect(
                theirs.who == other && theirs.fields.map(\.before) == ["F1"] && theirs.fields.map(\.after) == ["B's"])
            #expect(items.contains { $0.fields.contains { $0.name == "hasWatched" && $0.after == true } })
            let shown = try await a.tool(["history", String(Self.id(1).prefix(36))], json: false).output
            #expect(shown.contains("title: F1 -> B's") && shown.contains("by \(other)"))

            let why: WhyReply = try await reply(a, ["why", Self.id(1)])
            let title = try #require(why.fields.first { $0.name == "title" })
            #expect(title.who == other && title.value == "B's" && title.onRemote == true && title.stamp != nil)
            try await a.tool(["pause", "push"])
            try a.append("update", Self.id(1), #"{"title":"Mine"}"#)
            try await a.until("it waits") { $0.pending == 1 }
            let pending: WhyReply = try await reply(a, ["why", Self.id(1)])
            let mine = try #require(pending.fields.first { $0.name == "title" })
            #expect(mine.who == "this node" && mine.onRemote == false && mine.remote == "B's")
            let text = try await a.tool(["why", Self.id(1)], json: false).output
            #expect(text.contains("this node") && text.contains("B's") && text.contains("push is paused"))
        }
    }

    @Test func `what was changed in a span is taken back everywhere, tried first`() async throws {
        try await withFilms { site, hub, a, b in
            let since = "\(Moment.now())"
            try a.append("update", Self.id(1), #"{"title":"Wrong"}"#)
            try a.append("delete", Self.id(2))
            try b.append("create", Self.id(7), #"{"title":"New","hasWatched":false}"#)
            try await a.until("the new film") { $0.collections["movies"]?.records == 6 }
            try await site.untilEqual([a, b], hub, count: 6)
            let until = "\(Moment.now())"
            try b.append("update", Self.id(1), #"{"hasWatched":true}"#)
            try await site.untilEqual([a, b], hub, count: 6)
            try await a.untilRecords("the edit of b") { $0[Self.id(1)]?["hasWatched"] == true }
            let before = try await hub.records()

            let span = ["undo", "--since", since, "--until", until]
            let tried: UndoReply = try await reply(a, span + ["--dry-run"])
            #expect(tried.count == 3 && tried.deletes == 1 && tried.leftCount == 0 && !tried.done)
            let text = try await a.tool(span + ["--dry-run"], json: false).output
            #expect(text.contains("title: Wrong -> F1") && text.contains("nothing is changed"))
            #expect(try await hub.records() == before)
            let done: UndoReply = try await reply(a, span)
            #expect(done.done && done.records == tried.records)
            try await site.untilEqual([a, b], hub, count: 6)
            let after = try await hub.records()
            #expect(after[Self.id(1)] == ["title": "F1", "hasWatched": true])
            #expect(after[Self.id(2)] == ["title": "F2", "hasWatched": false] && after[Self.id(7)] == nil)
            let nothing: UndoReply = try await reply(a, span + ["--dry-run"])
            #expect(nothing.count == 0)
        }
    }

    @Test func `only what apps did, or one node, is taken back, and not what was changed since`() async throws {
        try await withFilms { site, hub, a, b in
            let since = "\(Moment.now())"
            for number in 1...2 {
                try await hub.write("PATCH", "/movies/\(Self.id(number))", #"{"title":"App's"}"#)
                try await a.untilRecords("the app's edit") { $0[Self.id(number)]?["title"] == "App's" }
            }
            try b.append("update", Self.id(3), #"{"title":"B's"}"#)
            try await a.untilRecords("the edit of b") { $0[Self.id(3)]?["title"] == "B's" }
            try a.append("update", Self.id(2), #"{"title":"Mine"}"#)
            try await site.untilEqual([a, b], hub, count: 6)
            let node = try await b.status().node
            let theirs: UndoReply = try await reply(a, ["undo", "--since", since, "--from", node, "--dry-run"])
            #expect(theirs.records.map(\.id) == [Self.id(3)])
            let apps: UndoReply = try await reply(a, ["undo", "--since", since, "--from", "app"])
            #expect(apps.records.map(\.id) == [Self.id(1)])
            #expect(apps.left.map(\.id) == [Self.id(2)] && apps.left.map(\.field) == ["title"])
            try await a.untilRecords("as it was") { $0[Self.id(1)]?["title"] == "F1" }
            try await site.untilEqual([a, b], hub, count: 6)
            let records = try await hub.records()
            #expect(records[Self.id(2)]?["title"] == "Mine" && records[Self.id(3)]?["title"] == "B's")
        }
    }

    @Test(arguments: [true, false]) func `too many deletes wait for an answer`(_ approved: Bool) async throws {
        try await withFilms { site, hub, a, b in
            let tried = try await a.tool(["undo", "--since", "1h", "--dry-run"], json: false)
            #expect(tried.code == 0 && tried.output.contains("6 deletes at once would wait in a hold"))
            let waits: UndoReply = try await reply(a, ["undo", "--since", "1h"], code: 77)
            #expect(waits.deletes == 6 && waits.waiting == 6 && waits.holds.count == 1)
            let hold = try #require(waits.holds.first)
            #expect(try await a.records().count == 6)
            #expect(try await a.tool([approved ? "approve" : "reject", "\(hold)"]).code == 0)
            try await site.untilEqual([a, b], hub, count: approved ? 0 : 6)
        }
    }

    @Test func `what was restored from the ledger is marked`() async throws {
        try await withFilms { site, hub, a, b in
            try await a.tool(["pause", "push"])
            try a.append("update", Self.id(1), #"{"title":"Earlier"}"#)
            try await a.until("the edit") { $0.collections["movies"]?.pending == 1 }
            try b.append("update", Self.id(1), #"{"title":"Later"}"#)
            try await a.untilRecords("the later title") { $0[Self.id(1)]?["title"] == "Later" }
            try await a.tool(["resume", "push"])
            try await site.untilEqual([a, b], hub, count: 6)
            let conflict = try #require(try await a.list("conflicts").first)
            #expect(conflict["restored"] == false && conflict["fields"] == ["title"])
            let number = "\(try #require(conflict["id"]?.whole))"
            let before = try await a.tool(["conflicts"], json: false).output
            #expect(before.contains("Earlier") && before.contains("Later") && !before.contains("restored"))
            #expect(try await a.tool(["restore", number]).code == 0)
            try await b.untilRecords("what had lost") { $0[Self.id(1)]?["title"] == "Earlier" }
            #expect(try await a.list("conflicts").first { $0["id"] == conflict["id"] }?["restored"] == true)
            #expect(try await a.tool(["conflicts"], json: false).output.contains("restored"))
            let history: HistoryReply = try await reply(a, ["history", Self.id(1)])
            #expect(history.items.contains { $0.op == "conflict" && $0.rule == "laterStamp" })
        }
    }

    @Test(
        arguments: [
            (["history", "zz"], 64), (["history", id(99)], 66), (["why", id(99)], 66), (["undo"], 64),
            (["undo", "--since", "yesterday"], 64), (["undo", "--since", "1h", "--from", "nobody"], 64),
            (["undo", "--since", "1h", "--until", "2h"], 64), (["holds", "1"], 64),
            (["approve", "1", "--dry-run"], 65),
            (["reject", "0", "--dry-run"], 64), (["quarantine", "show", "1"], 65), (["quarantine", "show", "x"], 64),
            (["quarantine", "retry"], 64), (["quarantine", "drop", "1", "--all"], 64), (["restore", "1"], 65),
            (["history", "6F96"], 65), (["history", id(1), "--limit", "0"], 64), (["verify", "now"], 64),
        ] as [([String], Int)])
    func `a mistake is one line and a code`(_ arguments: [String], _ code: Int) async throws {
        try await withFilms { _, _, a, _ in
            let result = try await a.tool(arguments, json: false)
            #expect(result.code == code, "\(result.errors)")
            #expect(result.output.isEmpty)
            if code != 64 { #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)") }
        }
    }
}
