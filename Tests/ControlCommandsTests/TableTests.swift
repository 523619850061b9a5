import TestSupport
import Testing

@testable import ControlCommands

struct TableTests {
    private static func table() -> Table {
        var table = Table([
            .init("✓", .whole, .most), .init("title", .cutLast, .most), .init("id", .whole, .most),
            .init("year", number: true),
        ])
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
            TableTests.table().text(Style(width: 40)) == """
                ✓  title                  id        year
                ✓  Alien                  6F9619FF  1979
                ·  Dr. Strangelove or: …  7F9619FF   964
                """
        )
    }

    @Test func `what finds no room in a row stands below it`() {
        #expect(
            TableTests.table().text(Style(width: 34)) == """
                ✓  title                  id
                ✓  Alien                  6F9619FF
                    year 1979
                ·  Dr. Strangelove or: …  7F9619FF
                    year 964
                """
        )
    }

    @Test func `what matters least leaves first, and is named where it finds no room at all`() {
        var table = Table([
            .init("id", .whole, .most), .init("title", .cutLast, .most), .init("stamp", .whole, .little),
            .init("country"), .init("", .whole, .much),
        ])
        table.add([.init("1"), .init("千と千尋の神隠し"), .init("0000000000000-0000"), .init("Japan"), .init("pending")])
        table.add([.init("2"), .init("🎬 Alien"), .init(""), .init("United Kingdom of Great Britain"), .init("")])
        #expect(
            table.text(Style(width: 32)) == """
                id  title
                1   千と千尋の神隠し  pending
                    country Japan
                2   🎬 Alien
                no room for: stamp, country
                """)
    }

    @Test(arguments: [40, 60, 80], [1, 2, 3, 4])
    func `at any width each value is shown, cut, or said to be left out`(width: Int, seed: UInt64) {
        var random = SeededRandom(seed)
        let words = ["Alien", "기생충", "千と千尋の神隠し", "🎬", "👩‍👩‍👧", "Amélie", "The Assassination of Jesse James", "", "348"]
        let columns: [Table.Column] = [
            .init("#", number: true, .whole, .most), .init("title", .cutLast, .most), .init("id", .whole, .most),
            .init("director", .cutFirst), .init("country"), .init("stamp", .whole, .little), .init("", .whole, .much),
        ]
        var table = Table(columns)
        for number in 0..<8 {
            let title = (0..<4).map { _ in words[Int(random.next() % 9)] }.joined(separator: " ")
            let rest = (0..<4).map { _ in Table.Cell(words[Int(random.next() % 9)]) }
            table.add([.init(String(number)), .init(title), .init("id\(number)")] + rest)
        }
        let lines = table.text(Style(width: width)).split(separator: "\n").map(String.init)
        #expect(lines.allSatisfy { Printable.width($0) <= width })
        let note = lines.last.flatMap { $0.hasPrefix("no room for: ") ? $0 : nil } ?? ""
        let text = lines.joined(separator: "\n")
        for row in table.rows {
            #expect(text.contains(row[2].text), "each row has its id")
            #expect(text.contains(String(row[1].text.prefix(3))), "and the beginning of its title")
            for (column, cell) in zip(columns, row) where column.weight != .most && column.fit == .whole {
                #expect(text.contains(cell.text) || note.contains(column.title), "\(cell.text) in\n\(text)")
            }
        }
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
