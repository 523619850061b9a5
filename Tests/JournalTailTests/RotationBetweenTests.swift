import Glibc
import TestSupport
import Testing

@testable import JournalTail

/// Rotations between the follower's look at the files beside the journal and its opening of the one that comes next.
@Suite(.timeLimit(.minutes(1))) struct RotationBetweenTests: FollowedJournal {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// As `logrotate` does.
    private func rotate() {
        for number in (1...4).reversed() {
            rename(folder("journal.jsonl.\(number)"), folder("journal.jsonl.\(number + 1)"))
        }
        rename(journal, folder("journal.jsonl.1"))
    }

    @Test func `a file that is renamed after the look at the others comes next all the same`() throws {
        var follower = follower()
        Files.write("a\n", to: journal)
        #expect(follower.lines() == ["a"])
        Files.tick()
        rename(journal, folder("journal.jsonl.1"))
        Files.write("b\n", to: journal)
        // Beside it stands only what was read, so that the one under its name comes next.
        let consumed = try #require(follower.position)
        #expect(try follower.next(after: consumed) == nil)
        Files.tick()
        rename(folder("journal.jsonl.1"), folder("journal.jsonl.2"))
        rename(journal, folder("journal.jsonl.1"))
        Files.write("c\n", to: journal)
        _ = try follower.begin(nil, .renamed, from: folder("journal.jsonl.2"))
        #expect(follower.lines() == ["b", "c"])
    }

    @Test func `what would be read is read of all files, and told again each time`() throws {
        var follower = follower()
        Files.write("a\nb\n", to: journal)
        #expect(follower.lines() == ["a", "b"])
        let position = try #require(follower.position)
        Files.write("c\n", to: journal)
        Files.tick()
        rename(journal, folder("journal.jsonl.1"))
        Files.write("d\n", to: journal)
        func lines(from position: JournalPosition) throws -> [String] {
            var lines: [String] = []
            try JournalTail.readBatches(of: journal, from: .init(position)) { batch in
                for case .line(let line) in batch.elements { lines.append(String(decoding: line.bytes, as: UTF8.self)) }
            }
            return lines
        }
        for _ in 0..<2 {
            #expect(try lines(from: position) == ["c", "d"])
            #expect(try lines(from: position.restarted) == ["a", "b", "c", "d"])
        }
    }

    @Test func `files of one tick of the clock come in the order in which they were begun`() throws {
        var follower = follower()
        Files.write("a\n", to: journal)
        #expect(follower.lines() == ["a"])
        // While nobody reads, it is rotated twice.
        Files.write("b\n", to: journal)
        rename(journal, folder("journal.jsonl.2"))
        Files.write("c\n", to: journal)
        rename(journal, folder("journal.jsonl.1"))
        Files.write("d\n", to: journal)
        for name in ["journal.jsonl.2", "journal.jsonl.1", "journal.jsonl"] { Files.date(folder(name), 1_790_000_000) }
        follower = self.follower(after: follower.position)
        #expect(follower.lines() == ["b", "c", "d"])
        // What was read is not read again.
        rename(folder("journal.jsonl.2"), folder("journal.jsonl.3"))
        rename(folder("journal.jsonl.1"), folder("journal.jsonl.2"))
        rename(journal, folder("journal.jsonl.1"))
        Files.write("e\n", to: journal)
        Files.date(journal, 1_790_000_000)
        follower = self.follower(after: follower.position)
        #expect(follower.lines() == ["e"])
    }

    @Test func `however many files came and went unseen, each is read once`() {
        var follower = follower()
        Files.write("a\n", to: journal)
        #expect(follower.lines() == ["a"])
        let names = (0..<230).map { folder("journal-\(20_260_000 + $0).jsonl") }
        for (number, name) in names.enumerated() {
            rename(journal, name)
            Files.write("\(number)\n", to: journal)
        }
        // A program has kept the first one open.
        Files.tick()
        Files.write("late\n", to: names[0])
        follower = self.follower(after: follower.position)
        #expect(follower.lines() == ["late"] + (0..<230).map(String.init))
        #expect(follower.lines().isEmpty)
    }

    @Test func `files that are copied over each other are read in the order of their names`() {
        var follower = follower()
        func copy(_ old: String, _ new: String) {
            Files.write(Files.read(folder(old)), to: folder(new), O_TRUNC)
            Files.tick()
        }
        Files.write("a\n", to: journal)
        #expect(follower.lines() == ["a"])
        for number in 1...3 {
            Files.write("\(number)\n", to: journal)
            Files.tick()
            if number > 2 { copy("journal.jsonl.2", "journal.jsonl.3") }
            if number > 1 { copy("journal.jsonl.1", "journal.jsonl.2") }
            copy("journal.jsonl", "journal.jsonl.1")
            Files.write("", to: journal, O_TRUNC)
        }
        follower = self.follower(after: follower.position)
        #expect(follower.lines() == ["1", "2", "3"])
    }

    @Test(arguments: [false, true])
    func `what was read is not read again where the clock was set back`(restarts: Bool) throws {
        var follower = follower()
        for line in ["a", "b", "c", "d"] {
            Files.write(line + "\n", to: journal)
            if line == "c" { Files.date(journal, 1_500_000_000) }
            #expect(follower.lines() == [line])
            if restarts { follower = self.follower(after: follower.position) }
            Files.tick()
            rotate()
        }
    }

    @Test func `a file that came and went is read also where the one before it was written while the clock was ahead`()
        throws
    {
        var follower = follower()
        Files.write("a\n", to: journal)
        Files.date(journal, 4_000_000_000)
        #expect(follower.lines() == ["a"])
        // An old one that somebody has unpacked.
        Files.tick()
        Files.write("x\n", to: folder("journal.jsonl.7"))
        Files.date(folder("journal.jsonl.7"), 1_500_000_000)
        // While nobody reads, it is rotated twice.
        rotate()
        Files.tick()
        Files.write("b\n", to: journal)
        rotate()
        Files.tick()
        Files.write("c\n", to: journal)
        follower = self.follower(after: follower.position)
        #expect(follower.lines() == ["b", "c"])
        rotate()
        Files.write("d\n", to: journal)
        #expect(follower.lines() == ["d"])
    }

    @Test func `what was rotated before the first start is not read where the clock was set back`() throws {
        Files.write("x\n", to: folder("journal.jsonl.1"))
        Files.write("a\n", to: journal)
        Files.date(journal, 1_500_000_000)
        var follower = follower()
        #expect(follower.lines() == ["a"])
        rotate()
        Files.write("b\n", to: journal)
        #expect(follower.lines() == ["b"])
    }
}
