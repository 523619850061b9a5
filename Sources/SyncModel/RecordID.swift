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
            let dash = UInt8(ascii: "-")
            guard bytes.count == 36, bytes[8] == dash, bytes[13] == dash, bytes[18] == dash, bytes[23] == dash else {
                return nil
            }
            let raw = UnsafeRawBufferPointer(bytes)
            func digits(_ place: Int) -> UInt64? {
                Hexadecimal.word(ofDigits: UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
            }
            func digits(_ first: Int, _ second: Int) -> UInt64? {
                let halves = (
                    UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: first, as: UInt32.self)),
                    UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: second, as: UInt32.self))
                )
                return Hexadecimal.word(ofDigits: UInt64(halves.0) << 32 | UInt64(halves.1))
            }
            // 8, 4, 4, 4 and 12 digits.
            guard let first = digits(0), let second = digits(9, 14), let third = digits(19, 24), let last = digits(28)
            else { return nil }
            return (first << 32 | second, third << 32 | last)
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
            spell(into: out)
            return 36
        }
    }

    /// Appends the text form.
    package func append(to out: inout [UInt8]) {
        out.append(count: 36, spell)
    }

    /// Writes the 36 bytes of the text form.
    private func spell(into out: UnsafeMutableBufferPointer<UInt8>) {
        let out = UnsafeMutableRawBufferPointer(out)
        func put(_ digits: UInt64, at place: Int) {
            out[place - 1] = UInt8(ascii: "-")
            out.storeBytes(of: UInt32(truncatingIfNeeded: digits).bigEndian, toByteOffset: place, as: UInt32.self)
        }
        // 8, 4, 4, 4 and 12 digits.
        let middle = (
            Hexadecimal.upperDigits(UInt32(truncatingIfNeeded: high)), Hexadecimal.upperDigits(UInt32(low >> 32))
        )
        out.storeBytes(of: Hexadecimal.upperDigits(UInt32(high >> 32)).bigEndian, as: UInt64.self)
        put(middle.0 >> 32, at: 9)
        put(middle.0, at: 14)
        put(middle.1 >> 32, at: 19)
        put(middle.1, at: 24)
        out.storeBytes(
            of: Hexadecimal.upperDigits(UInt32(truncatingIfNeeded: low)).bigEndian, toByteOffset: 28, as: UInt64.self)
    }
}

extension RecordID: Comparable {
    public static func < (left: RecordID, right: RecordID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
