internal import FirebaseWire

/// Positions as texts whose order by bytes is that of the positions.
///
/// A text is a mark of the kind of the value, the value, and the key. A long string is cut, and the order among those that
/// begin alike is not told any more.
enum PositionCode {
    /// A string with more bytes is cut.
    private static let maxText = 200
    /// Behind a string: it ends here, or was cut. What is a zero of its own has another mark behind it.
    private static let end = "\0\u{1}"
    private static let cut = "\0\u{2}"
    private static let zero = "\0\u{3}"
    /// Lets U+E000 to U+FFFF come behind what is beyond them, as in UTF-16.
    private static let behind: Unicode.Scalar = "\u{10FFFF}"

    static func code(_ position: Query.Position) -> WireKey {
        WireKey(unchecked: value(position.value) + key(position.key))
    }

    /// What the codes of all positions with this value begin with.
    static func value(_ value: SortValue) -> String {
        switch value {
        case .null: "0"
        case .bool(false): "1"
        case .bool(true): "2"
        case .number(let number): "3" + hexadecimal(ordered(number), digits: 16)
        case .string(let text): "4" + string(text)
        case .object: "5"
        }
    }

    /// Whether ``value(_:)`` is the same for other values too.
    static func isCut(_ value: SortValue) -> Bool {
        if case .string(let text) = value { text.utf8.count > maxText } else { false }
    }

    static func key(_ key: WireKey) -> String {
        guard let number = key.orderNumber else { return "1" + moved(key.text) }
        return "0" + hexadecimal(UInt64(Int64(number) - Int64(Int32.min)), digits: 8)
            + hexadecimal(UInt64(key.text.utf8.count), digits: 3) + key.text
    }

    /// What is behind all codes that begin with `prefix` and go on with a key.
    static func behind(_ prefix: String) -> WireKey { WireKey(unchecked: prefix + "2") }

    /// The part of a code that stands for the value, and the key.
    static func parts(_ code: WireKey) -> (value: Substring, key: WireKey) {
        let text = code.text
        let bytes = text.utf8
        var place = bytes.index(after: bytes.startIndex)
        switch bytes.first {
        case UInt8(ascii: "3"): place = bytes.index(place, offsetBy: 16)
        case UInt8(ascii: "4"):
            while place < bytes.endIndex {
                let mark = bytes.index(after: place)
                defer { place = mark }
                guard bytes[place] == 0, mark < bytes.endIndex else { continue }
                place = mark
                if bytes[mark] < 3 { break }
            }
            place = bytes.index(after: place)
        default: break
        }
        let isNumber = bytes[place...].first == UInt8(ascii: "0")
        let name = text[bytes.index(place, offsetBy: isNumber ? 12 : 1)...]
        return (text[..<place], WireKey(unchecked: isNumber ? String(name) : restored(name)))
    }

    private static func string(_ text: String) -> String {
        guard text.utf8.count > maxText else { return escaped(text) + end }
        // Behind a whole character: cut before one, a text would come before others that go on with a lower one.
        var place = text.utf8.index(text.startIndex, offsetBy: maxText)
        while place < text.endIndex, text.utf8[place] & 0xC0 == 0x80 { place = text.utf8.index(after: place) }
        return escaped(String(text[..<place])) + cut
    }

    private static func escaped(_ text: String) -> String {
        let moved = moved(text)
        return moved.utf8.contains(0)
            ? moved.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: zero) : moved
    }

    private static func moved(_ text: String) -> String {
        guard UTF16Order.mayDiffer(text) else { return text }
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if (0xE000...0xFFFF).contains(scalar.value) { out.append(behind) }
            out.append(scalar)
            if scalar == behind { out.append("\u{1}") }
        }
        return String(out)
    }

    private static func restored(_ text: Substring) -> String {
        guard UTF16Order.mayDiffer(String(text)) else { return String(text) }
        var out = String.UnicodeScalarView()
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == behind, let next = scalars.next() else {
                out.append(scalar)
                continue
            }
            out.append(next == "\u{1}" ? behind : next)
        }
        return String(out)
    }

    /// A number whose order as a whole number is that of `number`; both zeros are one.
    private static func ordered(_ number: Double) -> UInt64 {
        let bits = (number == 0 ? 0 : number).bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }

    private static func hexadecimal(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
