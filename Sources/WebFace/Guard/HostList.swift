/// The hosts by which a browser may name the page.
///
/// A page of somebody else can make a name of its own point to this machine, and would be of one origin with what answers
/// there. It can't do that with `localhost`, with a loopback address in numbers, or with a name that is not its own.
struct HostList: Hashable, Sendable {
    private let names: Set<String>

    init(_ names: some Sequence<String>) { self.names = Set(names.map { $0.lowercased() }) }

    /// - Parameter authority: a host, and perhaps a port; nil where the request says none.
    func contains(_ authority: String?) -> Bool {
        guard let host = authority.flatMap(HostList.host) else { return false }
        return host == "localhost" || HostList.isLoopback(host) || names.contains(host)
    }

    /// The host of `films.home:9080`, in lower case, an IPv6 address without its brackets; nil for what is none.
    static func host(of authority: String) -> String? {
        let text = authority.lowercased()
        var host = Substring(text)
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            return isPort(text[text.index(after: end)...]) ? String(host) : nil
        }
        if let colon = text.firstIndex(of: ":") {
            guard isPort(text[colon...]) else { return nil }
            host = text[..<colon]
        }
        return host.isEmpty ? nil : String(host)
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || (text.first == ":" && UInt16(text.dropFirst()) != nil)
    }

    /// `127.0.0.1` and its like, `::1`.
    private static func isLoopback(_ host: String) -> Bool {
        if host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
