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
        guard reply.pending else { return what + style.paint("the remote has it", .good) }
        return what + style.paint("pending", .warning) + (reply.reason.map { ": \(Printable.text($0))" } ?? "")
    }
}
