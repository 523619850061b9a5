internal import ControlAPI
internal import SyncModel

/// What has become of lines of a journal.
struct TraceAnswer: Answer {
    struct Edit: Encodable {
        /// Where the line begins, in bytes.
        var offset: UInt64
        var op: String
        var collection: String
        /// The record's.
        var id: String
        var opID: String?
        /// When the edit was made, where the line says so.
        var at: Moment?
        /// What the daemon says; nil for a line without an `opID`, by which alone a line is known again.
        var fate: EditReply?

        init(_ line: JournalSearch.Line, _ fate: EditReply?) {
            let operation = line.operation
            offset = line.offset
            op = operation.kind.rawValue
            collection = operation.key.collection.name
            id = operation.key.id.description
            opID = operation.opID
            at = operation.at.map { Moment(milliseconds: $0) }
            self.fate = fate
        }
    }

    struct Reply: Encodable {
        var file: String
        /// How many lines there are, of which the last 20 are shown.
        var found: Int
        var items: [Edit]
        /// Always null: as every list has it.
        @Nullable var next: String?

        init(file: String, found: Int, items: [Edit]) {
            self.file = file
            self.found = found
            self.items = items
            next = nil
        }
    }

    var reply: Reply

    func text(_ style: Style) -> String {
        var lines = ["\(Printable.text(reply.file)): \(Formatted.count(reply.found, "line"))"]
        let times = Dictionary(reply.items.compactMap { $0.opID.map { ($0, 1) } }, uniquingKeysWith: +)
        for edit in reply.items {
            let at = edit.at.map { ", made \($0)" } ?? ""
            let isOneOfMany = edit.opID.map { times[$0, default: 0] > 1 } ?? false
            lines.append("byte \(Formatted.count(edit.offset))  \(edit.op) \(edit.collection)/\(edit.id)\(at)")
            let others = isOneOfMany ? "; of the lines with this opID one alone has an effect" : ""
            lines.append("    " + words(edit.fate, style) + others)
        }
        return lines.joined(separator: "\n")
    }

    private func words(_ fate: EditReply?, _ style: Style) -> String {
        guard let fate else { return "has no opID, by which the daemon could know it again" }
        let reason = fate.reason.map { ": \(Printable.text($0))" } ?? ""
        return switch fate.state {
        case .unread: style.paint("not read yet", .warning) + reason
        case .pending: "read and applied; " + style.paint("the remote does not have it yet", .warning) + reason
        case .held: "read; " + style.paint("hold \(fate.hold ?? 0) keeps it", .bad) + reason
        case .quarantined: "read; " + style.paint("in quarantine, item \(fate.item ?? 0)", .bad) + reason
        case .refused: "read and applied; " + style.paint("the remote refuses it", .bad) + reason
        case .dropped: "read; " + style.paint("dropped", .bad) + reason
        case .confirmed:
            "read and applied; " + style.paint("the remote has it, or something later", .good)
                + (fate.reason.map { ", " + style.paint(Printable.text($0), .warning) } ?? "")
        }
    }
}
