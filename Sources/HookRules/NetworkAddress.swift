/// An address of the Internet Protocol, as far as it matters where a webhook may go.
package struct NetworkAddress: Hashable, Sendable {
    /// 4 or 16.
    package let bytes: [UInt8]

    /// Nil where there are neither 4 nor 16 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Why nothing connects to a host.
    package enum Refusal: Error, Hashable, Sendable {
        case hasNone
        /// One that is not public, perhaps beside others that are: a name that means both is a trap.
        case isPrivate(NetworkAddress)
    }

    /// The addresses of a host that may be connected to, from its addresses as bytes.
    package static func admitted(
        _ found: [[UInt8]], allowPrivate: Bool
    ) throws(Refusal) -> (first: NetworkAddress, others: [NetworkAddress]) {
        let addresses = found.compactMap(NetworkAddress.init(bytes:))
        guard let first = addresses.first else { throw .hasNone }
        if !allowPrivate, let closed = addresses.first(where: \.isPrivate) { throw .isPrivate(closed) }
        return (first, Array(addresses.dropFirst()))
    }

    /// Networks that are no part of the public Internet: this machine, private and local ones, and those for special uses
    /// (the registries of RFC 6890).
    private static let closed4: [(UInt32, Int)] = [
        (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
        (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15),
        (0xC633_6400, 24), (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
    ]

    /// Whether it is one of this machine or of a network that is not public.
    package var isPrivate: Bool {
        if bytes.count == 4 { return NetworkAddress.isPrivate4(bytes[...]) }
        // What carries an address of the older version within: mapped, translated (RFC 6052), 6to4.
        if bytes[0..<10].allSatisfy({ $0 == 0 }) { return bytes[10] != 0xFF || NetworkAddress.isPrivate4(bytes[12...]) }
        if bytes[0..<12] == [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] {
            return NetworkAddress.isPrivate4(bytes[12...])
        }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return NetworkAddress.isPrivate4(bytes[2..<6]) }
        // Only 2000::/3 is given out; of that, not what is for documentation and for tunnels.
        let isTunnel = bytes[0..<4] == [0x20, 0x01, 0, 0]
        let isDocumentation = bytes[0..<4] == [0x20, 0x01, 0x0D, 0xB8]
        return bytes[0] & 0xE0 != 0x20 || isTunnel || isDocumentation
    }

    private static func isPrivate4(_ bytes: ArraySlice<UInt8>) -> Bool {
        let address = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return closed4.contains { network, length in (address ^ network) >> UInt32(32 - length) == 0 }
    }

    /// The text form.
    package var text: String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2).map { index in
            String(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]), radix: 16)
        }.joined(separator: ":")
    }
}
