import Testing

@testable import OperatingSystem

struct TypedSecretTests {
    private func typed(_ keys: [UInt8]) -> String? {
        var line = TypedSecret()
        for key in keys where !line.take(key) { break }
        return line.text
    }

    @Test func `a line ends where enter is pressed`() {
        #expect(typed(Array("abc\ndef".utf8)) == "abc")
        #expect(typed(Array("abc\rdef".utf8)) == "abc")
        #expect(typed(Array("abc".utf8) + [4]) == "abc")
        #expect(typed([0x0A]) == "")
    }

    @Test func `a character is taken back as a whole, and a line too`() {
        #expect(typed(Array("aö".utf8) + [0x7F] + Array("b\n".utf8)) == "ab")
        #expect(typed(Array("abc".utf8) + [0x15] + Array("d\n".utf8)) == "d")
        #expect(typed([0x7F] + Array("a\n".utf8)) == "a")
    }

    @Test func `who gives up has typed nothing`() {
        #expect(typed(Array("abc".utf8) + [3]) == nil)
    }
}
