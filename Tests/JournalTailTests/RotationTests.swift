import Glibc
import JournalTail
import OperatingSystem
import TestSupport
import Testing

/// One thing that is done to a journal, or expected of its tail.
enum Act: Sendable {
    /// Lines added to the end of a file; a name alone stands for the journal.
    case append([String], to: String = "journal.jsonl")
    /// Text without a newline of its own.
    case raw(String, to: String = "journal.jsonl")
    case move(String, String)
    case copy(String, String)
    case truncate(String = "journal.jsonl", lines: Int = 0)
    case remove(String = "journal.jsonl")
    /// New content in the same file.
    case overwrite([String])
    /// Another line of the same length in the place of one, counted from 0, in the same file.
    case rewrite(line: Int, String, in: String = "journal.jsonl")
    /// New content in a new file under the same name.
    case replace([String])
    case makeFolder(String)
    case link(String, to: String)
    case start
    case stop
    /// A person has answered.
    case decide(Answer)
    /// Exactly these lines, all since the first start.
    case sees([String])
    /// An event after the last one that was waited for.
    case says(String)

    enum Answer: Sendable { case readAgain, goOn }
}

struct Scenario: Sendable, CustomTestStringConvertible {
    var name: String
    var acts: [Act]
    var journal = "journal.jsonl"
    var testDescription: String { name }

    init(_ name: String, journal: String = "journal.jsonl", _ acts: [Act]) {
        self.name = name
        self.acts = acts
        self.journal = journal
    }
}

@Suite(.serialized) struct RotationTests {
    /// Short lines keep everything within the remembered head, long ones leave it after two lines.
    @Test(.inTurn, .timeLimit(.minutes(1)), arguments: Scenario.all, [4, 700])
    func `every line arrives once and in order`(_ scenario: Scenario, width: Int) async throws {
        let stage = try Stage(scenario.journal, width: width)
        for act in scenario.acts { try await stage.perform(act) }
        try await stage.perform(.stop)
    }
}

/// Plays scenarios in a folder of its own.
private final class Stage {
    private let folder: TemporaryFolder
    private let journal: String
    private let width: Int
    private var tail: RunningTail?
    private var position: JournalPosition?
    /// What stood in the file when a person was asked, who has not answered yet.
    private var present: JournalPosition?
    private var lines: [String] = []
    /// How many words of the running tail have been waited for, or passed over.
    private var heard = 0

    init(_ journal: String, width: Int) throws {
        folder = try TemporaryFolder()
        self.journal = journal
        self.width = width
    }

    /// Long ones begin and end with their word, so that none ends as another does.
    private func text(_ line: String) -> String {
        let end = width > 2 * line.count ? line : ""
        return line + String(repeating: ".", count: max(0, width - line.count - end.count)) + end
    }

    private func text(_ lines: [String]) -> String { lines.map { text($0) + "\n" }.joined() }

    private func change(_ act: Act) {
        switch act {
        case .append(let lines, let name): Files.write(text(lines), to: folder(name))
        case .raw(let text, let name): Files.write(text, to: folder(name))
        case .move(let old, let new): rename(folder(old), folder(new))
        case .copy(let old, let new): Files.write(Files.read(folder(old)), to: folder(new))
        case .truncate(let name, let lines): truncate(folder(name), lines * (width + 1))
        case .remove(let name): if unlink(folder(name)) != 0 { rmdir(folder(name)) }
        case .overwrite(let lines):
            // In one write where nothing remains behind it: an emptied file is another story.
            let isShorter = text(lines).utf8.count < Files.read(folder(journal)).count
            Files.write(text(lines), to: folder(journal), isShorter ? O_TRUNC : 0)
        case .rewrite(let line, let text, let name):
            Files.overwrite(self.text(text), at: line * (width + 1), in: folder(name))
        case .replace(let lines):
            Files.write(text(lines), to: folder("new"))
            rename(folder("new"), folder(journal))
        case .makeFolder(let name): mkdir(folder(name), 0o755)
        case .link(let name, let target): symlink(target, folder(name))
        case .start, .stop, .decide, .sees, .says: break
        }
    }

    private func start(after backlog: JournalBacklog? = nil) {
        heard = 0
        var start = JournalTail.Start(position)
        start.isHeld = present != nil
        start.backlog = backlog
        tail = RunningTail(folder(journal), from: start)
    }

    func perform(_ act: Act) async throws {
        switch act {
        case .start:
            start()
        case .stop:
            guard let tail else { return }
            position = try await tail.stop()
            present = tail.now.present ?? present
            lines += tail.now.lines
            self.tail = nil
        case .decide(let answer):
            try await perform(.stop)
            let asked = try #require(present)
            position = answer == .readAgain ? asked.restarted : asked
            present = nil
            start(after: JournalBacklog.none)
        case .sees(let expected):
            let before = lines
            let wanted = expected.map { text($0) }
            try await tail?.wait("\(expected)") { before.count + $0.lines.count >= wanted.count }
            #expect((before + (tail?.now.lines ?? [])).map { $0.prefix { $0 != "." } } == expected.map { $0[...] })
        case .says(let word):
            let start = heard
            try await tail?.wait(word) { $0.words.dropFirst(start).contains(word) }
            heard = (tail?.now.words.dropFirst(start).firstIndex(of: word) ?? start) + 1
        default:
            change(act)
            Files.tick()
        }
    }
}
