internal import FirebaseWire
internal import NIOCore

/// The hosts by which a request may name the server.
///
/// A page in a browser can make a name of its own point to any address, and is then of one origin with what answers
/// there. It can't do that with a number, with `localhost`, or with a name that is not its own.
struct KnownHosts: Sendable {
    private let names: Set<String>

    init(_ names: some Sequence<String>) { self.names = Set(names.map(KnownHosts.name)) }

    /// - Parameter authority: a host, and perhaps a port; nil where the request says none, as no browser does.
    func contain(_ authority: String?) -> Bool {
        guard let authority else { return true }
        guard let host = KnownHosts.host(of: authority) else { return false }
        if KnownHosts.isNumber(host) { return true }
        let name = KnownHosts.name(String(host))
        return name == "localhost" || name.hasSuffix(".localhost") || names.contains(name)
    }

    /// Whether a host is an address: of IPv6 in brackets, or of IPv4 as browsers read it (URL Standard, section 3.5).
    static func isNumber(_ host: Substring) -> Bool {
        if host.utf8.first == UInt8(ascii: "[") {
            guard case .v6? = try? SocketAddress(ipAddress: String(host.dropFirst().dropLast()), port: 0) else {
                return false
            }
            return true
        }
        return host.utf8.withContiguousStorageIfAvailable(isVersion4) ?? isVersion4(Array(host.utf8))
    }

    private static func isVersion4(_ host: some Sequence<UInt8>) -> Bool {
        var (number, digits, parts) = (UInt64(0), 0, 1)
        for byte in host {
            switch byte {
            case UInt8(ascii: "."):
                // All parts but the last stand for a byte each.
                guard digits > 0, number < 256, parts < 4 else { return false }
                (number, digits, parts) = (0, 0, parts + 1)
            case 0x30...0x39:
                guard digits < 10 else { return false }
                (number, digits) = (number * 10 + UInt64(byte - 0x30), digits + 1)
            default: return false
            }
        }
        // The last one stands for all bytes that no other part does.
        return digits > 0 && number < 1 << (8 * UInt64(5 - parts))
    }

    /// The host of an authority that may say a port; nil where it is none (RFC 3986, section 3.2).
    static func host(of authority: String) -> Substring? {
        let bytes = authority.utf8
        var end = authority.place(of: ":") ?? bytes.endIndex
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            end = bytes.index(after: bracket)
        }
        let (host, rest) = (authority[..<end], bytes[end...])
        guard
            rest.isEmpty
                || (rest.first == UInt8(ascii: ":") && rest.dropFirst().allSatisfy { (0x30...0x39).contains($0) })
        else { return nil }
        return host
    }

    /// One spelling of a name: small letters, without the dot that ends a full one (RFC 1034, section 3.1).
    private static func name(_ text: String) -> String {
        (text.hasSuffix(".") ? String(text.dropLast()) : text).lowercased()
    }
}
