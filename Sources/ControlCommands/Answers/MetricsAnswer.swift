/// The daemon's counters in Prometheus' text format.
struct MetricsAnswer: Answer {
    struct Reply: Codable {
        var text: String
    }

    var reply: Reply

    func text(_ style: Style) -> String { reply.text.hasSuffix("\n") ? String(reply.text.dropLast()) : reply.text }
}
