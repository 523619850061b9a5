/// The order of bytes.
package enum ByteOrder {
    /// Negative, zero or positive, as `left` is before, equal to or after `right`.
    @inlinable
    package static func of(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
        let (first, second) = (UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
        let shared = min(first.count, second.count)
        var index = 0
        // Eight bytes at a time: as numbers with the first byte on top they are in the order of the bytes.
        while index + 8 <= shared {
            let one = UInt64(bigEndian: first.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let other = UInt64(bigEndian: second.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            guard one == other else { return one < other ? -1 : 1 }
            index += 8
        }
        while index < shared {
            guard first[index] == second[index] else { return Int(first[index]) - Int(second[index]) }
            index += 1
        }
        return first.count - second.count
    }

    /// Whether these are the same bytes.
    static func areEqual(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        left.withUnsafeBufferPointer { left in right.withUnsafeBufferPointer { of(left, $0) == 0 } }
    }
}
