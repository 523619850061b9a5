internal import Glibc
internal import NIOCore
internal import Synchronization

/// A TCP socket that listens, until the server takes it over.
final class ListeningSocket: Sendable {
    let port: Int
    private let descriptor: Mutex<CInt?>

    /// - Parameter port: 0 takes any free one. Throws `cannotBind`.
    init(host: String, port: Int) throws {
        let place = "\(host):\(port)"
        let address: SocketAddress
        do {
            address = try SocketAddress.makeAddressResolvingHost(host, port: port)
        } catch {
            throw LocalFirebaseError(
                .cannotBind, "can't listen on \(place): the host is unknown: check it", underlying: error
            )
        }
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(CInt(address.protocol.rawValue), kind, 0)
        var yes: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        let bound = address.withSockAddr { bind(descriptor, $0, socklen_t($1)) }
        guard bound == 0, listen(descriptor, 512) == 0, let port = ListeningSocket.port(of: descriptor) else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw LocalFirebaseError(
                .cannotBind, "can't listen on \(place): \(reason): choose another address, or stop what uses it"
            )
        }
        self.port = port
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        descriptor.withLock { descriptor in
            if let descriptor { close(descriptor) }
        }
    }

    /// Hands the descriptor over, once.
    func take() throws -> CInt {
        try descriptor.withLock { descriptor in
            guard let taken = descriptor else {
                throw LocalFirebaseError(.cannotBind, "this server has run already: make a new one")
            }
            descriptor = nil
            return taken
        }
    }

    /// The port in the socket's name: two bytes after the family, in IPv4 and IPv6 alike.
    private static func port(of descriptor: CInt) -> Int? {
        withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { name in
            var length = socklen_t(name.count)
            let base = name.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard getsockname(descriptor, base, &length) == 0, length >= 4 else { return nil }
            return Int(name[2]) << 8 | Int(name[3])
        }
    }
}
