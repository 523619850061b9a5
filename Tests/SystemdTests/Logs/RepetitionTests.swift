import FoundationEssentials
import Logging
import Systemd
import Testing

@Suite struct RepetitionTests {
    private var repetition = Repetition()

    private mutating func admitted(_ event: String, _ reason: String, at seconds: Double) -> LogEntry? {
        let said = LogEvent(
            level: .error, message: "It failed", metadata: nil, source: nil, file: "F", function: "f", line: 1)
        let metadata: Logger.Metadata = ["event": "\(event)", "reason": "\(reason)"]
        return repetition.admit(LogEntry(said, metadata: metadata, time: Date(timeIntervalSince1970: seconds)))
    }

    @Test mutating func `what comes again is counted, and told once in ten minutes`() {
        #expect(admitted("state.failed", "full", at: 1)?.facts.map(\.key) == ["reason"])
        #expect(admitted("state.failed", "full", at: 2) == nil)
        #expect(admitted("state.failed", "full", at: 600) == nil)
        #expect(admitted("state.failed", "full", at: 601)?.facts.last?.value == "2")
        #expect(admitted("state.failed", "full", at: 700) == nil)
    }

    @Test mutating func `another reason, and an event that a person caused, are told each time`() {
        #expect(admitted("state.failed", "full", at: 1) != nil)
        #expect(admitted("state.failed", "read-only", at: 1) != nil)
        for _ in 1...2 { #expect(admitted("configuration.rejected", "x", at: 1) != nil) }
    }

    @Test mutating func `a clock that was set back silences nothing`() {
        #expect(admitted("state.failed", "full", at: 1_000) != nil)
        #expect(admitted("state.failed", "full", at: 10) != nil)
    }

    @Test mutating func `the memory of messages is limited`() {
        for number in 0..<65 { #expect(admitted("state.failed", "\(number)", at: Double(number)) != nil) }
        #expect(admitted("state.failed", "0", at: 100) != nil)
        #expect(admitted("state.failed", "64", at: 100) == nil)
    }
}
