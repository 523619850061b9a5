import Glibc
import OperatingSystem
import Synchronization
import TestSupport
import Testing

@testable import JournalTail

/// Copies that are made, or get other names, between two steps of looking at the folder and reading.
@Suite(.timeLimit(.minutes(1))) struct CopyMeanwhileTests: FollowedJournal {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// As `logrotate` does with `copytruncate`.
    private static func copyAndEmpty(in folder: TemporaryFolder) {
        rename(folder("journal.jsonl.1"), folder("journal.jsonl.2"))
        Files.write(Files.read(folder("journal.jsonl")), to: folder("journal.jsonl.1"))
        truncate(folder("journal.jsonl"), 0)
    }

    private func copyAndEmpty() { Self.copyAndEmpty(in: folder) }

    @Test func `the files that come after one are looked for again where one of them is renamed meanwhile`() throws {
        var follower = follower()
        Files.write("a\n", to: journal)
        #expect(follower.lines() == ["a"])
        let position = try #require(follower.position)
        Files.tick()
        unlink(journal)
        Files.write("b\n", to: folder("journal.jsonl.1"))
        let seen = JournalPaths(path: journal).siblings()
        rename(folder("journal.jsonl.1"), folder("journal.jsonl.2"))
        #expect(follower.folder.unseen(after: position, beside: .init(), among: seen) == nil)
        #expect(try follower.next(after: position)?.path == folder("journal.jsonl.2"))
    }

    @Test func `a copy of what was read is looked for again where it is renamed meanwhile`() throws {
        var follower = follower()
        Files.write("a\n", to: journal)
        #expect(follower.lines() == ["a"])
        let position = try #require(follower.position)
        copyAndEmpty()
        let seen = JournalPaths(path: journal).siblings()
        rename(folder("journal.jsonl.1"), folder("journal.jsonl.2"))
        #expect(try follower.folder.candidates(of: position, among: seen) == nil)
        #expect(try follower.folder.candidates(of: position, requiresList: true).copy != nil)
    }

    @Test(arguments: [false, true])
    func `what is copied and emptied before its first line is read comes before what is there then`(
        restarts: Bool
    ) throws {
        let isCopied = Atomic(false)
        let (folder, journal) = (folder, journal)
        // Asked for how many lines to read, after all looks at the folder.
        let mostLines = { @Sendable in
            guard Files.read(journal) == Array("b\n".utf8), !isCopied.exchange(true, ordering: .relaxed) else {
                return 1_000
            }
            Self.copyAndEmpty(in: folder)
            Files.tick()
            Files.write("c\n", to: journal)
            return 1_000
        }
        func resumed(after position: JournalPosition?) -> JournalFollower {
            JournalFollower(path: journal, resumingAt: .init(position), pace: CheckPace(), mostLines: mostLines)
        }
        var follower = resumed(after: nil)
        Files.write("a\n", to: journal)
        #expect(follower.lines() == ["a"])
        Files.tick()
        copyAndEmpty()
        #expect(follower.lines().isEmpty)
        if restarts { follower = resumed(after: follower.position) }
        Files.write("b\n", to: journal)
        #expect(follower.lines() == ["b", "c"])
    }

    @Test func `another file that is replaced meanwhile is no reason to look again`() throws {
        var follower = follower()
        Files.write("a\n", to: journal)
        #expect(follower.lines() == ["a"])
        let position = try #require(follower.position)
        copyAndEmpty()
        Files.write("index\n", to: folder("journal-index.json"))
        let seen = JournalPaths(path: journal).siblings()
        Files.write("other\n", to: folder("index.new"))
        rename(folder("index.new"), folder("journal-index.json"))
        #expect(try follower.folder.candidates(of: position, among: seen)?.copy != nil)
    }

    @Test(arguments: [3, 2])
    func `a copy of what nobody has read is no part of the journal as long as that is there`(lines: Int) throws {
        var follower = follower()
        Files.write("", to: journal)
        #expect(follower.lines().isEmpty)
        Files.tick()
        Files.write("a\nb\nc\n", to: journal)
        Files.tick()
        // Whole, or as far as it has come.
        Files.write(["a\n", "b\n", "c\n"].prefix(lines).joined(), to: folder("journal.jsonl.1"))
        follower = self.follower(after: follower.position)
        #expect(follower.lines() == ["a", "b", "c"])
        Files.write(["a\n", "b\n", "c\n"].dropFirst(lines).joined(), to: folder("journal.jsonl.1"))
        truncate(journal, 0)
        Files.write("d\n", to: journal)
        #expect(follower.lines() == ["d"])
    }

    @Test func `what is written to a file that was copied, emptied and renamed is read once after a restart`() throws {
        var follower = follower()
        Files.write("a\n", to: journal)
        #expect(follower.lines() == ["a"])
        copyAndEmpty()
        #expect(follower.lines().isEmpty)
        rename(journal, folder("journal.jsonl.0"))
        #expect(follower.lines().isEmpty)
        follower = self.follower(after: follower.position?.beside(follower.left))
        #expect(follower.lines().isEmpty)
        Files.write("b\n", to: folder("journal.jsonl.0"))
        #expect(follower.lines() == ["b"])
    }

    @Test func `a copy counts as made since a file was looked at where the clock shows no difference`() throws {
        Files.write("a\n", to: folder("journal.jsonl.1"))
        let copy = try #require(JournalPaths(path: journal).siblings().first)
        #expect(copy.isMade(since: copy.identity.birth ?? copy.identity.modifiedNanoseconds - 1))
        #expect(!copy.isMade(since: copy.identity.modifiedNanoseconds + 1))
    }
}
