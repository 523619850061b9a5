import Testing

@testable import WebFace

@Suite struct InitialTests {
    @Test(arguments: [
        ("anna", "A"), (" -éva", "É"), ("straße", "S"), ("ß", "S"), ("7 of 9", "7"), ("日本", "日"), ("", "?"),
        ("<&\">", "?"), ("\u{0D4E}<script>", "\u{0D4E}"), ("👩\u{200D}🚀 Ripley", "R"),
    ])
    func `the letter is one that is no markup`(name: String, letter: String) {
        let initial = Initial(of: name)
        #expect(String(initial.letter) == letter)
        #expect(initial.svg.contains(">\(letter)</text>"))
        #expect(initial.svg.unicodeScalars.count { $0 == "<" } == 5)
    }

    @Test func `each name has its own`() {
        #expect(Initial(of: "anna").tag != Initial(of: "anne").tag)
        #expect(Initial(of: "anna") == Initial(of: "anna"))
    }
}
