internal import ControlAPI
internal import SyncModel

/// One change, one line.
struct ChangeAnswer: Answer {
    var reply: ChangeReply

    func text(_ style: Style) -> String {
        let name = Words.value(reply.fields["title"] ?? reply.fields["name"])
        let mark = reply.fields["hasWatched"].map { $0.truth == true ? " ✓" : " ·" } ?? ""
        let line = "\(reply.seq)  \(reply.at)  \(reply.op)  \(reply.collection)/\(Words.shortID(reply.id, style))"
        let ends = "  \(reply.origin)" + (name.isEmpty ? "" : "  \(Printable.text(name))\(mark)")
        return style.width.map { Printable.cut(line + ends, to: $0) } ?? line + ends
    }
}
