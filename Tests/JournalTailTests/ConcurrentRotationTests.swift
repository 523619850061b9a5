import Glibc
import JournalTail
import TestSupport
import Testing

/// A journal that is rotated while it is looked at: nothing waits for the tail.
@Suite(.serialized) struct ConcurrentRotationTests {
    @Test(.inTurn, .timeLimit(.minutes(1)), arguments: 0..<20)
    func `what is copied and emptied comes once, in order, while it is read, or between two starts`(
        seed: UInt64
    ) async throws {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed)
        var rotation = CopyingRotation(journal: folder("journal.jsonl"), random: SeededRandom(seed + 1_000))
        rotation.append()
        var seen: [String] = []
        var tail = RunningTail(rotation.journal)
        try await tail.wait("the first line") { !$0.lines.isEmpty }
        for _ in 0..<12 {
            let (before, times) = (rotation, Int.random(in: 1...3, using: &random))
            let rotating = Task.detached {
                var rotation = before
                for _ in 0..<times { rotation.rotate() }
                return rotation
            }
            let words = tail.now.words.count + Int.random(in: 0...times, using: &random)
            try await tail.wait("\(words) words") { $0.words.count >= words }
            let position = try await tail.stop()
            seen += tail.now.lines
            tail = RunningTail(rotation.journal, resumingAt: position)
            rotation = await rotating.value
        }
        rotation.append()
        let (before, expected) = (seen, rotation.lines)
        try await tail.wait("the last line of \(expected.count)") { (before + $0.lines).last == expected.last }
        seen += tail.now.lines
        #expect(seen == expected)
        _ = try await tail.stop()
    }
}

/// As `logrotate` does with `copytruncate`.
private struct CopyingRotation: Sendable {
    let journal: String
    var random: SeededRandom
    /// What was written, in order.
    var lines: [String] = []
    private var count = 0

    init(journal: String, random: SeededRandom) {
        self.journal = journal
        self.random = random
    }

    mutating func append() {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            lines.append("line \(lines.count)")
            Files.write("line \(lines.count - 1)\n", to: journal)
        }
    }

    mutating func rotate() {
        append()
        Files.tick()
        append()
        for number in (0..<count).reversed() { rename("\(journal).\(number + 1)", "\(journal).\(number + 2)") }
        Files.write(Files.read(journal), to: journal + ".1")
        truncate(journal, 0)
        count += 1
        if Bool.random(using: &random) { Files.tick() }
    }
}
