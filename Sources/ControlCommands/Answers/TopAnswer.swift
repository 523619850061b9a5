internal import ControlAPI

/// What goes through the daemon: two looks at its status, and what has come between them.
struct TopAnswer: Answer {
    /// How much there was in a second.
    struct Rates: Encodable, Hashable {
        var lines: Double
        var changes: Double
        var requests: Double
        var bytesSent: Double
        var bytesReceived: Double
    }

    struct Reply: Encodable {
        /// The time between the looks.
        var seconds: Double
        var perSecond: Rates
        var status: StatusSnapshot
    }

    let reply: Reply
    private let now: Moment

    /// - Parameters:
    ///   - before: the look before; where another run of the daemon answered it, nothing has come yet.
    ///   - seconds: how long ago that was, above 0.
    init(_ before: StatusSnapshot, _ status: StatusSnapshot, seconds: Double, now: Moment) {
        func rate(_ value: (StatusSnapshot) -> Int64) -> Double {
            guard before.pid == status.pid, before.startedAt == status.startedAt else { return 0 }
            return Double(max(0, value(status) - value(before))) / seconds
        }
        self.now = now
        reply = Reply(
            seconds: seconds,
            perSecond: Rates(
                lines: rate { Int64($0.journal.lines) }, changes: rate { $0.lastChange },
                requests: rate { Int64($0.remote.requests) }, bytesSent: rate { Int64($0.remote.bytesSent) },
                bytesReceived: rate { Int64($0.remote.bytesReceived) }),
            status: status)
    }

    func text(_ style: Style) -> String {
        let status = reply.status
        let line = Printable.text(StatusLine(status, fault: status.journal.lastError, now: now).description)
        return ["moviesync  \(status.version)  \(line)", traffic(style), collections(style)].joined(separator: "\n\n")
    }

    private func traffic(_ style: Style) -> String {
        let (status, rates) = (reply.status, reply.perSecond)
        var table = Table([.init("traffic"), .init("a second", number: true), .init("in all", number: true)])
        func add(_ name: String, _ rate: Double, _ total: Int64, bytes: Bool = false) {
            func shown(_ number: Int64) -> String {
                bytes ? Formatted.bytes(UInt64(max(0, number))) : Formatted.count(number)
            }
            table.add([.init(name), .init(shown(Int64(rate.rounded()))), .init(shown(total))])
        }
        add("journal lines", rates.lines, Int64(status.journal.lines))
        add("changes", rates.changes, status.lastChange)
        add("requests", rates.requests, Int64(status.remote.requests))
        add("sent", rates.bytesSent, Int64(status.remote.bytesSent), bytes: true)
        add("received", rates.bytesReceived, Int64(status.remote.bytesReceived), bytes: true)
        return table.text(style)
    }

    private func collections(_ style: Style) -> String {
        var table = Table([
            .init("collection", .cutLast, .most), .init("records", number: true, .whole, .much),
            .init("pending", number: true, .whole, .much),
            .init("oldest", number: true), .init("quarantine", number: true),
        ])
        for (name, counts) in reply.status.collections.sorted(by: { $0.key < $1.key }) {
            let oldest = counts.oldestPendingSeconds.map { Formatted.span(seconds: $0) } ?? "-"
            table.add([
                .init(name), .init(Formatted.count(counts.records)),
                .init(Formatted.count(counts.pending), counts.pending > 0 ? .warning : nil), .init(oldest),
                .init(Formatted.count(counts.quarantined), counts.quarantined > 0 ? .bad : nil),
            ])
        }
        return table.text(style)
    }
}
