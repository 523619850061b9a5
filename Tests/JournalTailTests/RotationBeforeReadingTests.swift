import Glibc
import TestSupport
import Testing

@testable import JournalTail

/// A journal that is written and rotated before anybody has read a line of it.
@Suite(.timeLimit(.minutes(1))) struct RotationBeforeReadingTests {
    enum Beginning: CaseIterable {
        case nothing
        case empty
    }

    enum Rotation: CaseIterable {
        case renamed
        case copied
    }

    private let folder: TemporaryFolder
    private var journal: String { folder("journal.jsonl") }

    init() throws {
        folder = try TemporaryFolder()
        // Of a time before this daemon.
        Files.write("x\n", to: folder("journal.jsonl.9"))
        Files.tick()
    }

    private func follower(from position: JournalPosition? = nil) -> JournalFollower {
        JournalFollower(path: journal, resumingAt: .init(position), pace: CheckPace())
    }

    /// What a daemon has committed that has looked once, and read nothing.
    private func position(_ beginning: Beginning) throws -> JournalPosition {
        if beginning == .empty { Files.write("", to: journal) }
        var follower = follower()
        var begun: [JournalPosition] = []
        while let event = follower.next() {
            if case .begun(let position) = event { begun.append(position) }
            if case .batch = event { Issue.record("there is nothing to read") }
        }
        #expect(begun.count == 1)
        return try #require(begun.first)
    }

    private func rotate(_ rotation: Rotation, to name: String) {
        Files.tick()
        switch rotation {
        case .renamed:
            rename(journal, folder(name))
            Files.write("", to: journal)
        case .copied:
            Files.write(Files.read(journal), to: folder(name))
            Files.tick()
            Files.write("", to: journal, O_TRUNC)
        }
    }

    @Test(arguments: Beginning.allCases)
    func `an older one whose date is ahead hides none`(beginning: Beginning) throws {
        let day = 86_400
        var times = Array(repeating: timeval(tv_sec: time(nil) + day, tv_usec: 0), count: 2)
        #expect(utimes(folder("journal.jsonl.9"), &times) == 0)
        let position = try position(beginning)
        Files.write("a\n", to: journal)
        rotate(.renamed, to: "journal.jsonl.1")
        var follower = follower(from: position)
        #expect(follower.lines() == ["a"])
    }

    @Test(arguments: Beginning.allCases, Rotation.allCases)
    func `its lines are read, and then those of the new one`(beginning: Beginning, rotation: Rotation) throws {
        let position = try position(beginning)
        Files.write("a\nb\n", to: journal)
        rotate(rotation, to: "journal.jsonl.1")
        Files.write("c\n", to: journal)
        var follower = follower(from: position)
        #expect(follower.lines() == ["a", "b", "c"])
        var again = self.follower(from: follower.position)
        #expect(again.lines() == [])
    }

    @Test(arguments: Beginning.allCases) func `twice, where the journal is gone in the end`(beginning: Beginning) throws
    {
        let position = try position(beginning)
        Files.write("a\n", to: journal)
        rotate(.renamed, to: "journal.jsonl.2")
        Files.write("b\n", to: journal)
        rotate(.renamed, to: "journal.jsonl.1")
        unlink(journal)
        var follower = follower(from: position)
        #expect(follower.lines() == ["a", "b"])
    }

    @Test(arguments: Beginning.allCases)
    func `a daemon that goes on, and was stopped for a while, reads them as well`(beginning: Beginning) throws {
        if beginning == .empty { Files.write("", to: journal) }
        var follower = follower()
        #expect(follower.lines() == [])
        Files.write("a\n", to: journal)
        rotate(.renamed, to: "journal.jsonl.1")
        Files.write("b\n", to: journal)
        #expect(follower.lines() == ["a", "b"])
    }

    @Test(arguments: Beginning.allCases)
    func `what was rotated before the first look is no part of it`(beginning: Beginning) throws {
        let position = try position(beginning)
        Files.write("y\n", to: folder("journal.jsonl.9"))
        Files.write("a\n", to: journal)
        var follower = follower(from: position)
        #expect(follower.lines() == ["a"])
    }
}
