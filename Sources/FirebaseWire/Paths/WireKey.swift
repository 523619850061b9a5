/// One key of the database: a name between two slashes of a path.
///
/// Keys are bytes: two spellings of one letter are two keys, and the order is that of the UTF-8 bytes.
package struct WireKey: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// The most bytes a key may have.
    package static let maxBytes = 768

    /// The pseudo key of a priority: stored among the children of a node, never answered as one of them.
    package static let priority = WireKey(unchecked: ".priority")
    /// The pseudo key of what a leaf that has a priority is.
    package static let value = WireKey(unchecked: ".value")

    /// Whether this is one of the pseudo keys.
    package var isPseudo: Bool { text.utf8.first == UInt8(ascii: ".") }

    /// Takes `text` as it is; for keys that were checked before.
    package init(unchecked text: String) { self.text = text }

    /// - Parameter text: 1 to 768 bytes without `.`, `$`, `#`, `[`, `]`, `/` and control characters; else nil.
    package init?(_ text: some StringProtocol) {
        guard WireKey.isLegal(text) else { return nil }
        self.text = String(text)
    }

    package var description: String { text }

    /// Whether `text` may be a key (https://firebase.google.com/docs/database/usage/limits).
    package static func isLegal(_ text: some StringProtocol) -> Bool {
        text.utf8.withContiguousStorageIfAvailable(isLegal) ?? isLegal(Array(text.utf8))
    }

    private static func isLegal(_ bytes: some Collection<UInt8>) -> Bool {
        for byte in bytes where byte < 0x80 {
            guard (byte < 0x40 ? forbidden.low : forbidden.high) >> UInt64(byte & 0x3F) & 1 == 0 else { return false }
        }
        return !bytes.isEmpty && bytes.count <= maxBytes
    }

    /// The ASCII characters that no key has, a bit each: those below 0x40, and those from there on.
    private static let forbidden: (low: UInt64, high: UInt64) = (
        // Control characters, #, $, . and /
        low: 0xFFFF_FFFF | 1 << 0x23 | 1 << 0x24 | 1 << 0x2E | 1 << 0x2F,
        // [, ] and the last control character
        high: 1 << (0x5B - 0x40) | 1 << (0x5D - 0x40) | 1 << (0x7F - 0x40)
    )

    /// The index that this key stands for in an array: `0`, `1`, `27`, without leading zeros; else nil.
    package var arrayIndex: Int? {
        let bytes = text.utf8
        guard let first = bytes.first, first >= 0x30, first <= 0x39, bytes.count <= 10 else { return nil }
        guard first != 0x30 || bytes.count == 1 else { return nil }
        var index = 0
        for byte in bytes {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            index = index * 10 + Int(byte - 0x30)
        }
        return index
    }

    /// The number that puts this key among the numbers in `$key` order: any spelling of a 32-bit integer; else nil.
    package var orderNumber: Int32? {
        let bytes = text.utf8
        guard let first = bytes.first, first == 0x2D || (first >= 0x30 && first <= 0x39) else { return nil }
        let digits = first == 0x2D ? text.dropFirst() : text[...]
        let significant = digits.utf8.drop { $0 == 0x30 }
        guard !digits.isEmpty, significant.count <= 10, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
            return nil
        }
        return Int32(text)
    }
}

extension WireKey: Comparable {
    @inlinable
    package static func == (left: WireKey, right: WireKey) -> Bool { order(left, right) == 0 }

    @inlinable
    package static func < (left: WireKey, right: WireKey) -> Bool { order(left, right) < 0 }

    /// The order of `$key`: 32-bit integers first, by number and then by length; all others after them, by UTF-16.
    package static func precedesInKeyOrder(_ left: WireKey, _ right: WireKey) -> Bool {
        switch (left.orderNumber, right.orderNumber) {
        case (let first?, let second?):
            if first != second { return first < second }
            if left.text.utf8.count != right.text.utf8.count { return left.text.utf8.count < right.text.utf8.count }
            return UTF16Order.of(left.text, right.text) < 0
        case (.some, nil): return true
        case (nil, .some): return false
        case (nil, nil): return UTF16Order.of(left.text, right.text) < 0
        }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Negative, zero or positive, as the bytes of `left` are before, equal to or after those of `right`.
    @inlinable
    package static func order(_ left: WireKey, _ right: WireKey) -> Int {
        let fast = left.text.utf8.withContiguousStorageIfAvailable { first in
            right.text.utf8.withContiguousStorageIfAvailable { second in ByteOrder.of(first, second) }
        }
        if case .some(.some(let order)) = fast { return order }
        return Array(left.text.utf8).withUnsafeBufferPointer { first in
            Array(right.text.utf8).withUnsafeBufferPointer { second in ByteOrder.of(first, second) }
        }
    }
}
