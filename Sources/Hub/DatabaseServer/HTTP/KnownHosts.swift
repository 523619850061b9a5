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
        if authority.utf8.first == UInt8(ascii: "[") || KnownHosts.isNumber(authority) { return true }
        let name = KnownHosts.name(String(authority.prefix { $0 != ":" }))
        return name == "localhost" || name.hasSuffix(".localhost") || names.contains(name)
    }

    /// One spelling of a name: small letters, without the dot that ends a full one (RFC 1034, section 3.1).
    private static func name(_ text: String) -> String {
        (text.hasSuffix(".") ? String(text.dropLast()) : text).lowercased()
    }

    private static func isNumber(_ authority: String) -> Bool {
        let name = authority.utf8.prefix { $0 != UInt8(ascii: ":") }
        return name.first != UInt8(ascii: ".") && !name.isEmpty
            && name.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    }
}
