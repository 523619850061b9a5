internal import ControlAPI

/// The conflicts that were decided.
struct ConflictsAnswer: Answer {
    var conflicts: [ConflictReply]
    var now: Moment

    var reply: Page<ConflictReply> { Page(items: conflicts) }

    func text(_ style: Style) -> String {
        guard !conflicts.isEmpty else { return "no conflicts" }
        var table = Table([
            .init("conflict", number: true, .whole, .most), .init("record", .whole, .much), .init("when"),
            .init("rule", .cutFirst),
            .init("fields", .cutFirst), .init("won", .cutLast, .much), .init("lost", .cutLast, .much), .init(""),
        ])
        for conflict in conflicts {
            table.add([
                .init(String(conflict.id)), .init(conflict.record),
                .init(Formatted.ago(conflict.at, now: now)), .init(conflict.rule),
                .init(conflict.fields.isEmpty ? "(all)" : conflict.fields.joined(separator: ", ")),
                .init(ConflictsAnswer.shown(conflict.winner, of: conflict, besides: conflict.loser)),
                .init(ConflictsAnswer.shown(conflict.loser, of: conflict, besides: conflict.winner), .faint),
                .init(conflict.restored ? "restored" : "", .good),
            ])
        }
        return table.text(style)
    }

    /// The fields of a version in which it differs from the other one; of those that the decision was about also what it has
    /// not.
    static func shown(
        _ side: ConflictReply.Side, of conflict: ConflictReply, besides other: ConflictReply.Side
    ) -> String {
        if side.deleted { return "deleted" }
        let names = Set(side.fields.keys).union(conflict.fields)
        let own = names.filter { side.fields[$0] != other.fields[$0] }.sorted().map { name in
            "\(name)=\(side.fields[name].map { Formatted.value($0) } ?? "(none)")"
        }
        return own.isEmpty ? "(the same fields)" : own.joined(separator: " ")
    }
}
