/// The SHA-256 of a content's canonical text, as 32 bytes; all zero stands for "deleted".
public struct ContentHash: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let words: (UInt64, UInt64, UInt64, UInt64)

    package init(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) { words = (a, b, c, d) }

    /// Reads what ``bytes`` wrote; nil unless there are 32.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.init(
            Hexadecimal.word(bytes[0..<8]), Hexadecimal.word(bytes[8..<16]),
            Hexadecimal.word(bytes[16..<24]), Hexadecimal.word(bytes[24..<32])
        )
    }

    /// The hash of a deleted record's missing content.
    public static let deleted = ContentHash(0, 0, 0, 0)

    package var bytes: [UInt8] {
        Hexadecimal.bytes(words.0) + Hexadecimal.bytes(words.1) + Hexadecimal.bytes(words.2)
            + Hexadecimal.bytes(words.3)
    }

    /// 64 lower-case hexadecimal digits.
    public var description: String { Hexadecimal.text(bytes) }

    /// Reads the hexadecimal form.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 64, let bytes = Hexadecimal.bytes(of: text) else { return nil }
        self.init(bytes: bytes)
    }

    public static func == (left: ContentHash, right: ContentHash) -> Bool { left.words == right.words }

    public static func < (left: ContentHash, right: ContentHash) -> Bool { left.words < right.words }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
    }
}
