internal import ControlAPI
internal import SyncModel

/// One record with all its fields.
struct RecordAnswer: Answer {
    var reply: RecordReply
    var schema: CollectionSchema

    func text(_ style: Style) -> String {
        let expected = reply.deleted ? [] : schema.columns.filter(Missing.isExpected)
        var rows = schema.inOrder(Set(reply.fields.keys).union(expected)).map { name in
            let value = expected.contains(name) ? Missing.text(name, in: reply.fields) : nil
            return (name, Printable.text(value ?? Formatted.value(reply.fields[name])))
        }
        rows.append(("id", reply.id))
        rows.append(("collection", reply.collection))
        rows.append(("stamp", reply.stamp))
        rows.append(("state", state(style)))
        let width = rows.map { Printable.width($0.0) }.max() ?? 0
        return rows.map { name, value in
            let name = Printable.text(name)
            return style.paint(name, .strong)
                + String(repeating: " ", count: max(0, width - Printable.width(name)) + 2) + value
        }
        .joined(separator: "\n")
    }

    private func state(_ style: Style) -> String {
        let what = reply.deleted ? "deleted, " : ""
        return what + reply.standing(style)
    }
}

extension RecordReply {
    /// Whether the remote has it, and what of it waits for somebody.
    func standing(_ style: Style) -> String {
        let reason = reason.map(Printable.text)
        if pending { return style.paint("pending", .warning) + (reason.map { ": \($0)" } ?? "") }
        let standing =
            base?.isOutdated == true
            ? style.paint("the remote had it", .warning)
            : style.paint(deleted ? "on the remote too" : "the remote has it", .good)
        return standing + (reason.map { "; \(style.paint($0, .warning))" } ?? "")
    }
}
