import DatabaseTree
import FirebaseWire
import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import DatabaseServer

/// What waits for a client that asks for more than it reads.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct SocketOutboxTests {
    private func reading() -> SocketReading {
        SocketReading(Root("db"), Subscription(path: .root, query: nil, isExport: true, wire: .socket), answering: 1)
    }

    private func full() async -> SocketOutbox {
        let outbox = SocketOutbox(limit: 1_000_000) { _ in }
        for _ in 0..<SocketOutbox.mostReadings {
            await outbox.room()
            outbox.add(reading())
        }
        return outbox
    }

    @Test func `who is to add one reading more waits until one has gone out`() async {
        let outbox = await full()
        let events = Mutex<[String]>([])
        async let entering: Void = {
            await outbox.room()
            events.withLock { $0.append("room") }
        }()
        for _ in 0..<100 { await Task.yield() }
        events.withLock { $0.append("sent") }
        outbox.sent(reading())
        await entering
        #expect(events.withLock(\.self) == ["sent", "room"])
    }

    @Test func `nobody waits for room after the end`() async {
        let outbox = await full()
        async let entering: Void = outbox.room()
        outbox.finish()
        await entering
        await outbox.room()
    }

    // MARK: With a server

    private static let asked = 3 * SocketOutbox.mostReadings
    private static let text = "\"" + String(repeating: "x", count: 50_000) + "\""

    @Test func `who asks for much at once gets all of it as it reads`() async throws {
        try await withServer { client in
            try await Step("PUT /m.json?print=silent", Self.text, [:], 204).perform(client)
            try await client.withSocket("v=5") { socket in
                var numbers: [Int] = []
                for _ in 0..<Self.asked { numbers.append(try await socket.send("g", #"{"p":"/m"}"#)) }
                for number in numbers {
                    #expect(try await socket.answer(number) == #"{"d":\#(Self.text),"s":"ok"}"#)
                }
            }
        }
    }

    @Test func `who asks, never reads and goes leaves nothing undone`() async throws {
        try await withServer { client in
            try await Step("PUT /m.json?print=silent", Self.text, [:], 204).perform(client)
            let last = try await client.withSocket("v=5") { socket async throws -> String in
                _ = try await socket.ask("o", #"{"p":"/online","d":false}"#)
                for _ in 0..<Self.asked { try await socket.send("g", #"{"p":"/m"}"#) }
                return socket.hello["s"]?.text ?? ""
            }
            try await client.withSocket("v=5&ls=\(last)") { _ in
                try await Step("GET /online.json", nil, [:], 200, "false").perform(client)
            }
        }
    }
}
