internal import ControlAPI

/// What an undo did, or would do.
struct UndoAnswer: Answer {
    var reply: UndoReply

    func text(_ style: Style) -> String {
        let what = Formatted.count(reply.count, "record")
        var lines = [reply.dryRun ? "nothing is changed; it would be \(what)" : "\(what) taken back"]
        lines[0] += reply.deletes > 0 ? ", \(Formatted.count(reply.deletes)) of them deleted" : ""
        lines += RecordChangesTable(records: reply.records, count: reply.count).lines(style)
        if reply.leftCount > 0 {
            lines.append("left as they are: \(Formatted.count(reply.leftCount))")
            lines += reply.left.prefix(10).map { left in
                let field = left.field.isEmpty ? "" : " \(Printable.text(left.field))"
                return
                    "  \(left.collection)/\(Formatted.shortID(left.id, style))\(field): \(Printable.text(left.reason))"
            }
        }
        if let kept = reply.keptSince { lines.append("changes are kept since \(kept): what was before stays") }
        for hold in reply.holds {
            lines.append(
                style.paint("the deletes wait in hold \(hold): moviesync approve \(hold), or reject \(hold)", .warning))
        }
        return lines.joined(separator: "\n")
    }
}
