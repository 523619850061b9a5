internal import ControlAPI

/// That something was done.
struct DoneAnswer: Answer {
    var reply: DoneReply
    private let message: String

    init(_ message: String, reply: DoneReply) {
        self.message = message
        self.reply = reply
    }

    func text(_ style: Style) -> String { message }
}

/// How far a sync came.
struct SyncAnswer: Answer {
    var reply: SyncReply

    func text(_ style: Style) -> String {
        if reply.done { return style.paint("both sides are equal", .good) }
        let pending = reply.pending > 0 ? "\(Words.count(reply.pending, "record")) pending" : "started"
        return ([style.paint(pending, .warning)] + reply.reasons.map { "  " + Printable.text($0) })
            .joined(separator: "\n")
    }
}

/// What a reload changed.
struct ReloadAnswer: Answer {
    var reply: ReloadReply

    func text(_ style: Style) -> String {
        var lines = [
            reply.reloaded.isEmpty ? "nothing changed" : "now in force: \(reply.reloaded.joined(separator: ", "))"
        ]
        if !reply.needsRestart.isEmpty {
            lines.append(style.paint("after a restart: \(reply.needsRestart.joined(separator: ", "))", .warning))
        }
        return lines.joined(separator: "\n")
    }
}

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
        let bad = check.bad.isEmpty ? "all good" : "\(Words.count(check.bad.count)) bad"
        parts.append("\(Printable.text(file)): \(Words.count(check.lines, "line")), \(bad)")
        if check.isUnfinished { parts.append("the last line has no end yet, and is not read before it has one") }
        return parts.joined(separator: "\n")
    }
}
