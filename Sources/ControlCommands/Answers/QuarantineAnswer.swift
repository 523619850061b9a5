internal import ControlAPI

/// What can't be processed.
struct QuarantineAnswer: Answer {
    var items: [QuarantineReply]
    var now: Moment

    var reply: Page<QuarantineReply> { Page(items: items) }

    func text(_ style: Style) -> String {
        guard !items.isEmpty else { return "the quarantine is empty" }
        var table = Table([
            .init("item", number: true, .whole, .most), .init("code", .cutFirst, .much), .init("where", .cutFirst),
            .init("reason", .cutLast, .most), .init("since"), .init("attempts", number: true),
        ])
        for item in items {
            table.add([
                .init(String(item.id)), .init(item.code, .bad), .init(place(of: item)), .init(item.reason),
                .init(Formatted.ago(item.since, now: now)), .init(String(item.attempts)),
            ])
        }
        return table.text(style)
    }

    private func place(of item: QuarantineReply) -> String {
        if let file = item.file, let offset = item.offset { return "\(file) at byte \(offset)" }
        return "\(item.source.rawValue) " + [item.collection, item.record].compactMap { $0 }.joined(separator: "/")
    }
}
