import Testing

@testable import ControlCommands

struct TableTests {
    private static func table() -> Table {
        var table = Table([.init("✓"), .init("title", .cutLast), .init("id"), .init("year", number: true)])
        table.add([.init("✓", .good), .init("Alien"), .init("6F9619FF"), .init("1979")])
        table.add([.init("·"), .init("Dr. Strangelove or: How I Learned"), .init("7F9619FF"), .init("964")])
        return table
    }

    @Test func `without a width nothing is cut`() {
        #expect(
            TableTests.table().text(Style()) == """
                ✓  title                              id        year
                ✓  Alien                              6F9619FF  1979
                ·  Dr. Strangelove or: How I Learned  7F9619FF   964
                """
        )
    }

    @Test func `a narrow terminal cuts what may be cut`() {
        #expect(
            TableTests.table().text(Style(width: 34)) == """
                ✓  title            id        year
                ✓  Alien            6F9619FF  1979
                ·  Dr. Strangelov…  7F9619FF   964
                """
        )
    }

    @Test(arguments: 1...120)
    func `no line is wider than the terminal`(width: Int) {
        let text = TableTests.table().text(Style(width: width))
        #expect(text.split(separator: "\n").allSatisfy { Printable.width(String($0)) <= width })
    }

    @Test func `colour is only where it is wanted`() {
        #expect(TableTests.table().text(Style(colour: true)).contains("\u{1B}[32m✓\u{1B}[0m"))
        #expect(!TableTests.table().text(Style()).contains("\u{1B}"))
    }

    @Test(arguments: [
        ("Alien", 5), ("기생충", 6), ("千と千尋", 8), ("🎬", 2), ("é", 1), ("e\u{301}", 1), ("", 0),
    ])
    func `wide characters take two columns`(text: String, width: Int) {
        #expect(Printable.width(text) == width)
    }

    @Test(arguments: [
        ("Alien", 5, "Alien"), ("Aliens", 5, "Alie…"), ("기생충", 5, "기생…"), ("기생충", 4, "기…"), ("ab", 1, "…"),
    ])
    func `what does not fit is cut`(text: String, width: Int, expected: String) {
        #expect(Printable.cut(text, to: width) == expected)
    }

    @Test(arguments: [
        ("a\u{1B}[2Jb", "a [2Jb"), ("a\nb\tc", "a b c"), ("a\u{202E}b", "ab"), ("a\u{9B}b", "a b"), ("\u{7F}", " "),
    ])
    func `a title can't steer the terminal`(text: String, expected: String) {
        #expect(Printable.text(text) == expected)
        #expect(Table.Cell(text).text == expected)
    }
}
