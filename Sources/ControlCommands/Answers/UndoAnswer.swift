internal import ControlAPI

/// What an undo did, or would do.
struct UndoAnswer: Answer {
    var reply: UndoReply

    func text(_ style: Style) -> String {
        // What waits in a hold is not done yet.
        let waiting = reply.dryRun ? 0 : reply.waiting
        let (what, deletes) = (Formatted.count(reply.count - waiting, "record"), reply.deletes - waiting)
        var lines = [reply.dryRun ? "nothing is changed; it would be \(what)" : "\(what) taken back"]
        lines[0] += deletes > 0 ? ", \(Formatted.count(deletes)) of them deleted" : ""
        lines += RecordChangesTable(records: reply.records, count: reply.count).lines(style)
        if reply.leftCount > 0 {
            lines.append("left as they are: \(Formatted.count(reply.leftCount))")
            lines += reply.left.prefix(10).map { left in
                let field = left.field.isEmpty ? "" : " \(Printable.text(left.field))"
                return
                    "  \(left.collection)/\(left.id)\(field): \(Printable.text(left.reason))"
            }
        }
        if let kept = reply.keptSince { lines.append("changes are kept since \(kept): what was before stays") }
        let deletesText = Formatted.count(reply.waiting, "delete")
        if reply.dryRun, reply.waiting > 0 {
            lines.append(
                style.paint("\(deletesText) at once would wait in a hold; with --yes they do not", .warning))
        }
        for hold in reply.holds {
            lines.append(
                style.paint(
                    "\(deletesText) wait in hold \(hold): moviesync approve \(hold), or reject \(hold)", .warning))
        }
        return lines.joined(separator: "\n")
    }
}
