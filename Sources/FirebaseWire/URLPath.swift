internal import SyncModel

/// Percent-encoding (RFC 3986) of paths and query values for a database's URLs.
package enum URLPath {
    /// The URL path of a node: `/movies/KEY.json`, `/.json` for the root.
    ///
    /// - Parameter path: keys separated by `/`, as people write it; slashes at its ends or in a row count once.
    package static func resource(_ path: String) -> String {
        "/" + path.pieces(between: "/").map { encoded($0) }.joined(separator: "/") + ".json"
    }

    /// `text` with every byte but letters, digits and `-._~` written as `%XX`, so that it stands for itself in one
    /// path segment or one query value.
    package static func encoded(_ text: some StringProtocol) -> String {
        if text.utf8.allSatisfy(isUnreserved) { return String(text) }
        var out: [UInt8] = []
        out.reserveCapacity(text.utf8.count + 16)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                out.append(byte)
            } else {
                out.append(UInt8(ascii: "%"))
                out.append(Hexadecimal.upper(UInt64(byte >> 4)))
                out.append(Hexadecimal.upper(UInt64(byte & 0xF)))
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
