import FoundationEssentials
import Logging
import Systemd
import Testing

@Suite struct LogEntryTests {
    @Test(arguments: [
        ("plain", "Said path=plain"), ("two words", #"Said path="two words""#), ("", #"Said path="""#),
        ("a\nb", #"Said path=a\nb"#), (#"say "hi""#, #"Said path="say \"hi\"""#),
        ("\u{1B}[2J", #"Said path=\u{1b}[2J"#),
        ("a\u{2028}b", #"Said path=a\u{2028}b"#), ("x\u{202E}y", #"Said path=x\u{202e}y"#),
        ("k=v", #"Said path="k=v""#),
    ])
    func `a value stays on its line`(value: String, sentence: String) {
        #expect(entry("Said", ["path": "\(value)"]).sentence == sentence)
    }

    @Test func `the event is no fact`() {
        let entry = entry("Said", ["event": "word.said", "b": "2", "a": "1"])
        #expect(entry.event == "word.said")
        #expect(entry.facts.map(\.key) == ["a", "b"])
    }

    @Test func `the journal gets fields of its own`() {
        let entry = entry(
            "Rejected", ["event": "journal.line.rejected", "retryAt": "now", "a-b": "x\ny"], level: .warning)
        let fields = Dictionary(uniqueKeysWithValues: JournalSink.fields(of: entry).map { ($0.name, $0.value) })
        #expect(fields["MESSAGE"] == #"Rejected a-b=x\ny retryAt=now"#)
        #expect(fields["PRIORITY"] == "4")
        #expect(fields["MOVIESYNC_EVENT"] == "journal.line.rejected")
        #expect(fields["MESSAGE_ID"] == "7bcc3754c3684a8ebe4e44ddc1e5ae45")
        #expect(fields["MOVIESYNC_RETRY_AT"] == "now")
        #expect(fields["MOVIESYNC_A_B"] == "x\ny")
        #expect(fields["SYSLOG_IDENTIFIER"] == "moviesyncd")
    }

    @Test func `only alertable events have a message ID`() {
        #expect(!JournalSink.fields(of: entry("Said", ["event": "word.said"])).contains { $0.name == "MESSAGE_ID" })
    }

    @Test func `message IDs are distinct and well formed`() {
        let ids = AlertableEvent.all.map(\.messageID)
        #expect(Set(ids).count == ids.count)
        for id in ids {
            #expect(id.count == 32)
            #expect(id.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        }
    }

    private func entry(_ message: String, _ metadata: Logger.Metadata, level: Logger.Level = .info) -> LogEntry {
        let event = LogEvent(
            level: level, message: "\(message)", metadata: nil, source: nil, file: "F", function: "f", line: 1)
        return LogEntry(event, metadata: metadata, time: Date(timeIntervalSince1970: 0))
    }
}
