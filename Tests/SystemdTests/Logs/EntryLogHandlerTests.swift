import Logging
import Synchronization
import Systemd
import Testing

@Suite struct EntryLogHandlerTests {
    private final class Collected: LogSink {
        let entries = Mutex<[LogEntry]>([])
        func write(_ entry: LogEntry) { entries.withLock { $0.append(entry) } }
    }

    @Test func `the logger's metadata stands under the event's`() {
        let collected = Collected()
        var logger = Logger(label: "x") { _ in EntryLogHandler(sink: collected, threshold: LogThreshold(.info)) }
        logger[metadataKey: "collection"] = "movies"
        logger[metadataKey: "code"] = "old"
        logger.info("Said", metadata: ["code": "new", "event": "word.said"])
        let entry = collected.entries.withLock { $0.first }
        #expect(entry?.sentence == "Said code=new collection=movies")
        #expect(entry?.event == "word.said")
    }

    @Test func `the shared threshold changes loggers that exist`() {
        let collected = Collected()
        let threshold = LogThreshold(.warning)
        let logger = Logger(label: "x") { _ in EntryLogHandler(sink: collected, threshold: threshold) }
        logger.info("Not yet")
        threshold.level = .debug
        logger.debug("Now")
        #expect(collected.entries.withLock { $0.map(\.message) } == ["Now"])
    }

    @Test func `a logger's own level is a value`() {
        let threshold = LogThreshold(.info)
        let first = Logger(label: "x") { _ in EntryLogHandler(sink: Collected(), threshold: threshold) }
        var second = first
        second.logLevel = .error
        #expect(first.logLevel == .info)
        #expect(second.logLevel == .error)
    }
}
