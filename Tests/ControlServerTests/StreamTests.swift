import ControlAPI
import ControlServer
import ControlTestSupport
import Logging
import NIOCore
import OperatingSystem
import ServiceLifecycle
import TestSupport
import Testing

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct StreamTests {
    private static let listen =
        "GET /v1/changes?after=1 HTTP/1.1\r\nHost: moviesync\r\nAccept: text/event-stream\r\n"

    @Test func `an event stream shows old changes and goes on live`() async throws {
        let service = FakeControlService.full()
        try await withServedSocket(service) { socket in
            let reply = try await exchange(StreamTests.listen + "\r\n", at: socket) { text in
                // The third change happens when the second one has arrived.
                if text.contains("id: 2\n"), !text.contains("id: 3\n") { service.publish(FakeControlService.change(3)) }
                return text.contains("id: 3\n") && text.hasSuffix("\n\n\r\n")
            }
            #expect(reply.status == 200)
            #expect(reply.head.lowercased().contains("content-type: text/event-stream"))
            #expect(!reply.body.contains("id: 1\n"))
            #expect(reply.body.contains("id: 2\ndata: {\"at\":\"2026-11-20T20:15:04.120Z\""))
        }
    }

    @Test(arguments: ["", "?after=0"])
    func `a cut stream is taken up where it ended, also where its address says where it began`(
        query: String
    ) async throws {
        let service = FakeControlService.full()
        try await withServedSocket(service) { socket in
            let request =
                "GET /v1/changes\(query) HTTP/1.1\r\nHost: a\r\n"
                + "Accept: text/event-stream\r\nLast-Event-ID: 1\r\n\r\n"
            let reply = try await exchange(request, at: socket) { $0.contains("id: 2\n") }
            #expect(!reply.body.contains("id: 1\n"))
        }
    }

    @Test func `a listener that leaves is let go`() async throws {
        let service = FakeControlService.full()
        try await withServedSocket(service) { socket in
            _ = try await exchange(StreamTests.listen + "\r\n", at: socket) { $0.contains("id: 2\n") }
            #expect(await service.calls.contains("listener gone"))
        }
    }

    @Test func `a listener that never reads holds nobody up`() async throws {
        let service = FakeControlService.full()
        try await withServedSocket(service) { socket in
            let listener = try await connect(to: SocketAddress(unixDomainSocketPath: socket))
            try await listener.executeThenClose { _, outbound in
                try await outbound.write(ByteBuffer(string: StreamTests.listen + "\r\n"))
                #expect(await service.calls.contains("listening after 1"))
                for sequence in 3..<20_000 { service.publish(FakeControlService.change(Int64(sequence))) }
                #expect(try await ask("GET", "/v1/status", at: socket).status == 200)
                #expect(try await ask("POST", "/v1/sync", at: socket).status == 200)
            }
        }
    }

    @Test func `a stream the service ends is ended properly`() async throws {
        let service = FakeControlService.full()
        try await withServedSocket(service) { socket in
            let reply = try await exchange(StreamTests.listen + "\r\n", at: socket) { text in
                if text.contains("id: 2\n") { service.endStreams() }
                return false
            }
            #expect(reply.body.hasSuffix("0\r\n\r\n"))
        }
    }

    @Test func `who waits for a record and leaves is let go`() async throws {
        let service = FakeControlService.full()
        service.change { $0.neverAnswers = true }
        try await withServedSocket(service) { socket in
            let request = "GET /v1/records/movies/6F9?wait=100 HTTP/1.1\r\nHost: moviesync\r\n\r\n"
            await withTaskGroup(of: Void.self) { group in
                group.addTask { _ = try? await exchange(request, at: socket) }
                #expect(await service.calls.contains("wait movies/6F9 100.0 seconds"))
                group.cancelAll()
            }
            #expect(await service.calls.contains("gave up waiting"))
        }
    }

    @Test(arguments: ["", "Content-Length: 4\r\n", "Transfer-Encoding: chunked\r\n"])
    func `a client that goes away while it waits for a sync harms nobody`(_ headers: String) async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            for path in ["/v1/sync", "/v1/sync?wait=0"] {
                let request = "POST \(path) HTTP/1.1\r\nHost: moviesync\r\n\(headers)\r\n{} {"
                let address = try SocketAddress(unixDomainSocketPath: socket)
                for _ in 0..<10 { _ = try? await TestSupport.exchange(request, at: address, halfClosing: true) }
                #expect(try await ask("GET", "/v1/status", at: socket).status == 200)
            }
        }
    }

    @Test func `one connection carries many requests`() async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let one = "GET /v1/health HTTP/1.1\r\nHost: moviesync\r\n"
            let reply = try await exchange("\(one)\r\n\(one)\r\n\(one)Connection: close\r\n\r\n", at: socket)
            #expect(reply.body.components(of: #"{"level":"ok","reasons":[]}"#) == 3)
        }
    }

    /// Connections that were accepted but not served yet when the accept loop ended once took the process with them.
    @Test func `stopping while clients connect harms nobody`() async throws {
        for _ in 0..<20 {
            await withTaskGroup(of: Void.self) { clients in
                try? await withServedSocket(FakeControlService()) { socket in
                    for _ in 0..<20 { clients.addTask { _ = try? await ask("GET", "/v1/health", at: socket) } }
                    _ = try await ask("GET", "/v1/health", at: socket)
                }
            }
        }
    }

    @Test func `stopping ends open event streams at once`() async throws {
        try await withTemporaryFolder { folder in
            let listener = try UnixListener.bind(path: "\(folder)/control.sock")
            let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            let service = FakeControlService.full()
            let server = ControlServer(
                descriptor: listener.descriptor, service: service, allowedUIDs: [], logger: logger
            )
            let group = ServiceGroup(services: [server], logger: logger)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await group.run() }
                tasks.addTask { _ = try await exchange(StreamTests.listen + "\r\n", at: listener.path) }
                #expect(await service.calls.contains("listening after 1"))
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
            }
        }
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
