internal import FoundationEssentials
internal import JSONText
internal import Logging
internal import SyncModel
internal import Systemd

/// Writes entries as flat JSON objects, one a line: `time`, `level`, `event`, `message` and a key for each fact.
///
/// A fact whose key is one of these four gets an underscore in front. All values are strings.
struct JSONSink: LogSink {
    func write(_ entry: LogEntry) { StandardError.write(Self.line(entry)) }

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
            JSONWriter.append(value, to: &line)
        }
        line += Array("}\n".utf8)
        return line
    }
}
