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
            guard bytes.count == 36 else { return nil }
            var words: (UInt64, UInt64) = (0, 0)
            var digits = 0
            for (index, byte) in bytes.enumerated() {
                if index == 8 || index == 13 || index == 18 || index == 23 {
                    guard byte == UInt8(ascii: "-") else { return nil }
                    continue
                }
                guard let digit = Hexadecimal.value(of: byte) else { return nil }
                if digits < 16 { words.0 = words.0 << 4 | digit } else { words.1 = words.1 << 4 | digit }
                digits += 1
            }
            return words
        }
        guard let words else { return nil }
        self.init(high: words.0, low: words.1)
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
            var position = 0
            for index in 0..<32 {
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    out[position] = UInt8(ascii: "-")
                    position += 1
                }
                let word = index < 16 ? high : low
                out[position] = Hexadecimal.upper(word >> (60 - UInt64(index % 16) * 4) & 0xF)
                position += 1
            }
            return 36
        }
    }
}

extension RecordID: Comparable {
    public static func < (left: RecordID, right: RecordID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
