import FoundationEssentials
import JSONText
import Logging
import SyncModel
import Systemd
import Testing

@testable import Daemon

@Suite struct SinkTests {
    @Test func `a text line has time, level, message, facts and event`() {
        #expect(
            TextSink.line(entry(["event": "word.said", "path": "a b"]))
                == #"1970-01-01T00:00:01.500Z warning  Said path="a b" event=word.said"#)
    }

    @Test func `a JSON line is a flat object`() throws {
        let line = JSONSink.line(entry(["event": "word.said", "path": "a\nb", "level": "x", "list": ["1", "2"]]))
        #expect(line.last == UInt8(ascii: "\n"))
        #expect(line.dropLast().contains(UInt8(ascii: "\n")) == false)
        let object = try JSONReader.members(line)
        #expect(
            object == [
                "time": "1970-01-01T00:00:01.500Z", "level": "warning", "event": "word.said", "message": "Said",
                "path": "a\nb", "_level": "x", "list": #"["1", "2"]"#,
            ])
    }

    @Test func `what is counted is a number, and what only looks like one is text`() throws {
        let facts: Logger.Metadata = [
            "count": "12", "offset": "9007199254740993", "seconds": "0.25", "hold": "-", "node": "1234567890123456",
            "version": "1.0", "event": "word.said", "length": "007",
        ]
        let object = try JSONReader.members(JSONSink.line(entry(facts)))
        #expect(object["count"] == 12 && object["offset"] == 9_007_199_254_740_993 && object["seconds"] == 0.25)
        #expect(object["hold"] == "-" && object["node"] == "1234567890123456" && object["version"] == "1.0")
        #expect(object["length"] == "007")
    }

    @Test func `auto looks at standard error`() {
        #expect(Logs.sink(for: .auto, isJournal: true, hasJournal: true, isTerminal: false) is JournalSink)
        #expect(Logs.sink(for: .auto, isJournal: false, hasJournal: true, isTerminal: true) is TextSink)
        #expect(Logs.sink(for: .auto, isJournal: false, hasJournal: true, isTerminal: false) is JSONSink)
        #expect(Logs.sink(for: .text, isJournal: true, hasJournal: true, isTerminal: false) is TextSink)
        #expect(Logs.sink(for: .journald, isJournal: false, hasJournal: true, isTerminal: true) is JournalSink)
        #expect(Logs.sink(for: .journald, isJournal: false, hasJournal: false, isTerminal: true) is TextSink)
        #expect(Logs.sink(for: .journald, isJournal: false, hasJournal: false, isTerminal: false) is JSONSink)
    }

    @Test(arguments: [nil, "", "0:0", "nonsense"]) func `a stranger's journal is not ours`(_ stream: String?) {
        #expect(!StandardError.isJournal(journalStream: stream))
    }

    private func entry(_ metadata: Logger.Metadata) -> LogEntry {
        let event = LogEvent(
            level: .warning, message: "Said", metadata: nil, source: nil, file: "F", function: "f", line: 1)
        return LogEntry(event, metadata: metadata, time: Date(timeIntervalSince1970: 1.5))
    }
}
