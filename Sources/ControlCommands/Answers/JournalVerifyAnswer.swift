/// What is wrong with a journal.
struct JournalVerifyAnswer: Answer {
    struct Reply: Encodable {
        var file: String
        var lines: Int
        var bad: [JournalCheck.BadLine]
        /// Whether the file ends in the middle of a line.
        var unfinished: Bool
    }

    var file: String
    var check: JournalCheck

    var reply: Reply { Reply(file: file, lines: check.lines, bad: check.bad, unfinished: check.isUnfinished) }

    func text(_ style: Style) -> String {
        var parts: [String] = []
        if !check.bad.isEmpty {
            var table = Table([
                .init("line", number: true), .init("byte", number: true), .init("code"),
                .init("message", .cutLast),
            ])
            for line in check.bad {
                table.add([
                    .init(String(line.line)), .init(String(line.offset)), .init(line.code, .bad), .init(line.message),
                ])
            }
            parts.append(table.text(style))
        }
        let bad = check.bad.isEmpty ? "all good" : "\(Formatted.count(check.bad.count)) bad"
        parts.append("\(Printable.text(file)): \(Formatted.count(check.lines, "line")), \(bad)")
        if check.isUnfinished {
            parts.append("the last line is incomplete; it is read as soon as its line end is written")
        }
        return parts.joined(separator: "\n")
    }
}
