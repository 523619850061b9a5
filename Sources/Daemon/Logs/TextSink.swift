internal import FoundationEssentials
internal import Logging
internal import Systemd

/// Writes entries as lines for people: time, level, message, facts.
struct TextSink: LogSink {
    func write(_ entry: LogEntry) { StandardError.writeLine(Self.line(entry)) }

    static func line(_ entry: LogEntry) -> String {
        let time = entry.time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let level = entry.level.rawValue + String(repeating: " ", count: max(0, 8 - entry.level.rawValue.count))
        return "\(time) \(level) \(entry.sentence)" + (entry.event.map { " event=\($0)" } ?? "")
    }
}
