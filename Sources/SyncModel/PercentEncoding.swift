/// Percent-encoding (RFC 3986), for all who make or read addresses.
///
/// By hand, because Foundation's encoding needs a `CharacterSet`, and with it all of Foundation, and its decoding knows no
/// `+` of query strings.
package enum PercentEncoding {
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

    /// The text that `part` stands for; nil where an escape is cut short or the bytes are not UTF-8.
    ///
    /// - Parameter plusIsSpace: as in query strings.
    package static func decoded(_ part: Substring, plusIsSpace: Bool = false) -> String? {
        let isPlain = part.utf8.withContiguousStorageIfAvailable { bytes in
            !bytes.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
        }
        if isPlain == true { return String(part) }
        var bytes: [UInt8] = []
        var rest = part.utf8.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.next().flatMap(Hexadecimal.value),
                    let low = rest.next().flatMap(Hexadecimal.value)
                else { return nil }
                bytes.append(UInt8(high << 4 | low))
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
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
