import Glibc
import OperatingSystem
import TestSupport
import Testing

@Suite struct TCPListenerTests {
    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a free port is found, and is taken from then on`(host: String) throws {
        let listener = try TCPListener.bind(host: host, port: 0)
        #expect(listener.port > 0)
        let error = #expect(throws: SystemError.self) { try TCPListener.bind(host: host, port: listener.port) }
        #expect(error?.isAddressInUse == true)
        #expect(error?.description.hasPrefix("cannot listen on \(host):\(listener.port): another program") == true)
    }

    @Test func `the port of a listener that stops is free at once, whoever else holds its descriptor`() throws {
        let port = Int(try LastingPort.free())
        let listener = try TCPListener.bind(host: "127.0.0.1", port: port)
        let duplicate = Descriptor(owning: try listener.descriptor.duplicate())
        #expect(throws: SystemError.self) { try TCPListener.bind(host: "0.0.0.0", port: port) }
        listener.stop()
        let next = try TCPListener.bind(host: "0.0.0.0", port: port)
        let inherited = try TCPListener(inherited: try next.descriptor.duplicate())
        inherited.stop()
        #expect(throws: SystemError.self, "it is somebody else's") {
            try TCPListener.bind(host: "127.0.0.1", port: port)
        }
        withExtendedLifetime(duplicate) {}
    }

    @Test(.timeLimit(.minutes(1)))
    func `sockets that listen together let more clients wait than one does, and share their address with nobody else`()
        throws
    {
        let first = try TCPListener.bind(host: "127.0.0.1", port: 0)
        let all = [first] + first.companions(3)
        #expect(all.map(\.port) == Array(repeating: first.port, count: 4))
        for listener in all { #expect(listen(listener.descriptor.number, 64) == 0) }
        let clients = (0..<100).map { _ in Descriptor(owning: connecting(to: first.port)) }
        for client in clients {
            var wish = pollfd(fd: client.number, events: Int16(POLLOUT), revents: 0)
            #expect(poll(&wish, 1, 10_000) == 1, "nobody accepts, and one queue holds 65")
        }
        #expect(throws: SystemError.self) { try TCPListener.bind(host: "127.0.0.1", port: first.port) }
    }

    /// A connection that is under way.
    private func connecting(to port: Int) -> CInt {
        let client = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return client
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `a socket that somebody else has bound says where it listens`(host: String) throws {
        let bound = try TCPListener.bind(host: host, port: 0)
        let inherited = try TCPListener(inherited: try bound.descriptor.duplicate())
        #expect(inherited.host == host && inherited.port == bound.port)
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        #expect(throws: SystemError.self) { try TCPListener(inherited: file) }
    }

    @Test(arguments: [
        ("no.such.host.invalid", 1, "the host is unknown"), ("127.0.0.1", 70_000, "a port is 0 to 65535"),
    ])
    func `what can't be listened on is named`(host: String, port: Int, reason: String) {
        let error = #expect(throws: SystemError.self) { try TCPListener.bind(host: host, port: port) }
        #expect(error?.description.hasPrefix("cannot listen on \(host):\(port): \(reason)") == true)
    }
}
