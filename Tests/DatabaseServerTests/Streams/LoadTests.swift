import Foundation
import Logging
import TestSupport
import Testing

@testable import DatabaseServer

/// Many listeners, slow ones, and ones that go.
@Suite(.alone, .timeLimit(.minutes(5)), .serialized)
struct LoadTests {
    /// How many events a listener hears, of the wanted ones and in their order.
    private func heard(
        _ client: TestClient, _ path: String, _ events: Int, _ isReady: AsyncStream<Void>.Continuation
    ) async throws -> Int {
        try await client.listen(path) { frames in
            _ = try await frames.next()
            isReady.yield()
            var heard = 0
            while heard < events, try await frames.next() == #"put {"path":"/k\#(heard)","data":\#(heard)}"# {
                heard += 1
            }
            return heard
        }
    }

    @Test func `two thousand listeners hear every event in order`() async throws {
        let (count, events) = (2000, 3)
        // Nothing but the events is to come, however busy the machine is.
        try await withServer(options: { $0.keepAlive = .seconds(3600) }) { client in
            try await client.withOwnConnections { listeners in
                let (ready, isReady) = AsyncStream<Void>.makeStream()
                try await withThrowingTaskGroup(of: Int.self) { group in
                    var waiting = ready.makeAsyncIterator()
                    for number in 0..<count {
                        let query = number % 4 == 0 ? "?orderBy=%22$key%22&limitToLast=1000" : ""
                        group.addTask { try await heard(listeners, "/m.json\(query)", events, isReady) }
                        // No more than a hundred connect at the same time.
                        if number >= 100 { await waiting.next() }
                    }
                    for _ in 0..<100 { await waiting.next() }
                    for number in 0..<events { try await Step("PUT /m/k\(number).json", "\(number)").perform(client) }
                    for try await heard in group { #expect(heard == events) }
                }
            }
        }
    }

    @Test func `who never reads is cut, and the others hear everything`() async throws {
        let (logger, noted) = NotedEvents.make()
        let text = "\"" + String(repeating: "x", count: 500_000) + "\""
        try await withServer(options: { $0.listenerBuffer = 400_000 }, logger: logger) { client in
            try await client.listen("/m.json") { stuck in
                #expect(try await stuck.next() == #"put {"path":"/","data":null}"#)
                try await client.listen("/m.json") { frames in
                    _ = try await frames.next()
                    for number in 0..<40 {
                        try await Step("PUT /m/\(number).json?print=silent", text, [:], 204).perform(client)
                        #expect(try await frames.next() == #"put {"path":"/\#(number)","data":\#(text)}"#)
                    }
                }
                let cut = await noted.first { $0["event"] == "stream.listener.cut" }
                #expect(cut?["listener"] == "1")
                var count = 0
                while let _ = try? await stuck.next() { count += 1 }
                #expect(count < 40)
            }
        }
    }

    @Test func `a stream is forgotten when its client goes`() async throws {
        let (logger, noted) = NotedEvents.make()
        let count = 1000
        try await withServer(logger: logger) { client in
            for number in 0..<count {
                let query = number % 2 == 0 ? "" : "?orderBy=%22n%22&limitToFirst=\(number)"
                try await client.listen("/m/\(number % 7).json\(query)") { frames in _ = try await frames.next() }
            }
            let closed = noted.filter { $0["event"] == "stream.closed" }.prefix(count)
            let last = await closed.reduce(nil) { $1["open"] }
            #expect(last == "0")
        }
    }
}
