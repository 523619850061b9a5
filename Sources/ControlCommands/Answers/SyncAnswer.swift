internal import ControlAPI

/// How far a sync came.
struct SyncAnswer: Answer {
    var reply: SyncReply

    func text(_ style: Style) -> String {
        if reply.done, reply.reasons.isEmpty { return style.paint("both sides are equal", .good) }
        let pending = reply.pending > 0 ? "\(Formatted.count(reply.pending, "record")) pending" : "started"
        let state = reply.done ? "both sides are equal, but for what is in quarantine" : pending
        return ([style.paint(state, .warning)] + reply.reasons.map { "  " + Printable.text($0) })
            .joined(separator: "\n")
    }
}
