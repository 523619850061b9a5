internal import ControlAPI

/// What became of rows that were to be saved.
struct SavedAnswer: Answer {
    struct Reply: Encodable {
        struct Row: Encodable {
            enum State: String, Encodable { case saved, already }

            var number: Int
            var title: String
            var state: State
            var id: String
        }

        var set: String
        var collection: String
        var rows: [Row]
    }

    var reply: Reply

    func text(_ style: Style) -> String {
        reply.rows.map { row in
            let title = Printable.text(row.title)
            return switch row.state {
            case .saved: "\(row.id)  \(title)"
            case .already: style.paint("\(row.id)  \(title): in the library already", .faint)
            }
        }.joined(separator: "\n")
    }
}
