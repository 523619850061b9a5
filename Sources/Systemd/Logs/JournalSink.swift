internal import CSystemd
internal import Glibc
internal import Logging

/// Writes entries to the systemd journal with their facts as fields of their own.
///
/// `MESSAGE` is the whole sentence, because that is all that `journalctl` shows by itself.
package struct JournalSink: LogSink {
    package init() {}

    /// Whether systemd's journal runs here: where it does not, its library takes entries and drops them.
    package static var isReachable: Bool { access("/run/systemd/journal/socket", W_OK) == 0 }

    package func write(_ entry: LogEntry) {
        let assignments = Self.fields(of: entry).map { Array("\($0.name)=\($0.value)".utf8) }
        var flat = assignments.flatMap(\.self)
        flat.withUnsafeMutableBytes { bytes in
            var offset = 0
            let vectors = assignments.map { assignment in
                defer { offset += assignment.count }
                return iovec(iov_base: bytes.baseAddress?.advanced(by: offset), iov_len: assignment.count)
            }
            _ = sd_journal_sendv(vectors, Int32(vectors.count))
        }
    }

    /// The journal fields of an entry: the standard ones, then `MOVIESYNC_` and the key for each fact.
    ///
    /// A field's name is made of capital letters, digits and underscores only, at most 64; values are taken as they
    /// are.
    package static func fields(of entry: LogEntry) -> [(name: String, value: String)] {
        var fields = [
            ("MESSAGE", entry.sentence), ("PRIORITY", String(priority(entry.level))),
            ("SYSLOG_IDENTIFIER", "moviesyncd"), ("CODE_FILE", entry.file), ("CODE_LINE", String(entry.line)),
            ("CODE_FUNC", entry.function),
        ]
        if let event = entry.event {
            fields.append(("MOVIESYNC_EVENT", event))
            if let id = AlertableEvent.messageID(of: event) { fields.append(("MESSAGE_ID", id)) }
        }
        return fields + entry.facts.map { (fieldName($0.key), $0.value) }
    }

    private static func fieldName(_ key: String) -> String {
        var name = "MOVIESYNC_"
        var previousIsLower = false
        for byte in key.utf8 {
            let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            if isUpper, previousIsLower { name.append("_") }
            previousIsLower = isLower || isDigit
            name.append(isLower || isUpper || isDigit ? String(UnicodeScalar(byte)).uppercased() : "_")
        }
        return String(name.prefix(64))
    }

    private static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
