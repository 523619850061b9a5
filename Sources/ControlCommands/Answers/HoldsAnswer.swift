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
                """
        }
        .joined(separator: "\n")
    }
}
