internal import Glibc

/// A TCP socket that listens.
package struct TCPListener: Sendable {
    /// Listening, non-blocking.
    package let descriptor: Descriptor
    /// The real one, also where any free one was asked for.
    package let port: Int

    /// Listens at the first address of `host`, a name or a number, that can be had.
    ///
    /// - Parameter port: 0 takes any free one.
    /// - Throws: where nobody knows the host, or none of its addresses can be had (``SystemError/isAddressInUse`` where
    ///   somebody else listens there); the message names host and port.
    package static func bind(host: String, port: Int) throws(SystemError) -> TCPListener {
        let place = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        guard let port = UInt16(exactly: port) else {
            throw SystemError(code: EINVAL, operation: operation, path: place, detail: "a port is 0 to 65535")
        }
        var first: UnsafeMutablePointer<addrinfo>?
        var wanted = addrinfo()
        wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        wanted.ai_socktype = CInt(SOCK_STREAM.rawValue)
        let answer = getaddrinfo(host, String(port), &wanted, &first)
        guard answer == 0 else {
            let words = String(cString: gai_strerror(answer))
            throw SystemError(
                code: EADDRNOTAVAIL, operation: operation, path: place,
                detail: "the host is unknown (\(words)); check it")
        }
        defer { freeaddrinfo(first) }
        var failure = SystemError(code: EADDRNOTAVAIL, operation: operation, path: place)
        for address in sequence(first: first, next: { $0?.pointee.ai_next }) {
            guard let address = address?.pointee else { break }
            do throws(SystemError) {
                return try listening(at: address, place)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private static let operation = "listen on"
    /// So many may wait to be accepted: thousands of streams come back at once when a server starts again.
    private static let backlog: CInt = 4096

    /// Lets as many wait again on a socket that was taken over by somebody who asked for fewer. Where that fails, fewer
    /// wait.
    package static func raiseBacklog(of descriptor: CInt) { _ = listen(descriptor, backlog) }

    private static func listening(at address: addrinfo, _ place: String) throws(SystemError) -> TCPListener {
        let kind = address.ai_socktype | CInt(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = socket(address.ai_family, kind, address.ai_protocol)
        guard number >= 0 else { throw .last(operation, place) }
        let socket = Descriptor(owning: number)
        var yes: CInt = 1
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        guard Glibc.bind(number, address.ai_addr, address.ai_addrlen) == 0, listen(number, backlog) == 0 else {
            var failure = SystemError.last(operation, place)
            if failure.isAddressInUse {
                failure.detail = "another program listens there; stop it, or choose another address"
            }
            throw failure
        }
        guard let port = port(of: number) else { throw .last(operation, place) }
        return TCPListener(descriptor: socket, port: port)
    }

    /// The port in the socket's name: two bytes after the family, in IPv4 and IPv6 alike.
    private static func port(of descriptor: CInt) -> Int? {
        var name = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &name) { bytes in
            let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard getsockname(descriptor, base, &length) == 0 else { return nil }
            return Int(bytes[2]) << 8 | Int(bytes[3])
        }
    }
}
