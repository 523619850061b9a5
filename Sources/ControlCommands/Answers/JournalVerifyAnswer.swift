/// What is wrong with a journal.
struct JournalVerifyAnswer: Answer {
    struct Reply: Encodable {
        var file: String
        var lines: Int
        var bad: [JournalCheck.BadLine]
        /// Good lines with keys that mean nothing.
        var odd: [JournalCheck.BadLine]
        /// Whether the file ends in the middle of a line.
        var unfinished: Bool
    }

    var file: String
    var check: JournalCheck

    var reply: Reply {
        Reply(file: file, lines: check.lines, bad: check.bad, odd: check.odd, unfinished: check.isUnfinished)
    }

    func text(_ style: Style) -> String {
        var parts: [String] = []
        if !check.bad.isEmpty || !check.odd.isEmpty {
            var table = Table([
                .init("line", number: true, .whole, .most), .init("byte", number: true), .init("code"),
                .init("message", .cutLast, .most),
            ])
            for (lines, ink) in [(check.bad, Style.Ink.bad), (check.odd, .warning)] {
                for line in lines {
                    table.add([
                        .init(String(line.line)), .init(String(line.offset)), .init(line.code, ink),
                        .init(line.message),
                    ])
                }
            }
            parts.append(table.text(style))
        }
        let bad = check.bad.isEmpty ? "all good" : "\(Formatted.count(check.bad.count)) bad"
        let odd = check.odd.isEmpty ? "" : ", \(Formatted.count(check.odd.count)) with keys that mean nothing"
        parts.append("\(Printable.text(file)): \(Formatted.count(check.lines, "line")), \(bad)\(odd)")
        if check.isUnfinished {
            parts.append("the last line is incomplete; it is read as soon as its line end is written")
        }
        return parts.joined(separator: "\n")
    }
}
