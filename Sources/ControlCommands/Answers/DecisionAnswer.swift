internal import ControlAPI

/// What a decision did, or would do.
struct DecisionAnswer: Answer {
    var reply: DecisionReply
    private let message: String

    init(_ message: String, reply: DecisionReply) {
        self.message = message
        self.reply = reply
    }

    func text(_ style: Style) -> String {
        guard reply.dryRun else {
            let staying = reply.records.filter { $0.what.hasPrefix("stays:") }
            let table = RecordChangesTable(records: staying, count: staying.count).lines(style)
            return ([message] + table).joined(separator: "\n")
        }
        let deletes = reply.deletes > 0 ? ", \(Formatted.count(reply.deletes)) of them deleted" : ""
        var lines = ["nothing is changed; it would be: \(Printable.text(reply.effect))"]
        if reply.count > 0 { lines.append(Formatted.count(reply.count, "record") + deletes) }
        return (lines + RecordChangesTable(records: reply.records, count: reply.count).lines(style))
            .joined(separator: "\n")
    }
}
