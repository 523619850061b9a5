internal import Dispatch
internal import Glibc

/// What addresses a name has.
package enum HostAddresses {
    /// The addresses of `host`, a name or a number, 4 or 16 bytes each; waits for whoever knows.
    ///
    /// - Throws: where nobody knows the host.
    package static func of(_ host: String) throws(SystemError) -> [[UInt8]] {
        var first: UnsafeMutablePointer<addrinfo>?
        var wanted = addrinfo()
        wanted.ai_socktype = CInt(SOCK_STREAM.rawValue)
        let answer = getaddrinfo(host, nil, &wanted, &first)
        guard answer == 0 else {
            let words = String(cString: gai_strerror(answer))
            throw SystemError(code: 0, operation: "find the host", path: host, detail: words)
        }
        defer { freeaddrinfo(first) }
        return sequence(first: first, next: { $0?.pointee.ai_next }).compactMap { $0.flatMap(bytes) }
    }

    /// What `find` says, beside the caller, who stops waiting when cancelled: how long the system asks others is its own
    /// matter.
    package static func found(
        by find: @escaping @Sendable () throws -> [[UInt8]]
    ) async throws -> [[UInt8]] {
        let (answers, answer) = AsyncThrowingStream<[[UInt8]], any Error>.makeStream()
        DispatchQueue.global().async {
            do {
                answer.yield(try find())
                answer.finish()
            } catch {
                answer.finish(throwing: error)
            }
        }
        for try await addresses in answers { return addresses }
        throw CancellationError()
    }

    private static func bytes(of entry: UnsafeMutablePointer<addrinfo>) -> [UInt8]? {
        guard let address = entry.pointee.ai_addr else { return nil }
        switch entry.pointee.ai_family {
        case AF_INET:
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
    }
}
