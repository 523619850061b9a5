/// The order of texts by their UTF-16 units, which is that of Firebase's client libraries.
///
/// It differs from that of the UTF-8 bytes in one thing: what is beyond U+FFFF comes before U+E000 to U+FFFF.
package enum UTF16Order {
    /// The first byte of the first character at which the two orders can differ.
    private static let firstHigh: UInt8 = 0xEE
    private static let firstSupplementary: UInt8 = 0xF0

    /// Negative, zero or positive, as `left` is before, equal to or after `right`.
    package static func of(_ left: String, _ right: String) -> Int {
        let fast = left.utf8.withContiguousStorageIfAvailable { first in
            right.utf8.withContiguousStorageIfAvailable { second in of(first, second) }
        }
        if case .some(.some(let order)) = fast { return order }
        return Array(left.utf8).withUnsafeBufferPointer { first in
            Array(right.utf8).withUnsafeBufferPointer { second in of(first, second) }
        }
    }

    private static func of(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            let (first, second) = (left[index], right[index])
            let difference = Int(first) - Int(second)
            let areApart = (first >= firstSupplementary) != (second >= firstSupplementary)
            return areApart && min(first, second) >= firstHigh ? -difference : difference
        }
        return left.count - right.count
    }

    /// Whether `text` has a character for which the order is not that of the bytes.
    package static func mayDiffer(_ text: String) -> Bool { text.utf8.contains { $0 >= firstHigh } }
}
