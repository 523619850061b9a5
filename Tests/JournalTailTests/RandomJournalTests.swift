import Glibc
import JournalTail
import TestSupport
import Testing

@Suite(.serialized) struct RandomJournalTests {
    @Test(.inTurn, .timeLimit(.minutes(1)), arguments: 0..<48)
    func `whatever happens, every line arrives once and in order`(seed: UInt64) async throws {
        var life = try RandomLife(seed: seed)
        try await life.begin()
        for _ in 0..<40 { try await life.step() }
        try await life.finish()
    }
}

/// A journal that lives through random events, and the naive model of it: the list of all completed lines, and of those that
/// were written to each file that was renamed before.
private struct RandomLife {
    private var random: SeededRandom
    private let folder: TemporaryFolder
    private let width: Int
    /// Whether events come while the tail is busy, or each one after the tail has seen the last.
    private let isHasty: Bool
    private var tail: RunningTail?
    private var position: JournalPosition?
    private var seen: [String] = []
    private var expected: [String] = []
    private var story: [String] = []
    /// The text of a line without its end at the end of the journal.
    private var torn = ""
    private var generations = 0
    private var contents = 0
    private var lines = 0
    /// Where the journal went, while nothing has taken its place.
    private var renamed: String?
    private var left: [Left] = []
    /// Half lines that were left: they come once, or never.
    private var halves: Set<String> = []

    /// A renamed file that has a successor.
    private struct Left {
        var path: String
        var torn: String
        var lines: [String] = []
        /// How many contents the journal had had by then.
        var contents: Int
        /// What nothing but its lines has.
        var mark: String { "+" + path.dropLast(6).suffix(2) + "+" }
    }

    init(seed: UInt64) throws {
        folder = try TemporaryFolder()
        random = SeededRandom(seed)
        width = [2, 40, 400].randomElement(using: &random) ?? 2
        isHasty = Bool.random(using: &random)
    }

    private var journal: String { folder("journal.jsonl") }
    private var current: String { renamed ?? journal }

    /// What was rotated before anything was ever committed is not looked for.
    mutating func begin() async throws {
        append()
        try await restart()
        try await catchUp()
    }

    mutating func step() async throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0...3: append()
        case 4: Bool.random(using: &random) ? tear() : appendLate()
        case 5, 6: rename()
        case 7: try await copyAndTruncate()
        case 8: try await emptyOrDelete()
        case 9, 10: try await restart()
        default: try await catchUp()
        }
        Files.tick()
        if !isHasty { try await catchUp() }
    }

    mutating func finish() async throws {
        if tail == nil { try await restart() }
        append()
        try await catchUp()
        _ = try await tail?.stop()
    }

    private mutating func line() -> String {
        lines += 1
        return "\(lines)" + String(repeating: "-", count: Int.random(in: 0...width, using: &random))
    }

    private mutating func append() {
        // A renamed journal gets a successor, or a last line.
        if renamed != nil, Bool.random(using: &random) { leave() }
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let text = line()
            story.append("append \(text.prefix(4)) to \(current.suffix(4))")
            Files.write(text + "\n", to: current)
            expected.append(torn + text)
            torn = ""
        }
    }

    /// The old file is forgotten, and with it a line that nobody ended.
    private mutating func leave() {
        if let renamed { left.append(Left(path: renamed, torn: torn, contents: contents)) }
        if !torn.isEmpty { halves.insert(torn) }
        renamed = nil
        torn = ""
    }

    /// By a program that has kept one of the last files open.
    private mutating func appendLate() {
        let followed = left.indices.filter { contents - left[$0].contents <= 4 }
        guard let index = followed.suffix(2).randomElement(using: &random) else { return }
        let text = left[index].mark + line()
        story.append("append late to \(left[index].mark)")
        Files.write(text + "\n", to: left[index].path)
        left[index].lines.append(left[index].torn + text)
        left[index].torn = ""
    }

    private mutating func tear() {
        let text = line()
        story.append("tear")
        Files.write(text, to: current)
        torn += text
    }

    private mutating func rename() {
        guard renamed == nil, !expected.isEmpty else { return }
        generations += 1
        let old = folder("journal-\(20_260_000 + generations).jsonl")
        story.append("rename to \(generations)")
        guard Glibc.rename(journal, old) == 0 else { return }
        renamed = old
        contents += 1
    }

    private mutating func copyAndTruncate() async throws {
        // What nobody has read a line of can't be known again in a copy.
        guard renamed == nil, tail != nil else { return }
        append()
        try await catchUp()
        if Bool.random(using: &random) { try await restart() }
        if Bool.random(using: &random) { append() }
        Files.tick()
        generations += 1
        story.append("copy to \(generations)")
        Files.write(Files.read(journal), to: folder("journal-\(20_260_000 + generations).jsonl"))
        Files.tick()
        truncate(journal, 0)
        torn = ""
        contents += 1
    }

    private mutating func emptyOrDelete() async throws {
        guard renamed == nil, tail != nil, !expected.isEmpty else { return }
        append()
        try await catchUp()
        if Bool.random(using: &random) { try await restart() }
        let heard = tail?.now.words.count ?? 0
        torn = ""
        contents += 1
        let isDelete = Bool.random(using: &random)
        story.append(isDelete ? "delete" : "empty")
        if isDelete { unlink(journal) } else { truncate(journal, 0) }
        // Content that grows beyond the old before anybody looks can't be told from a rewritten file.
        if tail == nil { try await restart() }
        let word = isDelete ? "missing" : "rotated.truncated"
        try await tail?.wait("\(word) after \(story)") { $0.words.dropFirst(heard).contains(word) }
    }

    private mutating func restart() async throws {
        guard let running = tail else {
            story.append("start")
            tail = RunningTail(journal, resumingAt: position)
            return
        }
        story.append("stop")
        position = try await running.stop()
        seen += running.now.lines
        tail = nil
    }

    private func catchUp() async throws {
        guard let tail else { return }
        let (before, halves) = (seen, halves)
        let count = expected.count + left.reduce(0) { $0 + $1.lines.count }
        @Sendable func whole(_ lines: [String]) -> [String] { (before + lines).filter { !halves.contains($0) } }
        try await tail.wait("line \(count) of \(story)") { whole($0.lines).count >= count }
        let lines = whole(tail.now.lines)
        #expect(lines.filter { !$0.contains("+") } == expected, "\(story)")
        for left in left { #expect(lines.filter { $0.contains(left.mark) } == left.lines, "\(story)") }
        let told = (before + tail.now.lines).filter { halves.contains($0) }
        #expect(told.count == Set(told).count, "\(story)")
    }
}
