/// The ports that a server can have.
package enum ServerPort {
    /// Whether the port of an address (`https://host:443/…`) can be one, or there is none in it: what lies below takes that
    /// for granted, and ends the process or goes to another port.
    ///
    /// Reads by hand, because Foundation's parser drops a port that no integer holds where it has to escape the path.
    package static func isUsable(in address: String) -> Bool {
        let (slash, colon) = (UInt8(ascii: "/"), UInt8(ascii: ":"))
        var rest = address.utf8[...]
        // The scheme, and two slashes.
        guard let end = rest.firstIndex(of: colon) else { return true }
        rest = rest[end...].dropFirst().drop { $0 == slash }
        rest = rest.prefix { $0 != slash && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        for before in [UInt8(ascii: "@"), UInt8(ascii: "]")] {
            if let last = rest.lastIndex(of: before) { rest = rest[last...].dropFirst() }
        }
        guard let last = rest.lastIndex(of: colon) else { return true }
        let port = rest[last...].dropFirst()
        return port.isEmpty || Int(Substring(port)).map { (1...65535).contains($0) } ?? false
    }
}
