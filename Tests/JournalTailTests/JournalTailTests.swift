import Glibc
import JournalTail
import OperatingSystem
import Synchronization
import TestSupport
import Testing

@Suite struct JournalTailTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }
    private var journal: String { folder("journal.jsonl") }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `ten concurrent appenders arrive complete`() async throws {
        let tail = RunningTail(journal)
        let path = journal
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<10 {
                group.addTask {
                    for line in 0..<50 { try AppendingFile.append(line: Array("\(writer)-\(line)".utf8), to: path) }
                }
            }
            try await group.waitForAll()
        }
        try await tail.wait("500 lines") { $0.lines.count >= 500 }
        let lines = tail.now.lines
        #expect(lines.count == 500)
        for writer in 0..<10 {
            #expect(lines.filter { $0.hasPrefix("\(writer)-") } == (0..<50).map { "\(writer)-\($0)" })
        }
        _ = try await tail.stop()
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `a writer that writes byte by byte is understood`() async throws {
        let tail = RunningTail(journal)
        for byte in Array("one\r\n\ntwo\n".utf8) { Files.write([byte], to: journal) }
        try await tail.wait("two lines") { $0.lines.count == 2 }
        #expect(tail.now.lines == ["one", "two"])
        _ = try await tail.stop()
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `an overlong line is rejected with its range`() async throws {
        let long = [UInt8](repeating: 0x78, count: 3 << 20)
        Files.write("a1\n", to: journal)
        Files.write(long, to: journal)
        let tail = RunningTail(journal)
        try await tail.wait("a1") { $0.lines == ["a1"] && $0.caughtUp != nil }
        #expect(tail.now.position?.offset == 3)
        Files.write("\nb1\n", to: journal)
        try await tail.wait("b1") { $0.lines == ["a1", "b1"] }
        let rejected = try #require(tail.now.rejected.first)
        #expect(rejected == ("lineTooLong", 3, long.count + 1))
        let position = try await tail.stop()
        let again = RunningTail(journal, resumingAt: position)
        Files.write("b2\n", to: journal)
        try await again.wait("b2") { $0.lines == ["b2"] }
        _ = try await again.stop()
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `backlog and later lines never share a batch`() async throws {
        let old = (0..<5_000).map { "old \($0)" }
        Files.write(old.map { $0 + "\n" }.joined() + "half", to: journal)
        let tail = RunningTail(journal)
        try await tail.wait("the backlog") { $0.caughtUp != nil }
        Files.write(" done\nnew\n", to: journal)
        try await tail.wait("the rest") { $0.lines.count == 5_002 }
        #expect(tail.now.backlog == old)
        #expect(tail.now.lines.suffix(2) == ["half done", "new"])
        _ = try await tail.stop()
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `a batch is bounded and committed before the next`() async throws {
        Files.write(String(repeating: "x\n", count: 9_000) + String(repeating: "y", count: 600_000) + "\n", to: journal)
        let sizes = Mutex<[Int]>([])
        let tail = JournalTail(path: journal, from: .init(nil))
        try await stopping {
            try await tail.run { event in
                switch event {
                case .batch(let batch): sizes.withLock { $0.append(batch.elements.count) }
                case .caughtUp: throw Enough()
                default: break
                }
            }
        }
        #expect(sizes.withLock { $0 } == Array(repeating: 1_000, count: 9) + [1])
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `what the handler throws ends the run`() async throws {
        let tail = JournalTail(path: journal, from: .init(nil))
        await #expect(throws: Enough.self) { try await tail.run { _ in throw Enough() } }
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `a journal that may be read again is read`() async throws {
        Files.write("a1\n", to: journal)
        // Root may read everything; a pipe can't be read by anybody.
        unlink(journal)
        mkfifo(journal, 0o644)
        let tail = RunningTail(journal)
        try await tail.wait("a refusal") { $0.words.contains("unreadable") }
        unlink(journal)
        Files.write("a1\n", to: journal)
        try await tail.wait("a1") { $0.lines == ["a1"] }
        _ = try await tail.stop()
    }

    private struct Enough: Error {}

    private func stopping(_ body: () async throws -> Void) async throws {
        do { try await body() } catch is Enough {}
    }
}
