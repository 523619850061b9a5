import SyncModel
import Testing

struct DefectTests {
    @Test(arguments: ["a\nb", "a\r\nb", "a\u{2028}b", "a\u{85}b", "a\u{1B}[31mb", "a\u{0}b"])
    func `a message stays on one line, whatever it quotes`(message: String) {
        let defect = Defect(.invalidValue, message)
        #expect(!defect.message.contains { $0.isNewline })
        #expect(!defect.message.unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(defect.message.hasPrefix("a ") && defect.message.hasSuffix("b"))
    }

    @Test(arguments: [("movies", true), ("a-1", true), ("", false), ("Movies", false), ("1a", false), ("a b", false)])
    func `collection names are lower-case words`(name: String, valid: Bool) {
        #expect((CollectionID(name) != nil) == valid)
    }
}
