import Glibc

/// A port for what is ended and comes back at the same address.
package enum LastingPort {
    /// One that is free, below those that the system gives to clients as their own: while nobody listens at one of these,
    /// whoever tries to connect there may be given that very port, and be connected with itself. Then nobody else can listen
    /// there.
    package static func free() throws -> UInt16 {
        for _ in 0..<200 {
            let port = UInt16.random(in: 10_000..<32_000)
            if isFree(port) { return port }
        }
        throw TooLate("no free port below those of the system")
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
