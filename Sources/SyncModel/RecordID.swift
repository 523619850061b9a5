/// The UUID of a record, the same on every node and in the remote.
public struct RecordID: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads the 36-character text form, in any case; nil for anything else.
    public init?(_ text: some StringProtocol) { self.init(String(text)) }

    /// Reads the 36-character text form, in any case; nil for anything else.
    public init?(_ text: String) {
        var text = text
        let words: (UInt64, UInt64)? = text.withUTF8 { bytes in
            guard bytes.count == 36, [8, 13, 18, 23].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }) else { return nil }
            guard let high = RecordID.word(bytes, [0..<8, 9..<13, 14..<18]),
                let low = RecordID.word(bytes, [19..<23, 24..<36])
            else { return nil }
            return (high, low)
        }
        guard let words else { return nil }
        self.init(high: words.0, low: words.1)
    }

    /// The number whose hexadecimal digits stand in these parts, in any case; nil where there is anything else.
    private static func word(_ bytes: UnsafeBufferPointer<UInt8>, _ parts: [Range<Int>]) -> UInt64? {
        var word: UInt64 = 0
        for part in parts {
            for byte in bytes[part] {
                guard let digit = Hexadecimal.value(of: byte) else { return nil }
                word = word << 4 | digit
            }
        }
        return word
    }

    /// Makes a random UUID (version 4).
    public static func random() -> RecordID {
        RecordID(
            high: UInt64.random(in: .min ... .max) & ~0xF000 | 0x4000,
            low: UInt64.random(in: .min ... .max) & ~(0b11 << 62) | 0b10 << 62
        )
    }

    /// Whether this is a random UUID (version 4): nobody else can have made the same one.
    public var isRandom: Bool { high >> 12 & 0xF == 4 && low >> 62 == 0b10 }

    /// The 16 bytes in the order of the text form.
    package var bytes: [UInt8] { Hexadecimal.bytes(high) + Hexadecimal.bytes(low) }

    /// Reads what ``bytes`` wrote; nil unless there are 16.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(high: Hexadecimal.word(bytes[..<8]), low: Hexadecimal.word(bytes[8...]))
    }
}

extension RecordID: CustomStringConvertible {
    /// The canonical text form: upper case.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { out in
            let out = UnsafeMutableRawBufferPointer(out)
            // 8, 4, 4, 4 and 12 digits.
            let middle = (
                Hexadecimal.upperDigits(UInt32(truncatingIfNeeded: high)), Hexadecimal.upperDigits(UInt32(low >> 32))
            )
            out.storeBytes(of: Hexadecimal.upperDigits(UInt32(high >> 32)).bigEndian, as: UInt64.self)
            for (place, digits) in [
                (9, middle.0 >> 32), (14, middle.0), (19, middle.1 >> 32), (24, middle.1),
            ] {
                out[place - 1] = UInt8(ascii: "-")
                out.storeBytes(of: UInt32(truncatingIfNeeded: digits).bigEndian, toByteOffset: place, as: UInt32.self)
            }
            out.storeBytes(
                of: Hexadecimal.upperDigits(UInt32(truncatingIfNeeded: low)).bigEndian, toByteOffset: 28,
                as: UInt64.self)
            return 36
        }
    }
}

extension RecordID: Comparable {
    public static func < (left: RecordID, right: RecordID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
