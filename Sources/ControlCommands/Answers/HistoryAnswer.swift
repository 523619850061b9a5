internal import ControlAPI
internal import SyncModel

/// What a node has seen of a record, newest first.
struct HistoryAnswer: Answer {
    var reply: HistoryReply

    func text(_ style: Style) -> String {
        var lines: [String] = []
        for item in reply.items {
            let rule = item.rule.map { ", by the rule \($0)" } ?? ""
            let head = "\(item.at)  \(style.paint(item.op, .strong))  by \(item.who)\(rule)"
            lines.append(head + (item.origin == "decision" ? "  (a decision on this node)" : ""))
            lines += item.fields.map { field in
                let who = field.who == item.who ? "" : "  (by \(field.who))"
                return Printable.text("  \(field.name): \(shown(field.before)) -> \(shown(field.after))\(who)")
            }
        }
        lines.append(style.paint(end, .faint))
        return lines.joined(separator: "\n")
    }

    private func shown(_ value: JSONValue?) -> String { value.map { Formatted.value($0) } ?? "(none)" }

    private var end: String {
        if reply.next != nil { return "older entries are left out; give a higher --limit" }
        if reply.complete { return "this node has seen no more of it" }
        return reply.keptSince.map { "what was before is no longer kept: changes are kept since \($0)" }
            ?? "no change of it is kept"
    }
}
