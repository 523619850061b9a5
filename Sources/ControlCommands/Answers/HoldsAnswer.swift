internal import ControlAPI

/// What waits for a decision, with the commands to decide it.
struct HoldsAnswer: Answer {
    var holds: [HoldReply]
    var now: Moment

    var reply: Page<HoldReply> { Page(items: holds) }

    func text(_ style: Style) -> String {
        guard !holds.isEmpty else { return "no holds" }
        return holds.map { hold in
            let place = [hold.collection, hold.direction].compactMap { $0 }.joined(separator: ", ")
            let since = "since \(Formatted.ago(hold.since, now: now))".replacing(" ago", with: "")
            let approve = hold.approve.map { "   \(Printable.text($0))" } ?? ""
            let reject = hold.reject.map { "    \(Printable.text($0))" } ?? ""
            return """
                \(style.paint("hold \(hold.id): \(hold.kind)", .warning)) (\(place.isEmpty ? since : "\(place), \(since)"))
                  \(Printable.text(hold.reason))
                  moviesync approve \(hold.id)\(approve)
                  moviesync reject \(hold.id)\(reject)
                """ + records(of: hold, style)
        }
        .joined(separator: "\n")
    }

    /// The records that wait, with what each answer does to them.
    private func records(of hold: HoldReply, _ style: Style) -> String {
        guard let records = hold.records, !records.isEmpty else { return "" }
        let shown = records.prefix(HoldsAnswer.mostShown)
        var table = Table([
            .init("  title", .cutLast, .most), .init("id", .whole, .much), .init("approve", .cutFirst),
            .init("reject", .cutFirst),
        ])
        for record in shown {
            table.add([
                .init("  " + record.title), .init(record.id, .faint),
                .init(record.what.approve), .init(record.what.reject),
            ])
        }
        let rest = (hold.count ?? records.count) - shown.count
        return "\n" + table.text(style) + (rest > 0 ? "\n  and \(Formatted.count(rest)) more" : "")
    }

    /// More rows than these help nobody.
    private static let mostShown = 10
}
