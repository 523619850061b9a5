internal import FirebaseWire

/// Walks the members of one object or array in canonical text.
///
/// By hand, because every read and write below a packed node passes here: canonical text needs no validation, and a parser
/// would build an index of all of it to find one member. Text that is not canonical gives wrong pieces, never a trap.
struct CanonicalScan {
    enum Key {
        /// The bytes between the quotes, still escaped.
        case quoted(Range<Int>)
        case index(Int)
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    /// Where the last bracket stands.
    private let end: Int
    private let isArray: Bool
    private var position: Int
    private var index = 0

    /// - Parameter range: where the text stands in `bytes`.
    init(_ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>) {
        self.bytes = bytes
        let first = range.isEmpty ? 0 : bytes[range.lowerBound]
        let isBranch = range.count > 2 && (first == UInt8(ascii: "{") || first == UInt8(ascii: "["))
        isArray = first == UInt8(ascii: "[")
        position = isBranch ? range.lowerBound + 1 : range.upperBound
        end = isBranch ? range.upperBound - 1 : range.upperBound
    }

    /// The next member; holes of an array are left out.
    mutating func next() -> (key: Key, value: Range<Int>)? {
        while position < end {
            if isArray {
                let value = position..<endOfValue(position)
                let key = Key.index(index)
                index += 1
                position = value.upperBound + 1
                if bytes[value.lowerBound] != UInt8(ascii: "n") { return (key, value) }
            } else {
                let colon = endOfString(position)
                guard colon < end, colon - position >= 2 else { return nil }
                let value = (colon + 1)..<max(colon + 1, endOfValue(colon + 1))
                let key = Key.quoted((position + 1)..<(colon - 1))
                position = value.upperBound + 1
                return (key, value)
            }
        }
        return nil
    }

    /// The value of the member `key`.
    mutating func value(of key: WireKey) -> Range<Int>? {
        while let (candidate, value) = next() {
            switch candidate {
            case .index(let index): if key.arrayIndex == index { return value }
            case .quoted(let range): if matches(range, key) { return value }
            }
        }
        return nil
    }

    func decoded(_ key: Key) -> WireKey {
        switch key {
        case .index(let index): return WireKey(unchecked: String(index))
        case .quoted(let range):
            let plain = bytes[range]
            guard plain.contains(UInt8(ascii: "\\")) else {
                return WireKey(unchecked: String(decoding: plain, as: UTF8.self))
            }
            // Keys have no control characters, so a backslash stands for the byte behind it.
            var escaped = false
            let unescaped = plain.filter { byte in
                escaped = byte == UInt8(ascii: "\\") && !escaped
                return !escaped
            }
            return WireKey(unchecked: String(decoding: unescaped, as: UTF8.self))
        }
    }

    private func matches(_ range: Range<Int>, _ key: WireKey) -> Bool {
        let plain = UnsafeBufferPointer(rebasing: bytes[range])
        if plain.contains(UInt8(ascii: "\\")) { return decoded(.quoted(range)) == key }
        return plain.elementsEqual(key.text.utf8)
    }

    /// The place after the string whose first quote stands at `start`.
    private func endOfString(_ start: Int) -> Int {
        var place = start + 1
        while place < end, bytes[place] != UInt8(ascii: "\"") { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(place + 1, end)
    }

    /// The place after the value that starts at `start`.
    private func endOfValue(_ start: Int) -> Int {
        var depth = 0
        var place = start
        while place < end {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                place = endOfString(place)
                if depth == 0 { return place }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth <= 0 { return place + 1 }
            case UInt8(ascii: ",") where depth == 0: return place
            default: break
            }
            place += 1
        }
        return end
    }
}
