internal import FoundationEssentials
internal import JSONText
internal import Logging
internal import SyncModel
internal import Systemd

/// Writes entries as flat JSON objects, one a line: `time`, `level`, `event`, `message` and a key for each fact.
///
/// A fact whose key is one of these four gets an underscore in front. Values are strings, but for what is counted or
/// measured: a number has no unit, a text that begins with one says it.
struct JSONSink: LogSink {
    func write(_ entry: LogEntry) { StandardError.write(Self.line(entry)) }

    /// The facts that are numbers in every entry that has them.
    private static let numbers: Set<String> = [
        "after", "attempts", "bytes", "compared", "conflict", "count", "differences", "entries", "failures",
        "hold", "left", "length", "line", "offset", "open", "pid", "port", "records", "repaired", "repeated", "seconds",
        "seq", "size", "tombstones", "user",
    ]

    private static func number(_ text: String) -> [UInt8]? {
        guard let value = try? JSONReader.value(text.utf8) else { return nil }
        switch value {
        case .integer, .number: return Array(text.utf8)
        default: return nil
        }
    }

    static func line(_ entry: LogEntry) -> [UInt8] {
        let own: [(String, String?)] = [
            ("time", entry.time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            ("level", entry.level.rawValue), ("event", entry.event), ("message", entry.message),
        ]
        let names = Set(own.map(\.0))
        let facts = entry.facts.map { (names.contains($0.key) ? "_" + $0.key : $0.key, Optional($0.value)) }
        var line = [UInt8(ascii: "{")]
        for (key, value) in own + facts {
            guard let value else { continue }
            if line.count > 1 { line.append(UInt8(ascii: ",")) }
            JSONWriter.append(key, to: &line)
            line.append(UInt8(ascii: ":"))
            if numbers.contains(key), let number = number(value) {
                line += number
            } else {
                JSONWriter.append(value, to: &line)
            }
        }
        line += Array("}\n".utf8)
        return line
    }
}
