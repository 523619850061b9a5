/// Fixed-width hexadecimal and big-endian words, shared by identifiers, stamps and hashes.
///
/// By hand, because the standard library's `String(_:radix:)` and `Int(_:radix:)` pad nothing, take a sign, and read and
/// write no bytes in place, which every record does several times.
package enum Hexadecimal {
    @inlinable
    package static func value(of byte: UInt8) -> UInt64? {
        switch byte {
        case 0x30...0x39: UInt64(byte - 0x30)
        case 0x41...0x46: UInt64(byte - 0x41 + 10)
        case 0x61...0x66: UInt64(byte - 0x61 + 10)
        default: nil
        }
    }

    @inlinable
    package static func upper(_ digit: UInt64) -> UInt8 {
        UInt8(truncatingIfNeeded: digit < 10 ? 0x30 + digit : 0x37 + digit)
    }

    /// The eight upper-case digits of a word, the first one on top.
    @inlinable
    package static func upperDigits(_ word: UInt32) -> UInt64 { digits(word, letters: 7) }

    /// The eight lower-case digits of a word, the first one on top.
    @inlinable
    package static func lowerDigits(_ word: UInt32) -> UInt64 { digits(word, letters: 39) }

    /// - Parameter letters: how much further the letters are than they would be right behind 9.
    @inlinable
    package static func digits(_ word: UInt32, letters more: UInt64) -> UInt64 {
        // A half byte in each byte.
        var digits = UInt64(word)
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        let letters = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return digits + 0x3030_3030_3030_3030 + letters * more
    }

    @inlinable
    package static func lower(_ digit: UInt64) -> UInt8 {
        UInt8(truncatingIfNeeded: digit < 10 ? 0x30 + digit : 0x57 + digit)
    }

    /// The word that eight digits spell, the first one on top; nil where one is none.
    @inlinable
    package static func word(ofDigits digits: UInt64) -> UInt64? {
        let top: UInt64 = 0x8080_8080_8080_8080
        guard digits & top == 0 else { return nil }
        // In each byte the topmost bit is set where it is one of 0...9, or of a...f once it is made lower-case.
        let numbers = (digits + 0x5050_5050_5050_5050) & ~(digits + 0x4646_4646_4646_4646) & top
        let lower = digits | 0x2020_2020_2020_2020
        let letters = (lower + 0x1F1F_1F1F_1F1F_1F1F) & ~(lower + 0x1919_1919_1919_1919) & top
        guard numbers | letters == top else { return nil }
        var word = digits & 0x0F0F_0F0F_0F0F_0F0F + (letters >> 7) * 9
        word = (word | word >> 4) & 0x00FF_00FF_00FF_00FF
        word = (word | word >> 8) & 0x0000_FFFF_0000_FFFF
        return (word | word >> 16) & 0x0000_0000_FFFF_FFFF
    }

    /// The lower-case text of `bytes`, two characters each.
    package static func text(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { out in
            for (index, byte) in bytes.enumerated() {
                out[2 * index] = lower(UInt64(byte >> 4))
                out[2 * index + 1] = lower(UInt64(byte & 0xF))
            }
            return 2 * bytes.count
        }
    }

    /// The bytes of lower-case hexadecimal text; nil for anything else.
    package static func bytes(of text: some StringProtocol) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(of: digits[index]), let low = value(of: digits[index + 1]) else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }

    package static func bytes(_ word: UInt64) -> [UInt8] {
        withUnsafeBytes(of: word.bigEndian) { Array($0) }
    }

    package static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension [UInt8] {
    /// Appends so many bytes, all of which `write` writes.
    mutating func append(count: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { bytes in
            write(bytes)
            append(contentsOf: bytes)
        }
    }
}
