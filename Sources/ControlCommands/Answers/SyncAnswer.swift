internal import ControlAPI

/// How far a sync came.
struct SyncAnswer: Answer {
    var reply: SyncReply

    func text(_ style: Style) -> String {
        if reply.done { return style.paint("both sides are equal", .good) }
        let pending = reply.pending > 0 ? "\(Formatted.count(reply.pending, "record")) pending" : "started"
        return ([style.paint(pending, .warning)] + reply.reasons.map { "  " + Printable.text($0) })
            .joined(separator: "\n")
    }
}
