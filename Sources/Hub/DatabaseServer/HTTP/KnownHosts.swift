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
        if host.hasPrefix("[") {
            guard case .v6? = try? SocketAddress(ipAddress: String(host.dropFirst().dropLast()), port: 0) else {
                return false
            }
            return true
        }
        let parts = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 4 else { return false }
        // The last part stands for all bytes that no other part does.
        return parts.indices.allSatisfy { place in
            guard parts[place].allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(Substring(parts[place]))
            else { return false }
            return place < parts.count - 1 ? number < 256 : number < 1 << (8 * UInt64(5 - parts.count))
        }
    }

    /// The host of an authority that may say a port; nil where it is none (RFC 3986, section 3.2).
    static func host(of authority: String) -> Substring? {
        let isBracketed = authority.hasPrefix("[")
        guard let end = isBracketed ? authority.firstIndex(of: "]").map(authority.index(after:)) : authority.endIndex
        else { return nil }
        let host = isBracketed ? authority[..<end] : authority.prefix { $0 != ":" }
        let rest = authority[host.endIndex...]
        guard rest.isEmpty || (rest.hasPrefix(":") && rest.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) })
        else { return nil }
        return host
    }

    /// One spelling of a name: small letters, without the dot that ends a full one (RFC 1034, section 3.1).
    private static func name(_ text: String) -> String {
        (text.hasSuffix(".") ? String(text.dropLast()) : text).lowercased()
    }
}
