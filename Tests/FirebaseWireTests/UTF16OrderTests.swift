import FirebaseWire
import Testing

struct UTF16OrderTests {
    private static let texts = [
        "", "a", "b", "aa", "ä", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{F8FF}", "\u{FFFD}", "\u{FFFF}",
        "\u{10000}", "😀", "\u{10FFFF}", "a😀", "a\u{FF5E}", "a\u{E000}b", "😀a", "😁",
    ]

    @Test(arguments: texts) func `the order is that of the units`(_ left: String) {
        for right in Self.texts {
            let isBefore = left.utf16.lexicographicallyPrecedes(right.utf16)
            #expect((UTF16Order.of(left, right) < 0) == isBefore, "\(left) \(right)")
            #expect((UTF16Order.of(left, right) == 0) == (Array(left.utf16) == Array(right.utf16)))
        }
    }
}
