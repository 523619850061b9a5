internal import ControlAPI
internal import SyncModel

/// Why a record is as it is.
struct WhyAnswer: Answer {
    var reply: WhyReply
    var schema: CollectionSchema
    var now: Moment

    func text(_ style: Style) -> String {
        let record = reply.record
        let title = Formatted.value(record.fields[schema.titleField])
        let what = record.deleted ? "deleted, " : ""
        var parts = [
            Printable.text([record.collection + "/" + record.id, title].filter { !$0.isEmpty }.joined(separator: "  "))
                + "\n" + what + record.standing(style)
        ]
        if !reply.fields.isEmpty { parts.append(fields(style)) }
        parts.append(base)
        if !reply.holds.isEmpty { parts.append(HoldsAnswer(holds: reply.holds, now: now).text(style)) }
        if !reply.quarantine.isEmpty { parts.append(QuarantineAnswer(items: reply.quarantine, now: now).text(style)) }
        if !reply.conflicts.isEmpty {
            let table = ConflictsAnswer(conflicts: reply.conflicts, now: now).text(style)
            parts.append(table + "\nrestore a losing version with: moviesync restore CONFLICT")
        }
        return parts.joined(separator: "\n\n")
    }

    private func fields(_ style: Style) -> String {
        var table = Table([
            .init("field", .whole, .most), .init("value", .cutLast, .most), .init("set by"), .init("when"),
            .init("stamp", .cutFirst),
            .init("remote", .cutLast),
        ])
        let byName = Dictionary(reply.fields.map { ($0.name, $0) }) { first, _ in first }
        for field in schema.inOrder(byName.keys).compactMap({ byName[$0] }) {
            table.add([
                .init(field.name, .strong), .init(field.value.map { Formatted.value($0) } ?? "(none)"),
                .init(field.who ?? (field.value == nil ? "-" : "nobody: the default")),
                .init(field.at.map { Formatted.ago($0, now: now) } ?? "-"),
                .init(field.stamp ?? "-", .faint), remote(field),
            ])
        }
        return table.text(style)
    }

    private func remote(_ field: WhyReply.Field) -> Table.Cell {
        switch field.onRemote {
        case nil: Table.Cell("-")
        case true?: Table.Cell("the same", .good)
        case false?: Table.Cell(field.remote.map { Formatted.value($0) } ?? "(none)", .warning)
        }
    }

    private var base: String {
        if reply.record.deleted { return standingOfDeletion }
        guard let base = reply.record.base else { return "The remote is not known to have it." }
        let has = "The remote " + (base.isOutdated == true ? "was last known to have" : "has")
        guard let stamp = base.stamp else { return "\(has) a version without a stamp, written by an app." }
        return stamp == reply.record.stamp
            ? "\(has) exactly this version." : "\(has) another version, with the stamp \(stamp)."
    }

    private var standingOfDeletion: String {
        guard let base = reply.record.base else {
            return reply.record.pending
                ? "The remote does not have the record, and is not told of the deletion yet."
                : "The remote does not have the record any more."
        }
        let version =
            base.stamp.map { "a version, with the stamp \($0)" } ?? "a version without a stamp, written by an app"
        return "The remote \(base.isOutdated == true ? "was last known to have" : "still has") \(version)."
    }
}
