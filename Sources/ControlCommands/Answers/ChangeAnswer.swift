internal import ControlAPI
internal import SyncModel

/// One change, one line.
struct ChangeAnswer: Answer {
    var reply: ChangeReply
    /// What is known of the collections, by name.
    var schemas: [String: CollectionSchema]

    func text(_ style: Style) -> String {
        let schema = schemas[reply.collection]
        let name = Formatted.value(schema.flatMap { reply.fields[$0.titleField] })
        let mark = schema?.mark.flatMap { reply.fields[$0] }.map { $0.truth == true ? " ✓" : " ·" } ?? ""
        let line = "\(reply.seq)  \(reply.at)  \(reply.op)  \(reply.collection)/\(reply.id)"
        let ends = "  \(reply.origin)" + (name.isEmpty ? "" : "  \(Printable.text(name))\(mark)")
        return style.width.map { Printable.cut(line + ends, to: $0) } ?? line + ends
    }
}
