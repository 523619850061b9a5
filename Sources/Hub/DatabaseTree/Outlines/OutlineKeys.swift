internal import FirebaseWire

/// Compares keys where they stand in JSON text that was checked; a place is that of a key's first quote.
///
/// What is compared is what the keys mean, escapes resolved. As paths, they are compared key by key: there the byte 1,
/// which no key has, stands for the slashes between two of them.
struct OutlineKeys {
    private static let quote = UInt8(ascii: "\"")
    private static let slash = UInt8(ascii: "/")
    private static let escape = UInt8(ascii: "\\")
    static let separator: UInt8 = 1

    let text: UnsafeBufferPointer<UInt8>
    let arePaths: Bool

    /// What the key at `place` means.
    func meaning(_ place: Int) -> [UInt8] {
        var letters = Letters(text, place, isPath: arePaths)
        var bytes: [UInt8] = []
        while let byte = letters.next() { bytes.append(byte) }
        return bytes
    }

    func key(_ place: Int) -> WireKey { WireKey(unchecked: String(decoding: meaning(place), as: UTF8.self)) }

    func path(_ place: Int) -> WirePath { WirePath(joined: meaning(place)) }

    /// Negative, zero or positive, as the key at `left` is before, equal to or after the one at `right`.
    func order(_ left: Int, _ right: Int) -> Int {
        var (left, right) = (left, right)
        let starts = (left, right)
        repeat {
            left += 1
            right += 1
            guard let first = plain(left), let second = plain(right) else {
                var letters = Letters(text, starts.1, isPath: arePaths)
                return order(starts.0) { letters.next() }
            }
            if first != second { return Int(first) - Int(second) }
        } while text[left] != OutlineKeys.quote
        return 0
    }

    /// The same for the key at `place` and one that means `wanted`.
    func order(_ place: Int, _ wanted: [UInt8]) -> Int {
        var index = place
        for byte in wanted {
            index += 1
            guard let own = plain(index) else { return slowOrder(place, wanted) }
            if own != byte { return Int(own) - Int(byte) }
        }
        guard let own = plain(index + 1) else { return slowOrder(place, wanted) }
        return Int(own)
    }

    /// The first of `places` in `range` whose key is not before `wanted`.
    func lowerBound(_ wanted: [UInt8], in places: [UInt32], _ range: Range<Int>) -> Int {
        range.partitionPoint { order(OutlinePlace.offset(places[$0]), wanted) >= 0 }
    }

    /// What the byte at `index` stands for by itself: 0 for the end of the key; nil where that takes more to say.
    private func plain(_ index: Int) -> UInt8? {
        let byte = text[index]
        switch byte {
        case OutlineKeys.quote: return 0
        case OutlineKeys.escape: return nil
        case OutlineKeys.slash where arePaths:
            return isOfName(text[index - 1]) && isOfName(text[index + 1]) ? OutlineKeys.separator : nil
        default: return byte
        }
    }

    private func isOfName(_ byte: UInt8) -> Bool { byte != OutlineKeys.slash && byte != OutlineKeys.quote }

    private func slowOrder(_ place: Int, _ wanted: [UInt8]) -> Int {
        var rest = wanted.makeIterator()
        return order(place) { rest.next() }
    }

    /// - Parameter next: the next byte of the other key; nil at its end.
    private func order(_ place: Int, _ next: () -> UInt8?) -> Int {
        var letters = Letters(text, place, isPath: arePaths)
        while true {
            // No key has a 0.
            let (first, second) = (letters.next() ?? 0, next() ?? 0)
            if first != second || first == 0 { return Int(first) - Int(second) }
        }
    }

    /// The bytes that a key means, one by one.
    private struct Letters {
        private let text: UnsafeBufferPointer<UInt8>
        private let isPath: Bool
        private var position: Int
        /// What an escape stands for, the first byte lowest; 0 for nothing.
        private var pending: UInt32 = 0
        private var hasBegun = false
        private var isBetween = false

        init(_ text: UnsafeBufferPointer<UInt8>, _ place: Int, isPath: Bool) {
            self.text = text
            self.isPath = isPath
            position = place + 1
        }

        /// Nil at the end.
        mutating func next() -> UInt8? {
            while let byte = pending == 0 ? letter() : rest() {
                if isPath, byte == OutlineKeys.slash {
                    isBetween = hasBegun
                    continue
                }
                guard isBetween else {
                    hasBegun = true
                    return byte
                }
                isBetween = false
                pending = pending << 8 | UInt32(byte)
                return OutlineKeys.separator
            }
            return nil
        }

        private mutating func rest() -> UInt8? {
            defer { pending >>= 8 }
            return UInt8(truncatingIfNeeded: pending)
        }

        private mutating func letter() -> UInt8? {
            let byte = text[position]
            guard byte != OutlineKeys.quote else { return nil }
            position += 1
            guard byte == OutlineKeys.escape else { return byte }
            let kind = text[position]
            position += 1
            // No other escape stands for what a key can have.
            guard kind == UInt8(ascii: "u") else { return kind }
            var code = unit()
            if (0xD800..<0xDC00).contains(code) {
                position += 2
                code = 0x10000 + (code - 0xD800) << 10 + (unit() & 0x3FF)
            }
            for (index, byte) in String(UnicodeScalar(code) ?? "?").utf8.enumerated() {
                pending |= UInt32(byte) << (8 * UInt32(index))
            }
            return rest()
        }

        /// Four hexadecimal digits.
        private mutating func unit() -> UInt32 {
            var code: UInt32 = 0
            for _ in 0..<4 {
                let digit = text[position]
                code = code << 4 | UInt32(digit < 0x40 ? digit & 0xF : (digit & 0xF) + 9)
                position += 1
            }
            return code
        }
    }
}

extension WirePath {
    /// - Parameter joined: keys with the byte between them that no key has.
    init(joined: [UInt8]) {
        let keys = joined.split(separator: OutlineKeys.separator)
        self.init(keys.map { WireKey(unchecked: String(decoding: $0, as: UTF8.self)) })
    }
}

/// A place in a text of less than 2 GiB, with a mark that nothing is to be stored there.
enum OutlinePlace {
    private static let mark: UInt32 = 1 << 31

    static func packed(_ offset: Int, isNothing: Bool) -> UInt32 {
        UInt32(truncatingIfNeeded: offset) & ~mark | (isNothing ? mark : 0)
    }

    static func offset(_ place: UInt32) -> Int { Int(place & ~mark) }

    static func isNothing(_ place: UInt32) -> Bool { place & mark != 0 }
}
