import ControlAPI
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// What people do about items that can't be processed, and what the daemon does by itself.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct QuarantineTests {
    private static func id(_ number: Int) -> String { "6F9619FF-8B86-4011-B42D-0000000\(10_000 + number)" }

    private func detail(_ node: Node, _ number: Int64) async throws -> QuarantineDetailReply {
        let result = try await node.tool(["quarantine", "show", "\(number)"])
        #expect(result.code == 0, "\(result.errors)")
        return try result.read(QuarantineDetailReply.self)
    }

    private func items(_ node: Node) async throws -> [QuarantineReply] {
        try await node.control("GET", "/v1/quarantine").read(Page<QuarantineReply>.self).items
    }

    @Test func `raw lines are shown, exported, corrected and tried again`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await site.node("a", hub.url)
            let lines = [
                #"{"op":"create","id":"\#(Self.id(1))","fields":{"title":"Ünclosed"}"#,
                #"{"op":"create","id":"\#(Self.id(2))","fields":{"title":7}}"#,
                #"{"op":"update","id":"\#(Self.id(3))","fields":{"hasWatched":true}}"#,
            ]
            try node.append(lines.map { $0 + "\n" }.joined())
            try await node.until("three in quarantine") { $0.journal.quarantined == 3 }
            let numbers = try await items(node).map(\.id)
            for (number, line) in zip(numbers, lines) {
                let shown = try await detail(node, number)
                #expect(shown.line == line && shown.isWhole && shown.item.file == node.journal.string)
                #expect(try await node.tool(["quarantine", "show", "\(number)"], json: false).output.contains(line))
            }
            let exported = try await node.tool(["quarantine", "export"], json: false)
            #expect(exported.output == lines.map { $0 + "\n" }.joined() && exported.errors.isEmpty)
            let one = try await node.tool(["quarantine", "export", "\(numbers[1])"], json: false)
            #expect(one.output == lines[1] + "\n")

            try node.append(
                exported.output.replacing("Ünclosed\"", with: "Closed\"}").replacing("7", with: "\"Seven\""))
            try await node.until("two films") { $0.collections["movies"]?.records == 2 }
            try await node.until("the update again") { $0.journal.quarantined == 4 }
            let dropped = numbers.map { "\($0)" }
            #expect(try await node.tool(["quarantine", "drop"] + dropped.prefix(2)).code == 0)
            #expect(try await node.tool(["quarantine", "retry", "--all"]).code == 65)
            #expect(try await items(node).allSatisfy { $0.attempts > 1 })
            try node.append("create", Self.id(3), #"{"title":"Third"}"#)
            try await node.untilRecords("the updates after it") { $0[Self.id(3)]?["hasWatched"] == true }
            #expect(try await items(node).isEmpty)
            try node.append("nonsense\n")
            try await node.until("one more") { $0.journal.quarantined == 1 }
            #expect(try await node.tool(["quarantine", "drop", "--all"]).code == 0)
            #expect(try await node.tool(["quarantine", "export", "--all"], json: false).output.isEmpty)
            #expect(try await node.tool(["health"]).code == 0)
        }
    }

    /// A node behind a proxy that refuses the second film, while it is told to.
    private func withRefused(
        _ body: (Site, Hub, FaultyProxy, Node) async throws -> Void
    ) async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let proxy = try await site.proxy(to: hub)
            let node = try await site.node("a", proxy.url)
            try node.append("create", Self.id(1), #"{"title":"One","hasWatched":false}"#)
            try await site.untilEqual([node], hub, count: 1)
            proxy.behave { request in
                guard ["PUT", "PATCH"].contains(request.method) else { return .pass }
                let isBad = request.body.contains(Self.id(2)) || request.uri.contains(Self.id(2))
                return isBad ? .answer(400, body: #"{"error":"too odd"}"#) : .pass
            }
            try node.append("create", Self.id(2), #"{"title":"Two","hasWatched":false}"#)
            try await node.until("in quarantine") { $0.collections["movies"]?.quarantined == 1 }
            try await body(site, hub, proxy, node)
        }
    }

    @Test func `what the remote refused is exported as a line that makes it again`() async throws {
        try await withRefused { site, hub, proxy, node in
            let item = try #require(try await items(node).first)
            #expect(item.source == .push && item.code == "refused" && item.reason.contains("too odd"))
            let shown = try await detail(node, item.id)
            #expect(shown.here?.fields["title"] == "Two" && shown.remote?.fields == nil)
            let line = try await node.tool(["quarantine", "export"], json: false).output
            #expect(try await node.tool(["quarantine", "drop", "--all"]).code == 0)
            proxy.behave { _ in .pass }
            try node.append(line)
            try await site.untilEqual([node], hub, count: 2)
        }
    }

    enum Occasion: CaseIterable { case reload, restart, retry }

    @Test(arguments: Occasion.allCases)
    func `it is tried again after a reload, at a start, and when a person asks`(_ occasion: Occasion) async throws {
        try await withRefused { site, hub, proxy, node in
            func tryAgain() async throws {
                switch occasion {
                case .reload: #expect(try await node.tool(["reload"]).code == 0)
                case .retry: #expect(try await node.tool(["quarantine", "retry", "--all"]).code == 0)
                case .restart:
                    try await node.stop()
                    try await node.start()
                }
            }
            let asked = proxy.requests.count
            try await tryAgain()
            try await proxy.until("another attempt", after: asked) {
                ["PUT", "PATCH"].contains($0.method) && ($0.uri + $0.body).contains(Self.id(2))
            }
            try await node.until("refused again") { $0.collections["movies"]?.quarantined == 1 }
            #expect(try await items(node).map(\.attempts) == [2])
            proxy.behave { _ in .pass }
            try await tryAgain()
            try await site.untilEqual([node], hub, count: 2)
            #expect(try await items(node).isEmpty)
        }
    }
}
