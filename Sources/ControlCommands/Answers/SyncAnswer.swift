internal import ControlAPI

/// How far a sync came.
struct SyncAnswer: Answer {
    var reply: SyncReply
    /// Whether it was waited for.
    var isOver = false

    func text(_ style: Style) -> String {
        if reply.done, reply.reasons.isEmpty { return style.paint("both sides are equal", .good) }
        let first = isOver ? "nobody can tell yet whether both sides are equal" : "started"
        let pending = reply.pending > 0 ? "\(Formatted.count(reply.pending, "record")) pending" : first
        let state = reply.done ? "both sides are equal, but for what is in quarantine" : pending
        return ([style.paint(state, .warning)] + reply.reasons.map { "  " + Printable.text($0) })
            .joined(separator: "\n")
    }
}
