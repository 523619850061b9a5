/// Decodes percent-encoded parts of a URL.
enum PercentEncoding {
    /// The text that `part` stands for; nil where an escape is cut short or the bytes are not UTF-8.
    ///
    /// - Parameter plusIsSpace: as in query strings.
    static func decoded(_ part: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        guard part.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(part)
        }
        var bytes: [UInt8] = []
        var rest = part.utf8.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
