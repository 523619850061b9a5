import Glibc
import TestSupport
import Testing

@testable import JournalTail

/// Files beside the journal that nobody has seen come: what is a part of it, what is a copy of what was read, and what is gone.
@Suite(.timeLimit(.minutes(1))) struct UnseenJournalTests: FollowedJournal {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// One that has read files of these contents, each of which was renamed then (`journal.jsonl.3` is the first of three) but
    /// for the last.
    private func follower(of contents: [String]) -> JournalFollower {
        var follower = follower()
        for (index, content) in contents.enumerated() {
            if index > 0 { rename(journal, folder("journal.jsonl.\(contents.count - index)")) }
            Files.tick()
            Files.write(content, to: journal)
            _ = follower.lines()
        }
        return follower
    }

    /// What it says is not read, in order.
    private func abandoned(_ follower: inout JournalFollower) -> [String] {
        var files: [String] = []
        while let event = follower.nextAtOnce() {
            if case .abandoned(let file, _) = event { files.append(file) }
        }
        return files
    }

    @Test(arguments: [false, true])
    func `an old journal that somebody unpacks is not read again, and that is said once`(restarts: Bool) {
        var follower = follower(of: ["a\nb\n", "c\n"])
        rename(journal, folder("journal.jsonl.1"))
        Files.write("", to: journal)
        #expect(follower.lines().isEmpty)
        if restarts { follower = self.follower(after: follower.position) }
        Files.tick()
        for name in ["journal.jsonl.2", "journal-20251121.jsonl"] {
            unlink(folder(name))
            Files.write("a\nb\n", to: folder(name))
        }
        #expect(Set(abandoned(&follower)) == [folder("journal.jsonl.2"), folder("journal-20251121.jsonl")])
        #expect(abandoned(&follower).isEmpty)
        Files.write("d\n", to: journal)
        #expect(follower.lines() == ["d"])
    }

    @Test func `a longer one that begins like a short old one is a part of the journal`() {
        var follower = follower(of: ["a\n", "c\n"])
        rename(journal, folder("journal.jsonl.1"))
        Files.tick()
        Files.write("a\nb\n", to: folder("journal.jsonl.0"))
        Files.write("d\n", to: journal)
        #expect(follower.lines() == ["a", "b", "d"])
    }

    @Test func `one that begins like an old one, however long that is, is a part of the journal`() {
        let long = String(repeating: "a line of twenty-two\n", count: 100)
        var follower = follower(of: [long, "c\n"])
        rename(journal, folder("journal.jsonl.1"))
        Files.tick()
        Files.write(long + "more\n", to: folder("journal.jsonl.0"))
        Files.write("d\n", to: journal)
        #expect(follower.lines().suffix(2) == ["more", "d"])
    }

    @Test(arguments: [false, true])
    func `a journal that holds the same lines as the one before is read`(isCopied: Bool) {
        var follower = follower(of: ["a\n"])
        for _ in 0..<3 {
            Files.tick()
            if isCopied {
                Files.write(Files.read(journal), to: folder("journal.jsonl.1"), O_TRUNC)
                truncate(journal, 0)
            } else {
                rename(folder("journal.jsonl.1"), folder("journal.jsonl.2"))
                rename(journal, folder("journal.jsonl.1"))
            }
            if isCopied { #expect(follower.lines().isEmpty) }
            Files.tick()
            Files.write("a\n", to: journal)
            #expect(follower.lines() == ["a"])
        }
    }

    @Test func `what is to be said of a file while a person is asked is said, and no more`() {
        var follower = follower(of: ["a\n"])
        rename(journal, folder("journal.jsonl.1"))
        Files.tick()
        Files.write("b\n", to: journal)
        #expect(follower.lines() == ["b"])
        Files.overwrite("x", at: 0, in: folder("journal.jsonl.1"))
        var start = JournalTail.Start(follower.position)
        start.isHeld = true
        follower = JournalFollower(path: journal, resumingAt: start, pace: CheckPace())
        #expect(abandoned(&follower) == [folder("journal.jsonl.1")])
    }

    @Test(arguments: [false, true])
    func `what was read is not read again where a copy takes the journal's place`(restarts: Bool) {
        var follower = follower(of: ["a\nb\n"])
        rename(journal, folder("old"))
        if restarts { follower = self.follower(after: follower.position) }
        Files.write("a\nb\n", to: journal)
        #expect(follower.lines().isEmpty)
        Files.write("c\n", to: journal)
        #expect(follower.lines() == ["c"])
    }

    @Test func `a journal that was away is read on where it was`() throws {
        let elsewhere = try TemporaryFolder()
        var follower = follower(of: ["a\nb\n"])
        // The disk with it is missing at a start, and a program writes to the folder below.
        rename(journal, elsewhere("journal.jsonl"))
        follower = self.follower(after: follower.position)
        #expect(follower.lines().isEmpty)
        Files.write("x\n", to: journal)
        #expect(follower.lines() == ["x"])
        rename(journal, elsewhere("below"))
        rename(elsewhere("journal.jsonl"), journal)
        Files.write("c\n", to: journal)
        follower = self.follower(after: follower.position)
        #expect(follower.lines() == ["c"])
    }

    @Test func `one that is gone before it was read to its end is told`() {
        var follower = follower(of: ["a\n"])
        unlink(journal)
        follower = self.follower(after: follower.position)
        Files.write("b\n", to: journal)
        #expect(abandoned(&follower) == [journal])
        #expect(follower.position?.offset == 2)
    }

    @Test(arguments: [false, true])
    func `one that is gone after it was read to its end is not`(isEmpty: Bool) {
        var follower = follower(of: ["a\n"])
        Files.write("b\n", to: journal)
        #expect(follower.lines() == ["b"])
        unlink(journal)
        if isEmpty {
            Files.write("", to: journal)
            #expect(follower.lines().isEmpty)
            follower = self.follower(after: follower.position)
        }
        Files.write("c\n", to: journal)
        #expect(abandoned(&follower).isEmpty)
        #expect(follower.position?.offset == 2)
    }

    @Test func `a look within which files are renamed is taken again`() {
        var looks = [["1"], ["1", "2"], ["2"], ["2"], ["3"]].makeIterator()
        #expect(JournalPaths.settled({ looks.next() ?? [] }, by: ==) == ["2"])
    }
}
