internal import FoundationEssentials

/// Which messages are written, of those that come again by themselves while their cause lasts: the first, and then one
/// in ten minutes, with the number of those that were left out.
package struct Repetition: Sendable {
    /// The events that a retry logs each time. What answers a person, or tells of one record, is never left out.
    private static let events: Set<String> = [
        "catalog.failed", "connection.accept.failed", "engine.failed", "feed.failed", "heartbeat.failed",
        "journal.failed", "state.failed",
    ]
    private static let pause: TimeInterval = 600
    /// How many different messages are remembered; the one that was written longest ago is forgotten.
    private static let capacity = 64

    private struct Message: Hashable {
        var event: String
        var facts: [String]
    }

    private var known: [Message: (writtenAt: Date, leftOut: Int)] = [:]

    package init() {}

    /// The entry as it is to be written; nil where it is counted only.
    package mutating func admit(_ entry: LogEntry) -> LogEntry? {
        guard let event = entry.event, Self.events.contains(event) else { return entry }
        let message = Message(event: event, facts: entry.facts.map { "\($0.key)=\($0.value)" })
        if let last = known[message], entry.time.timeIntervalSince(last.writtenAt) < Self.pause,
            entry.time >= last.writtenAt
        {
            known[message]?.leftOut += 1
            return nil
        }
        let leftOut = known[message]?.leftOut ?? 0
        if known.count == Self.capacity, known[message] == nil,
            let oldest = known.min(by: { $0.value.writtenAt < $1.value.writtenAt })
        {
            known[oldest.key] = nil
        }
        known[message] = (entry.time, 0)
        var entry = entry
        if leftOut > 0 { entry.facts.append(("repeated", String(leftOut))) }
        return entry
    }
}
