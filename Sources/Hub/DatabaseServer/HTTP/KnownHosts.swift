/// The hosts by which a request may name the server.
///
/// A page in a browser can make a name of its own point to any address, and is then of one origin with what answers
/// there. It can't do that with a number, with `localhost`, or with a name that is not its own.
struct KnownHosts: Sendable {
    private let names: Set<String>

    init(_ names: some Sequence<String>) { self.names = Set(names.map { $0.lowercased() }) }

    /// - Parameter authority: a host, and perhaps a port; nil where the request says none, as no browser does.
    func contain(_ authority: String?) -> Bool {
        guard let authority else { return true }
        if authority.utf8.first == UInt8(ascii: "[") || KnownHosts.isNumber(authority) { return true }
        let name = authority.prefix { $0 != ":" }.lowercased()
        return name == "localhost" || name.hasSuffix(".localhost") || names.contains(name)
    }

    private static func isNumber(_ authority: String) -> Bool {
        let name = authority.utf8.prefix { $0 != UInt8(ascii: ":") }
        return !name.isEmpty && name.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    }
}
