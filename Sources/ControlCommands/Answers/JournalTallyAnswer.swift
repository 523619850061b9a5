internal import ControlAPI

/// What a journal says, and what it would do to a state that has nothing.
struct JournalTallyAnswer: Answer {
    struct Reply: Encodable {
        var file: String
        var lines: Int
        var bad: Int
        /// Lines whose `opID` came before.
        var repeated: Int
        var withoutTime: Int
        var earliest: Moment?
        var latest: Moment?
        var collections: [String: JournalTally.Collection]
    }

    var file: String
    var check: JournalCheck
    var tally: JournalTally
    /// Whether it is told what would be, not what stands there.
    var isReplay = false

    var reply: Reply {
        Reply(
            file: file, lines: check.lines, bad: check.bad.count, repeated: tally.repeated,
            withoutTime: tally.withoutTime, earliest: tally.earliest.map { Moment(milliseconds: $0) },
            latest: tally.latest.map { Moment(milliseconds: $0) }, collections: tally.collections)
    }

    func text(_ style: Style) -> String {
        var table = Table(
            [.init("collection", .cutLast, .most)] + names.map { .init($0, number: true) })
        for (name, counts) in tally.collections.sorted(by: { $0.key < $1.key }) {
            table.add([.init(name)] + numbers(counts).map { .init(Formatted.count($0)) })
        }
        var parts = isReplay ? ["counted from nothing: what this node has already is not looked at"] : []
        if !tally.collections.isEmpty { parts.append(table.text(style)) }
        var facts = ["\(Printable.text(file)): \(Formatted.count(check.lines, "line"))"]
        if !check.bad.isEmpty { facts.append("\(Formatted.count(check.bad.count)) for the quarantine") }
        if tally.repeated > 0 {
            facts.append("\(Formatted.count(tally.repeated)) without effect, as their opID came before")
        }
        if tally.withoutTime > 0 { facts.append("\(Formatted.count(tally.withoutTime)) without a time") }
        if let earliest = reply.earliest, let latest = reply.latest { facts.append("from \(earliest) to \(latest)") }
        parts.append(facts.joined(separator: ", "))
        if isReplay { parts.append("nothing was changed") }
        return parts.joined(separator: "\n")
    }

    private var names: [String] {
        isReplay
            ? ["records", "deleted", "updates in quarantine"] : ["records", "creates", "updates", "deletes"]
    }

    private func numbers(_ counts: JournalTally.Collection) -> [Int] {
        isReplay
            ? [counts.live, counts.records - counts.live, counts.updatesOfUnknown]
            : [counts.records, counts.creates, counts.updates, counts.deletes]
    }
}
