import ControlAPI
import FoundationEssentials
import SyncModel
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// A network and a hub that fail in the ways they do.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct NetworkTests {
    private static let id = "6F9619FF-8B86-4011-B42D-00C04FC964FF"

    private static func id(_ number: Int) -> String { "6F9619FF-8B86-4011-B42D-0000000" + String(10_000 + number) }

    private static func film(_ number: Int) -> String {
        #"{"op":"create","id":"\#(id(number))","fields":{"title":"F\#(number)","hasWatched":false}}"# + "\n"
    }

    private func withProxy(
        _ settings: NodeSettings = NodeSettings(), started: Bool = true,
        _ body: (Site, Hub, FaultyProxy, Node) async throws -> Void
    ) async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let proxy = try await site.proxy(to: hub)
            let node = try await site.node("a", proxy.url, settings, started: started)
            try await body(site, hub, proxy, node)
        }
    }

    @Test func `what was appended while the hub was down is caught up`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            try await hub.kill()
            let node = try await site.node("a", hub.url)
            for number in 1...30 { try node.append(Self.film(number)) }
            try await node.until("30 pending, the remote down") {
                $0.collections["movies"]?.pending == 30 && $0.remote.stream == .down && $0.remote.lastError != nil
            }
            #expect(try await node.tool(["health"]).code == 1)
            try await hub.start()
            try await node.until("all is there") { $0.pending == 0 && $0.remote.stream == .live }
            try await site.untilEqual([node], hub, count: 30)
            #expect(try await node.status().remote.lastError == nil)
            #expect(try await node.tool(["health"]).code == 0)
        }
    }

    @Test func `a hub that dies while edits go on is caught up with`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let (a, b) = (try await site.node("a", hub.url), try await site.node("b", hub.url))
            for round in 0..<5 {
                for number in 1...40 { try a.append(Self.film(round * 100 + number)) }
                try await hub.kill()
                for number in 41...60 { try b.append(Self.film(round * 100 + number)) }
                try await hub.start()
            }
            for node in [a, b] { try await node.until("300 films") { $0.collections["movies"]?.records == 300 } }
            try await site.untilEqual([a, b], hub, count: 300)
        }
    }

    @Test(arguments: ["PATCH", "PUT", "DELETE"]) func `a lost reply is no double and no loss`(_ method: String)
        async throws
    {
        try await withProxy { site, hub, proxy, node in
            try node.append("create", Self.id, #"{"title":"F","hasWatched":false}"#)
            if method != "PATCH" { try await node.settled() }
            proxy.behave(times: 3) { $0.method == method && $0.uri.contains("/movies") ? .loseReply : nil }
            switch method {
            case "PUT": try node.append("update", Self.id, #"{"title":"G"}"#)
            case "DELETE": try node.append("delete", Self.id)
            default: break
            }
            try await site.untilEqual([node], hub, count: method == "DELETE" ? 0 : 1)
            let feed = Site.text(of: node.state.appending("changes.jsonl")).split(separator: "\n")
            #expect(feed.count == (method == "PATCH" ? 1 : 2))
            #expect(try await node.status().collections["movies"]?.conflicts == 0)
        }
    }

    @Test(arguments: [Fault.cut, .loseReply, .answer(500), .answer(502), .answer(504), .answer(429)])
    func `everything arrives where every third request fails`(_ fault: Fault) async throws {
        try await withProxy { site, hub, proxy, node in
            let counter = Ticker()
            proxy.behave { !$0.isStream && counter.next() % 3 == 0 ? fault : .pass }
            for number in 1...50 { try node.append(Self.film(number)) }
            try await node.until("50 films") { $0.collections["movies"]?.records == 50 && $0.pending == 0 }
            for number in 1...6 { try node.append("update", Self.id(number), #"{"hasWatched":true}"#) }
            for number in 48...50 { try node.append("delete", Self.id(number)) }
            try await site.untilEqual([node], hub, count: 47)
            #expect(try await node.status().collections["movies"]?.conflicts == 0)
            #expect(try await node.list("quarantine").isEmpty)
        }
    }

    @Test func `a server that asks for patience is given it`() async throws {
        try await withProxy { site, hub, proxy, node in
            try await node.settled()
            proxy.behave { $0.isWrite ? .answer(503, headers: ["Retry-After": "3"], body: "busy") : .pass }
            let before = proxy.requests.count
            let start = ContinuousClock.now
            try node.append(Self.film(1))
            let status = try await node.until("it backs off") { $0.remote.retryAt != nil }
            let wait = Int64(status.remote.retryAt?.milliseconds ?? 0) - Int64(Moment.now().milliseconds)
            #expect((1_500...4_500).contains(wait), "\(wait)")
            #expect(status.remote.lastError?.contains("503") ?? false, "\(status.remote.lastError ?? "")")
            #expect(status.collections["movies"]?.pending == 1)
            proxy.behave { _ in .pass }
            try await node.until("the film is there") { $0.pending == 0 }
            #expect(start.duration(to: .now) > .milliseconds(2_500))
            #expect(proxy.requests.count - before <= 4)
            try await site.untilEqual([node], hub, count: 1)
        }
    }

    @Test func `a refused credential is said and nothing is quarantined`() async throws {
        try await withProxy { site, hub, proxy, node in
            try await node.settled()
            proxy.behave { $0.isStream ? .pass : .answer(401, body: #"{"error":"Permission denied"}"#) }
            for number in 1...10 { try node.append(Self.film(number)) }
            let status = try await node.until("it says so") { $0.remote.lastError != nil }
            #expect(status.remote.lastError?.contains("ermission denied") ?? false, "\(status.remote.lastError ?? "")")
            #expect(try await node.list("quarantine").isEmpty)
            proxy.behave { _ in .pass }
            try await node.tool(["sync"])
            try await site.untilEqual([node], hub, count: 10)
        }
    }

    @Test func `a record that the server refuses is quarantined and the rest goes on`() async throws {
        try await withProxy { site, hub, proxy, node in
            proxy.behave { $0.body.contains("forbidden") ? .answer(400, body: #"{"error":"bad title"}"#) : .pass }
            try node.append((1...10).map(Self.film).joined())
            try node.append("create", Self.id, #"{"title":"forbidden","hasWatched":false}"#)
            try node.append((11...20).map(Self.film).joined())
            try await node.until("20 films are there") { $0.collections["movies"]?.quarantined == 1 }
            try await hub.untilRecords("the others") { $0.count == 20 }
            let item = try await node.list("quarantine").first
            #expect(item?["record"]?.text == Self.id)
            #expect(item?["source"] == "push")
            #expect(item?["reason"]?.text?.contains("bad title") ?? false)
            #expect(try await node.tool(["why", String(Self.id.prefix(30)), "--json"]).output.contains("bad title"))
            let number = try #require(item?["id"]?.whole)
            #expect(try await node.tool(["quarantine", "drop", "\(number)"]).code == 0)
            #expect(try await node.control("GET", "/v1/records/movies/\(Self.id)").status == 404)
            #expect(try await node.list("conflicts").first?["rule"] == "dropped")
            try await node.settled()
            try node.append("create", Self.id, #"{"title":"F","hasWatched":false}"#)
            try await site.untilEqual([node], hub, count: 21)
            #expect(try await node.list("quarantine").isEmpty)
        }
    }

    @Test func `a stream that is cut is opened again and misses nothing`() async throws {
        try await withProxy { site, hub, proxy, node in
            try await node.settled()
            for round in 1...5 {
                proxy.cut()
                try await hub.write(
                    "PUT", "/movies/\(Self.id(round))",
                    #"{"identifier":"\#(Self.id(round))","title":"F","hasWatched":false}"#)
                try await node.until("film \(round)") { $0.collections["movies"]?.records == round }
            }
            try await site.untilEqual([node], hub, count: 5)
        }
    }

    @Test func `an incremental node fetches only what changed while it was down`() async throws {
        var settings = NodeSettings()
        settings.pull = "incremental"
        try await withProxy(settings, started: false) { site, hub, proxy, node in
            let b = try await site.node("b", hub.url)
            try b.append((1...500).map(Self.film).joined())
            try await b.settled()
            try await node.start()
            try await node.until("500 films") { $0.collections["movies"]?.records == 500 }
            // The cursor includes the millisecond of the newest write for a while: that must not be the 500.
            try b.append(Self.film(600))
            try await node.until("one more") { $0.collections["movies"]?.records == 501 }
            try await node.settled()
            let whole = proxy.received
            try await node.stop()
            let before = proxy.received
            try await node.start()
            try await node.settled()
            let again = proxy.received - before
            #expect(again * 20 < whole, "\(again) of \(whole) bytes")
            try await node.stop()
            try b.append("update", Self.id(7), #"{"hasWatched":true}"#)
            try b.append("delete", Self.id(8))
            try b.append(Self.film(501))
            try await b.settled()
            try await node.start()
            try await site.untilEqual([node, b], hub, count: 501)
            #expect(try await node.records()[Self.id(7)]?["hasWatched"] == true)
        }
    }

    @Test func `a proxy that removes ETags is named, and the edit waits for them`() async throws {
        try await withProxy { site, hub, proxy, node in
            try node.append(Self.film(1))
            try await site.untilEqual([node], hub, count: 1)
            proxy.behave { _ in .withoutETag }
            try node.append("update", Self.id(1), #"{"hasWatched":true}"#)
            try await node.until("the reason") { $0.remote.lastError?.contains("has no ETag") ?? false }
            let asked = proxy.requests.filter { !$0.isStream && $0.uri.contains(Self.id(1)) }.count
            #expect(asked < 20, "asked \(asked) times")
            #expect(try await node.status().pending == 1)
            proxy.behave { _ in .pass }
            try await site.untilEqual([node], hub, count: 1)
            #expect(try await hub.records()[Self.id(1)]?["hasWatched"] == true)
        }
    }

    @Test func `a page too large for one answer is halved`() async throws {
        var settings = NodeSettings()
        settings.pull = "incremental"
        try await withProxy(settings, started: false) { site, hub, proxy, node in
            let b = try await site.node("b", hub.url)
            try b.append((1...300).map(Self.film).joined())
            try await b.settled()
            proxy.behave { request in
                guard let limit = request.uri.split(separator: "limitToFirst=").dropFirst().first,
                    let count = Int(limit.prefix { $0.isNumber }), count > 130
                else { return .pass }
                let words = "Data requested exceeds the maximum size that can be accessed with a single request."
                return .answer(400, body: #"{"error":"\#(words)"}"#)
            }
            try await node.start()
            try await site.untilEqual([node, b], hub, count: 300)
        }
    }

    @Test func `idle means no request and no write`() async throws {
        try await withProxy { site, hub, proxy, node in
            let b = try await site.node("b", proxy.url)
            try node.append((1...50).map(Self.film).joined())
            try await hub.write(
                "PUT", "/movies/\(Self.id)", #"{"identifier":"\#(Self.id)","title":"F","hasWatched":false}"#)
            try await site.untilEqual([node, b], hub, count: 51)
            func counts() async throws -> [String] {
                var counts = ["\(proxy.requests.count)", "\(proxy.received)"]
                for node in [node, b] {
                    let status = try await node.status()
                    counts.append("\(status.remote.requests) \(status.lastChange)")
                    for file in ["state.sqlite", "state.sqlite-wal", "changes.jsonl"] {
                        let path = node.state.appending(file).string
                        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
                        counts.append("\(file) \(attributes?[.modificationDate] ?? "") \(attributes?[.size] ?? "")")
                    }
                }
                return counts
            }
            // Cursors, memory and watermarks settle for a moment after the last change.
            var last: [String] = []
            let deadline = ContinuousClock.now + .seconds(30)
            while try await counts() != last {
                try #require(ContinuousClock.now < deadline, "no four quiet seconds: \(last)")
                last = try await counts()
                try await proxy.untilQuiet(for: .seconds(4))
            }
        }
    }
}

/// Counts from one.
final class Ticker: Sendable {
    private let count = Mutex(0)
    func next() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
}
