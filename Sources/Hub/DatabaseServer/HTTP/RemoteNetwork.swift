internal import NIOCore

/// Where a request comes from: an address, or in IPv6 the network of it that one customer is given whole.
struct RemoteNetwork: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Nil for what is no IP address.
    init?(_ address: SocketAddress?) {
        guard let address else { return nil }
        let all = address.withSockAddr { Array(UnsafeRawBufferPointer(start: $0, count: $1)) }
        switch address {
        // Behind family and port.
        case .v4: bytes = Array(all[4..<8])
        case .v6:
            // Behind family, port and flow.
            let isMapped = all[8...].starts(with: RemoteNetwork.mapped)
            bytes = Array(isMapped ? all[20..<24] : all[8..<16])
        case .unixDomainSocket: return nil
        }
    }

    /// What stands before an address of IPv4 that is spelled as one of IPv6.
    private static let mapped = Array(repeating: UInt8(0), count: 10) + [0xFF, 0xFF]
}
