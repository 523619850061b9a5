import ControlAPI
import ControlTestSupport
import Logging
import NIOCore
import OperatingSystem
import SyncModel
import TestSupport
import Testing
import WebFace

@testable import Daemon

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct WebDoorTests {
    private struct Opened {
        let door: WebDoor

        /// The status of the library under a name of this machine, at a port of the machine.
        func status(_ port: Int, host: String = "localhost") async throws -> String {
            let answer = try await exchange(
                "GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n",
                at: SocketAddress(ipAddress: "127.0.0.1", port: port))
            return String(answer.prefix(12))
        }

        func port() throws -> Int {
            let place = try #require(try door.link(opening: false).url.split(separator: "/").dropFirst().first)
            return try #require(place.split(separator: ":").last.flatMap { Int($0) })
        }
    }

    private static func wish(_ port: Int?, hosts: [String] = []) -> WebDoor.Wish {
        .init(listen: port.map { ListenAddress(host: "127.0.0.1", port: $0) }, settings: WebSettings(hosts: hosts))
    }

    private func withDoor(
        _ wish: WebDoor.Wish, inherited: [Int32] = [], _ body: (Opened) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let service = FakeControlService(FakeControlService.State())
            let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            let door = WebDoor(wish, inherited: inherited, logger: logger) { listeners, settings in
                try WebFace(
                    listeners, settings, sessions: "\(folder)/sessions.json",
                    DaemonServices(
                        service: service, catalogs: FakeCatalogService(), artwork: NoArtwork(),
                        status: { service.status() }),
                    .init(wall: { FakeControlService.moment.milliseconds }, sleep: sleepWhileTimeStands),
                    logger: logger)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await door.run() }
                try await body(Opened(door: door))
                group.cancelAll()
            }
        }
    }

    @Test func `a page that moves is at the new place alone, and frees the old one first`() async throws {
        let other = try TCPListener.bind(host: "127.0.0.1", port: 0)
        let first = Int(try LastingPort.free())
        try await withDoor(Self.wish(first)) { opened in
            #expect(try await opened.status(first) == "HTTP/1.1 401")
            // A place that is taken: as at the start, everything else goes on.
            await opened.door.configure(Self.wish(other.port))
            #expect(throws: ControlError.self) { try opened.door.link(opening: true) }
            let again = try TCPListener.bind(host: "127.0.0.1", port: first)
            #expect(again.port == first)
            await opened.door.configure(Self.wish(0))
            #expect(try await opened.status(try opened.port()) == "HTTP/1.1 401")
            await opened.door.configure(Self.wish(nil))
            #expect(throws: ControlError.webOff) { try opened.door.link(opening: false) }
        }
    }

    @Test func `a page whose place was taken is served when that is free, and asked for again`() async throws {
        try await withDoor(Self.wish(nil)) { opened in
            var other: TCPListener? = try TCPListener.bind(host: "127.0.0.1", port: 0)
            let port = try #require(other?.port)
            await opened.door.configure(Self.wish(port))
            opened.door.retry()
            #expect(opened.door.trouble?.contains("another program listens there") == true)
            withExtendedLifetime(other) {}
            other = nil
            opened.door.retry()
            #expect(opened.door.trouble == nil)
            let status = try await opened.status(port)
            #expect(status == "HTTP/1.1 401")
        }
    }

    @Test func `a page moves to an address that shares its port`() async throws {
        let port = Int(try LastingPort.free())
        try await withDoor(Self.wish(port)) { opened async throws in
            var wish = Self.wish(port)
            wish.listen?.host = "0.0.0.0"
            await opened.door.configure(wish)
            #expect(try opened.port() == port)
            #expect(try await opened.status(port) == "HTTP/1.1 401")
        }
    }

    @Test func `other names are obeyed at once, where the page is`() async throws {
        try await withDoor(Self.wish(nil)) { opened in
            _ = try opened.door.link(opening: true)
            let port = try opened.port()
            #expect(try await opened.status(port, host: "films.home") == "HTTP/1.1 403")
            await opened.door.configure(Self.wish(nil, hosts: ["films.home"]))
            #expect(try await opened.status(port, host: "films.home") == "HTTP/1.1 401")
        }
    }

    @Test func `sockets of the service manager count more than the configuration`() async throws {
        let sockets = try (0..<2).map { _ in try TCPListener.bind(host: "127.0.0.1", port: 0) }
        let inherited = try sockets.map { try $0.descriptor.duplicate() }
        try await withDoor(Self.wish(0), inherited: inherited) { opened in
            let port = try opened.port()
            #expect(port == sockets[0].port)
            await opened.door.configure(Self.wish(nil))
            for socket in sockets {
                let status = try await opened.status(socket.port)
                #expect(status == "HTTP/1.1 401")
            }
        }
    }
}
