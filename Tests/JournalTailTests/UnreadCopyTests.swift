import Glibc
import TestSupport
import Testing

@testable import JournalTail

/// A file that is filled, copied and emptied before anybody has looked at it.
@Suite(.timeLimit(.minutes(1))) struct UnreadCopyTests {
    private let folder: TemporaryFolder
    private var follower: JournalFollower
    private var journal: String { folder("journal.jsonl") }

    init() throws {
        folder = try TemporaryFolder()
        // Of an earlier rotation.
        Files.write("x\n", to: folder("journal.jsonl.9"))
        Files.tick()
        Files.write("", to: folder("journal.jsonl"))
        follower = JournalFollower(path: folder("journal.jsonl"), resumingAt: .init(nil), pace: CheckPace())
    }

    /// Rotates as `copytruncate` does, one copy after the other.
    private func copyAndEmpty(to name: String) {
        Files.tick()
        Files.write(Files.read(journal), to: folder(name))
        Files.tick()
        Files.write("", to: journal, O_TRUNC)
    }

    @Test mutating func `its lines are read in the copy, and what comes after that in the file`() throws {
        #expect(follower.lines() == [])
        Files.write("a\nb\n", to: journal)
        copyAndEmpty(to: "journal.jsonl.1")
        #expect(follower.lines() == ["a", "b"])
        Files.tick()
        Files.write("c\n", to: journal)
        #expect(follower.lines() == ["c"])
    }

    @Test mutating func `also where the file has lines again when it is looked at`() throws {
        #expect(follower.lines() == [])
        Files.write("a\n", to: journal)
        copyAndEmpty(to: "journal.jsonl.1")
        Files.write("b\n", to: journal)
        #expect(follower.lines() == ["a", "b"])
    }

    @Test mutating func `twice in a row`() throws {
        #expect(follower.lines() == [])
        Files.write("a\n", to: journal)
        copyAndEmpty(to: "journal.jsonl.2")
        Files.tick()
        Files.write("b\n", to: journal)
        copyAndEmpty(to: "journal.jsonl.1")
        #expect(follower.lines() == ["a", "b"])
    }

    @Test mutating func `an older file beside it is left alone, whoever still writes to it`() throws {
        #expect(follower.lines() == [])
        Files.write("y\n", to: folder("journal.jsonl.9"))
        Files.write("a\n", to: journal)
        #expect(follower.lines() == ["a"])
    }
}
