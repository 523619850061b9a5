internal import FoundationEssentials
internal import SyncModel

/// The address of a database: `https://host`, with `?ns=` where an emulator serves several.
package struct DatabaseAddress: Hashable, Sendable {
    package var scheme: String
    package var host: String
    package var port: Int?
    package var namespace: String?

    /// Reads an address; nil where it is none, or has anything else in it (a path, a user, other parameters).
    package init?(_ text: String) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "https" || scheme == "http", let host = parts.host, !host.isEmpty, parts.user == nil,
            parts.password == nil, parts.fragment == nil, ["", "/"].contains(parts.path),
            ServerPort.isUsable(in: text)
        else { return nil }
        let parameters = parts.queryItems ?? []
        guard parameters.allSatisfy({ $0.name == "ns" }), parameters.count <= 1 else { return nil }
        let namespace = parameters.first?.value
        guard
            namespace.map({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") } })
                ?? true
        else { return nil }
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = parts.port
        self.namespace = namespace
    }

    /// `scheme://host[:port]`, without a slash at the end.
    package var root: String { "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "") }

    /// Whether what is sent there stays on this machine, or is encrypted.
    package var isPrivate: Bool {
        scheme == "https" || DatabaseAddress.isThisMachine(host)
    }

    /// Whether a host is this machine by its name or number alone.
    static func isThisMachine(_ host: String) -> Bool {
        let isNumber = host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        return isNumber && host.hasPrefix("127.") || ["localhost", "::1", "[::1]"].contains(host.lowercased())
    }
}
