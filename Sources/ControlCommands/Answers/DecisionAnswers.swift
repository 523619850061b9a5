internal import ControlAPI
internal import JSONText
internal import SyncModel

/// What waits for a decision, with the commands to decide it.
struct HoldsAnswer: Answer {
    var holds: [HoldReply]
    var now: Moment

    var reply: Page<HoldReply> { Page(items: holds) }

    func text(_ style: Style) -> String {
        guard !holds.isEmpty else { return "nothing waits for a decision" }
        return holds.map { hold in
            let place = [hold.collection, hold.direction].compactMap { $0 }.joined(separator: ", ")
            let since = "since \(Words.ago(hold.since, now: now))".replacing(" ago", with: "")
            let approve = hold.approve.map { "   \(Printable.text($0))" } ?? ""
            let reject = hold.reject.map { "    \(Printable.text($0))" } ?? ""
            return """
                \(style.paint("hold \(hold.id): \(hold.kind)", .warning)) (\(place.isEmpty ? since : "\(place), \(since)"))
                  \(Printable.text(hold.reason))
                  moviesync approve \(hold.id)\(approve)
                  moviesync reject \(hold.id)\(reject)
                """
        }
        .joined(separator: "\n")
    }
}

/// What can't be processed.
struct QuarantineAnswer: Answer {
    var items: [QuarantineReply]
    var now: Moment

    var reply: Page<QuarantineReply> { Page(items: items) }

    func text(_ style: Style) -> String {
        guard !items.isEmpty else { return "nothing is in quarantine" }
        var table = Table([
            .init("item", number: true), .init("code", .cutFirst), .init("where", .cutFirst),
            .init("reason", .cutLast), .init("since"), .init("attempts", number: true),
        ])
        for item in items {
            table.add([
                .init(String(item.id)), .init(item.code, .bad), .init(place(of: item)), .init(item.reason),
                .init(Words.ago(item.since, now: now)), .init(String(item.attempts)),
            ])
        }
        return table.text(style)
    }

    private func place(of item: QuarantineReply) -> String {
        if let file = item.file, let offset = item.offset { return "\(file) at byte \(offset)" }
        return "\(item.source.rawValue) " + [item.collection, item.record].compactMap { $0 }.joined(separator: "/")
    }
}

/// The conflicts that were decided.
struct ConflictsAnswer: Answer {
    var conflicts: [ConflictReply]
    var now: Moment

    var reply: Page<ConflictReply> { Page(items: conflicts) }

    func text(_ style: Style) -> String {
        guard !conflicts.isEmpty else { return "no conflict was decided" }
        var table = Table([
            .init("conflict", number: true), .init("record"), .init("when"), .init("rule", .cutFirst),
            .init("won", .cutLast), .init("lost", .cutLast),
        ])
        for conflict in conflicts {
            table.add([
                .init(String(conflict.id)), .init(Words.shortID(conflict.record, style)),
                .init(Words.ago(conflict.at, now: now)), .init(conflict.rule),
                .init(ConflictsAnswer.shown(conflict.winner, besides: conflict.loser)),
                .init(ConflictsAnswer.shown(conflict.loser, besides: conflict.winner), .faint),
            ])
        }
        return table.text(style)
    }

    /// The fields of a version in which it differs from the other one.
    static func shown(_ side: ConflictReply.Side, besides other: ConflictReply.Side) -> String {
        if side.deleted { return "deleted" }
        let own = side.fields.filter { $0.value != other.fields[$0.key] }.sorted { $0.key < $1.key }
        return own.isEmpty
            ? "(the same fields)" : own.map { "\($0.key)=\(Words.value($0.value))" }.joined(separator: " ")
    }
}

/// Why a record is as it is.
struct WhyAnswer: Answer {
    struct Reply: Encodable {
        var record: RecordReply
        var holds: [HoldReply]
        var quarantine: [QuarantineReply]
        var conflicts: [ConflictReply]
    }

    var record: RecordReply
    var schema: CollectionSchema
    var holds: [HoldReply]
    var quarantine: [QuarantineReply]
    var conflicts: [ConflictReply]
    var now: Moment

    var reply: Reply { Reply(record: record, holds: holds, quarantine: quarantine, conflicts: conflicts) }

    func text(_ style: Style) -> String {
        var parts = [RecordAnswer(reply: record, schema: schema).text(style), base]
        if record.pending, !holds.isEmpty { parts.append(HoldsAnswer(holds: holds, now: now).text(style)) }
        if !quarantine.isEmpty { parts.append(QuarantineAnswer(items: quarantine, now: now).text(style)) }
        if !conflicts.isEmpty {
            let table = ConflictsAnswer(conflicts: conflicts, now: now).text(style)
            parts.append(table + "\nbring a loser back with: moviesync restore CONFLICT")
        }
        return parts.joined(separator: "\n\n")
    }

    private var base: String {
        guard let base = record.base else { return "The remote is not known to have it." }
        guard let stamp = base.stamp else { return "The remote has it from an app that writes no stamps." }
        return stamp == record.stamp
            ? "The remote has exactly this version." : "The remote has another version, of stamp \(stamp)."
    }
}
