internal import Glibc

/// A TCP socket that listens.
package struct TCPListener: Sendable {
    /// Listening; non-blocking where it was bound here.
    package let descriptor: Descriptor
    /// As it was asked for; of a socket that somebody else has bound, the address in numbers.
    package let host: String
    /// The real one, also where any free one was asked for.
    package let port: Int
    private let isInherited: Bool

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
                return try listening(at: address, host, place)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// A socket that somebody else has bound and is listening on; the listener owns it from now on.
    ///
    /// - Throws: where it has no address with a port.
    package init(inherited number: CInt) throws(SystemError) {
        descriptor = Descriptor(owning: number)
        isInherited = true
        guard let place = TCPListener.place(of: number) else { throw .last(TCPListener.operation) }
        (host, port) = place
    }

    /// More sockets that listen at the same address: what connects is spread over all of them, and each has a queue of its
    /// own of those that wait to be accepted. To be asked for once.
    ///
    /// - Returns: as many of `count` as can be had.
    package func companions(_ count: Int) -> [TCPListener] {
        var name = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &name) { bytes in
            guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                getsockname(descriptor.number, address, &length) == 0,
                // Only now, so that another program that listens there was noticed when this one was bound.
                TCPListener.set(SO_REUSEPORT, of: descriptor.number)
            else { return [] }
            return (0..<max(0, count)).compactMap { _ in
                let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
                let number = socket(CInt(address.pointee.sa_family), kind, 0)
                guard number >= 0 else { return nil }
                let socket = Descriptor(owning: number)
                guard TCPListener.set(SO_REUSEADDR, of: number), TCPListener.set(SO_REUSEPORT, of: number),
                    Glibc.bind(number, address, length) == 0, listen(number, TCPListener.backlog) == 0
                else { return nil }
                return TCPListener(descriptor: socket, host: host, port: port)
            }
        }
    }

    private static func set(_ option: CInt, of descriptor: CInt) -> Bool {
        var yes: CInt = 1
        return setsockopt(descriptor, SOL_SOCKET, option, &yes, socklen_t(MemoryLayout<CInt>.size)) == 0
    }

    private init(descriptor: Descriptor, host: String, port: Int) {
        self.descriptor = descriptor
        self.host = host
        self.port = port
        isInherited = false
    }

    /// Frees the address at once, whoever else holds the descriptor: a program that is being started holds all of them for
    /// a moment. A socket that somebody else has bound is left as it is, for it is theirs; a second call does nothing.
    package func stop() {
        if !isInherited { _ = shutdown(descriptor.number, CInt(SHUT_RDWR)) }
    }

    private static let operation = "listen on"
    /// So many may wait to be accepted: thousands of streams come back at once when a server starts again.
    private static let backlog: CInt = 4096

    /// Lets as many wait again on a socket that was taken over by somebody who asked for fewer. Where that fails, fewer
    /// wait.
    package static func raiseBacklog(of descriptor: CInt) { _ = listen(descriptor, backlog) }

    private static func listening(
        at address: addrinfo, _ host: String, _ place: String
    ) throws(SystemError) -> TCPListener {
        let kind = address.ai_socktype | CInt(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = socket(address.ai_family, kind, address.ai_protocol)
        guard number >= 0 else { throw .last(operation, place) }
        let socket = Descriptor(owning: number)
        _ = set(SO_REUSEADDR, of: number)
        guard Glibc.bind(number, address.ai_addr, address.ai_addrlen) == 0, listen(number, backlog) == 0 else {
            var failure = SystemError.last(operation, place)
            if failure.isAddressInUse {
                failure.detail = "another program listens there; stop it, or choose another address"
            }
            throw failure
        }
        guard let port = TCPListener.place(of: number)?.port else { throw .last(operation, place) }
        return TCPListener(descriptor: socket, host: host, port: port)
    }

    /// The socket's own address in numbers, and its port; nil for what has none.
    private static func place(of descriptor: CInt) -> (host: String, port: Int)? {
        var name = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &name) { bytes in
            let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard getsockname(descriptor, base, &length) == 0 else { return nil }
            let host = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text -> String? in
                guard let base, let start = text.baseAddress,
                    getnameinfo(base, length, start, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
                else { return nil }
                return String(cString: start)
            }
            // Two bytes after the family, in IPv4 and IPv6 alike.
            return host.map { ($0, Int(bytes[2]) << 8 | Int(bytes[3])) }
        }
    }
}
