import Glibc
import JournalTail
import TestSupport
import Testing

/// Changes far from both ends of a long journal, which only reading it again can show.
@Suite struct ChangedJournalTests {
    private let folder: TemporaryFolder
    /// 3 MiB.
    private static let count = 3 << 13

    init() throws { folder = try TemporaryFolder() }
    private var journal: String { folder("journal.jsonl") }

    /// A line of 128 bytes with its end.
    private static func line(_ number: Int, _ word: String = "line") -> String {
        let start = "\(word) \(number) "
        return start + String(repeating: "-", count: 127 - start.utf8.count)
    }

    private func append(_ numbers: Range<Int>) {
        Files.write(numbers.map { Self.line($0) + "\n" }.joined(), to: journal)
    }

    private func change(line: Int, in path: String? = nil) {
        Files.overwrite(Self.line(line, "LINE"), at: line * 128, in: path ?? journal)
    }

    /// A tail that has read the long journal, and found nothing wrong with it.
    private func caughtUp(_ start: JournalTail.Start = .init(nil)) async throws -> RunningTail {
        append(0..<Self.count)
        let tail = RunningTail(journal, from: start)
        try await tail.wait("all lines") { $0.lines.count == Self.count && $0.words.contains("caughtUp") }
        return tail
    }

    @Test(.inTurn, .timeLimit(.minutes(1)), arguments: [0, 1, 600, 9_000, 3 << 13 - 600])
    func `a line changed while the tail runs`(_ line: Int) async throws {
        let tail = try await caughtUp()
        change(line: line)
        try await tail.wait("the question") { $0.words.last == "rewritten" }
        #expect(tail.now.lines.count == Self.count)
        _ = try await tail.stop()
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `a line changed and others appended in the same moment`() async throws {
        let tail = try await caughtUp()
        change(line: 9_000)
        append(Self.count..<(Self.count + 5))
        try await tail.wait("the question") { $0.words.last == "rewritten" }
        _ = try await tail.stop()
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `a line changed while nothing ran, and what is appended does not wait for the check`() async throws {
        let position = try await caughtUp().stop()
        change(line: 9_000)
        append(Self.count..<(Self.count + 5))
        let again = RunningTail(journal, resumingAt: position)
        try await again.wait("the question") { $0.words.last == "rewritten" }
        #expect(again.now.lines == (Self.count..<(Self.count + 5)).map { Self.line($0) })
        _ = try await again.stop()
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `a line changed just before the file is renamed`() async throws {
        let tail = try await caughtUp()
        change(line: 9_000)
        rename(journal, folder("journal.jsonl.1"))
        Files.write("new\n", to: journal)
        try await tail.wait("the question") { $0.words.last == "rewritten" }
        #expect(tail.now.lines.count == Self.count)
        _ = try await tail.stop()
        let present = try #require(tail.now.present)
        let on = RunningTail(journal, resumingAt: present)
        try await on.wait("the new file") { $0.lines == ["new"] }
        _ = try await on.stop()
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `a line changed in place, and what was not read follows whatever is decided`() async throws {
        append(0..<4)
        let tail = RunningTail(journal)
        try await tail.wait("all lines") { $0.lines.count == 4 && $0.words.contains("caughtUp") }
        let position = try await tail.stop()
        change(line: 0)
        append(4..<6)
        let again = RunningTail(journal, resumingAt: position)
        try await again.wait("the question") { $0.words.last == "rewritten" }
        _ = try await again.stop()
        let present = try #require(again.now.present)
        let on = RunningTail(journal, resumingAt: present)
        let anew = RunningTail(journal, resumingAt: present.restarted)
        try await on.wait("what was not read") { $0.lines == [Self.line(4), Self.line(5)] }
        try await anew.wait("all of it") { $0.lines.count == 6 && $0.lines[0] == Self.line(0, "LINE") }
        _ = try await (on.stop(), anew.stop())
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `what comes into a journal that was copied and emptied right after a start was not there at the start`()
        async throws
    {
        append(0..<4)
        let tail = RunningTail(journal)
        try await tail.wait("all lines") { $0.lines.count == 4 && $0.words.contains("caughtUp") }
        let position = try await tail.stop()
        append(4..<6)
        let backlog = JournalBacklog(beside: journal)
        Files.write(Files.read(journal), to: folder("journal.jsonl.1"))
        truncate(journal, 0)
        append(6..<7)
        let again = RunningTail(journal, from: .init(position, backlog: backlog))
        try await again.wait("all others") { $0.lines.count == 3 }
        #expect(again.now.lines == (4..<7).map { Self.line($0) })
        #expect(again.now.backlog == (4..<6).map { Self.line($0) })
        _ = try await again.stop()
    }

    @Test(.inTurn, .timeLimit(.minutes(1)), arguments: [2, 9])
    func `what came into a journal that was copied and emptied before a start was there at the start`(count: Int)
        async throws
    {
        append(0..<4)
        let tail = RunningTail(journal)
        try await tail.wait("all lines") { $0.lines.count == 4 && $0.words.contains("caughtUp") }
        let position = try await tail.stop()
        Files.write(Files.read(journal), to: folder("journal.jsonl.1"))
        Files.tick()
        truncate(journal, 0)
        // Fewer bytes than were consumed, or more.
        append(4..<4 + count)
        let backlog = JournalBacklog(beside: journal)
        append(4 + count..<5 + count)
        let again = RunningTail(journal, from: .init(position, backlog: backlog))
        try await again.wait("all others") { $0.lines.count == count + 1 }
        #expect(again.now.backlog == (4..<4 + count).map { Self.line($0) })
        _ = try await again.stop()
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `a line changed again after a decision`() async throws {
        let tail = try await caughtUp()
        change(line: 9_000)
        try await tail.wait("the question") { $0.words.last == "rewritten" }
        _ = try await tail.stop()
        let present = try #require(tail.now.present)
        let on = RunningTail(journal, resumingAt: present)
        // What stands there must be known before it can be seen to change.
        try await on.wait("the sum of all blocks") { $0.position?.blocks != nil && $0.words.last == "caughtUp" }
        change(line: 700)
        try await on.wait("the question again") { $0.words.last == "rewritten" }
        _ = try await on.stop()
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `nothing is asked about a journal that only grows`() async throws {
        let tail = try await caughtUp()
        for number in 0..<40 {
            append((Self.count + number)..<(Self.count + number + 1))
            try await tail.wait("line \(number)") { $0.lines.count == Self.count + number + 1 }
        }
        let position = try await tail.stop()
        let again = RunningTail(journal, resumingAt: position)
        append(0..<1)
        try await again.wait("one more") { $0.lines.count == 1 }
        #expect(!tail.now.words.contains("rewritten") && !again.now.words.contains("rewritten"))
        _ = try await again.stop()
    }
}
