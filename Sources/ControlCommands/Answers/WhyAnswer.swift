internal import ControlAPI
internal import SyncModel

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
            parts.append(table + "\nrestore a losing version with: moviesync restore CONFLICT")
        }
        return parts.joined(separator: "\n\n")
    }

    private var base: String {
        guard let base = record.base else { return "The remote is not known to have it." }
        guard let stamp = base.stamp else { return "The remote has a version without a stamp, written by an app." }
        return stamp == record.stamp
            ? "The remote has exactly this version." : "The remote has another version, with the stamp \(stamp)."
    }
}
