import Glibc
import TestSupport
import Testing

@testable import JournalTail

/// What programs go on writing to a journal that was renamed, when there is another one.
@Suite(.timeLimit(.minutes(1))) struct LeftJournalTests: FollowedJournal {
    let folder: TemporaryFolder
    let old: String

    init() throws {
        folder = try TemporaryFolder()
        old = folder("journal.jsonl.1")
    }

    /// A follower that has read `text`, and the first line of the file after it.
    private func rotated(after text: String = "a\n") -> JournalFollower {
        var follower = follower()
        Files.write(text, to: journal)
        _ = follower.lines()
        rename(journal, old)
        Files.tick()
        Files.write("n1\n", to: journal)
        _ = follower.lines()
        return follower
    }

    @Test(arguments: [false, true])
    func `what is written to a renamed file is read beside the new one`(restarts: Bool) throws {
        var follower = rotated()
        for number in 2...4 {
            Files.write("b\(number)\n", to: old)
            if restarts { follower = self.follower(after: follower.position) }
            #expect(follower.lines() == ["b\(number)"])
            Files.write("c\(number)\n", to: old)
            Files.write("n\(number)\n", to: journal)
            #expect(follower.lines() == ["c\(number)", "n\(number)"])
        }
        // Nothing of it is read again.
        follower = self.follower(after: follower.position)
        #expect(follower.lines().isEmpty)
    }

    @Test func `a batch of a renamed file leaves the place in the new one where it is`() throws {
        var follower = rotated()
        Files.write("b\n", to: old)
        guard case .batch(let batch) = follower.next() else {
            Issue.record("no batch")
            return
        }
        #expect(batch.position.offset == 3 && batch.size == 3)
        #expect(batch.position.left?.map(\.offset) == [4])
        // The new one is caught up with, again.
        guard case .caughtUp(size: 3, offset: 3) = follower.nextAtOnce() else {
            Issue.record("not caught up")
            return
        }
        #expect(follower.files.count == 2)
    }

    @Test func `several renamed files are read on, and a program may sleep through four more rotations`() throws {
        var follower = rotated()
        for number in 2...7 {
            rename(journal, folder("journal.jsonl.x\(number)"))
            Files.tick()
            Files.write("n\(number)\n", to: journal)
            #expect(follower.lines() == ["n\(number)"])
            Files.write("b\(number)\n", to: old)
            #expect(follower.lines() == (number < 6 ? ["b\(number)"] : []))
        }
        Files.write("z\n", to: folder("journal.jsonl.x3"))
        #expect(follower.lines() == ["z"])
        #expect(follower.position?.left?.count == 5)
    }

    @Test func `a last line that is whole is read without its end, once`() throws {
        var follower = rotated(after: "a\n{\"x\":1}")
        #expect(follower.position?.left?.map(\.offset) == [9])
        follower = self.follower(after: follower.position)
        #expect(follower.lines().isEmpty)
        Files.write("\n", to: old)
        Files.write("b\n", to: old)
        #expect(follower.lines() == ["b"])
    }

    @Test(arguments: [false, true], [false, true])
    func `a file that was emptied before it was renamed is read on`(looks: Bool, restarts: Bool) {
        var follower = follower()
        Files.write("a\n", to: journal)
        #expect(follower.lines() == ["a"])
        Files.write("b\n", to: journal)
        Files.tick()
        Files.write("a\nb\n", to: folder("journal.jsonl.2"))
        truncate(journal, 0)
        if looks { #expect(follower.lines() == ["b"]) }
        rename(journal, old)
        Files.tick()
        Files.write("n\n", to: journal)
        #expect(follower.lines() == (looks ? ["n"] : ["b", "n"]))
        if restarts { follower = self.follower(after: follower.position) }
        Files.write("c\n", to: old)
        #expect(follower.lines() == ["c"])
    }

    @Test func `the journal itself is not read beside a copy of it`() {
        var follower = follower()
        Files.write("a\n", to: journal)
        #expect(follower.lines() == ["a"])
        func copyAndEmpty(_ name: String) {
            Files.tick()
            Files.write(Files.read(journal), to: folder(name))
            truncate(journal, 0)
            Files.tick()
        }
        Files.write("b\n", to: journal)
        copyAndEmpty("journal.jsonl.2")
        // It is emptied when that is read, and once more before the copy is left.
        #expect(follower.lines() == ["b"])
        Files.write("c\n", to: journal)
        copyAndEmpty("journal.jsonl.1")
        #expect(follower.lines() == ["c"])
        #expect(follower.position?.left == nil)
        Files.write("d\n", to: journal)
        copyAndEmpty("journal.jsonl.0")
        Files.write("e\nf\n", to: journal)
        #expect(follower.lines() == ["d", "e", "f"])
    }

    @Test func `half a line waits for the rest`() throws {
        var follower = rotated(after: "a\n{\"x\":")
        for piece in ["{", "\"}\"", ":1", "}"] {
            Files.write(piece, to: old)
            #expect(follower.lines().isEmpty)
        }
        Files.write("}", to: old)
        #expect(follower.lines() == ["{\"x\":{\"}\":1}}"])
    }

    @Test func `half a line that nobody ends is told when its file is let go`() throws {
        var follower = rotated(after: "a\n{half")
        for number in 2...5 {
            // However it is rotated: emptied, too.
            Files.write("", to: journal, O_TRUNC)
            #expect(follower.lines().isEmpty)
            Files.write("n\(number)\n", to: journal)
            #expect(follower.lines() == ["n\(number)"])
        }
        rename(journal, folder("journal.jsonl.x6"))
        Files.tick()
        Files.write("n6\n", to: journal)
        #expect(follower.lines() == ["{half", "n6"])
        #expect(follower.position?.left?.count == 1)
    }

    @Test func `a renamed file that gets its name back is read on`() throws {
        var follower = rotated()
        Files.write("b\n", to: old)
        rename(journal, folder("journal.jsonl.2"))
        rename(old, journal)
        Files.write("c\n", to: journal)
        #expect(follower.lines() == ["b", "c"])
        Files.write("d\n", to: folder("journal.jsonl.2"))
        #expect(follower.lines() == ["d"])
    }

    @Test func `a renamed file that is changed is let go, and that is said`() throws {
        var follower = rotated()
        Files.overwrite("x", at: 0, in: old)
        Files.write("b\n", to: old)
        guard case .abandoned(old, _) = follower.next() else {
            Issue.record("not said")
            return
        }
        #expect(follower.lines().isEmpty)
        #expect(follower.position?.left == nil)
    }

    @Test func `a deleted file is let go at once, and half a line in it is told`() throws {
        var follower = rotated(after: "a\n{half")
        unlink(old)
        #expect(follower.lines() == ["{half"])
        #expect(follower.files.count == 1)
    }

    @Test func `a renamed file that was changed while nobody looked is let go, and that is said`() throws {
        let position = rotated().position
        Files.overwrite("x", at: 0, in: old)
        var follower = follower(after: position)
        guard case .abandoned(old, _) = follower.next() else {
            Issue.record("not said")
            return
        }
        #expect(follower.lines().isEmpty)
    }

    @Test(arguments: ["", "n2\n"]) func `a journal that is appended to an old one is not read again`(more: String) {
        var follower = rotated()
        Files.write(more, to: journal)
        _ = follower.lines()
        Files.write(Files.read(journal), to: old)
        Files.write("", to: journal, O_TRUNC)
        guard case .abandoned(old, _) = follower.next() else {
            Issue.record("not said")
            return
        }
        #expect(follower.lines().isEmpty)
        Files.write("n3\n", to: journal)
        #expect(follower.lines() == ["n3"])
    }

    @Test(arguments: [false, true])
    func `a renamed file that gets its name back while nobody reads is read on`(isReplaced: Bool) {
        let position = rotated().position
        if !isReplaced { rename(journal, folder("journal.jsonl.2")) }
        rename(old, journal)
        Files.write("b\n", to: journal)
        var follower = follower(after: position)
        #expect(follower.lines() == ["b"])
    }

    @Test func `a renamed file that gets its name back is read on also where the other one had no line`() {
        var follower = follower()
        Files.write("a\n", to: journal)
        #expect(follower.lines() == ["a"])
        rename(journal, old)
        Files.tick()
        Files.write("half", to: journal)
        #expect(follower.lines().isEmpty)
        rename(old, journal)
        Files.write("b\n", to: journal)
        #expect(follower.lines() == ["b"])
    }

    @Test func `lines of a renamed file were there before also where the device has another number now`() throws {
        var position = try #require(rotated().position)
        Files.write("b\n", to: old)
        position.device += 1
        for index in position.left?.indices ?? 0..<0 { position.left?[index].device += 1 }
        var follower = follower(after: position)
        guard case .batch(let batch) = follower.next() else {
            Issue.record("no batch")
            return
        }
        #expect(batch.isBacklog && batch.file == old)
    }

    @Test(arguments: ["", "half"])
    func `a renamed file of which nothing was read is left for the next one`(text: String) {
        var follower = follower()
        Files.write(text, to: journal)
        #expect(follower.lines().isEmpty)
        rename(journal, old)
        Files.tick()
        Files.write("n\n", to: journal)
        #expect(follower.lines() == ["n"])
        Files.write("b\n", to: old)
        #expect(follower.lines() == [text + "b"])
    }

    @Test(arguments: [false, true]) func `a renamed file is read on while there is no journal`(restarts: Bool) {
        var follower = rotated()
        unlink(journal)
        if restarts { follower = self.follower(after: follower.position) }
        #expect(follower.lines().isEmpty)
        Files.write("b\n", to: old)
        #expect(follower.lines() == ["b"])
    }

    @Test func `what was decided of the journal leaves the other files where they are`() throws {
        var follower = rotated()
        let left = try #require(follower.position?.left)
        Files.write("X", to: journal, O_TRUNC)
        Files.write("1\nn2\n", to: journal)
        var present: JournalPosition?
        while let event = follower.nextAtOnce() {
            if case .rewritten(_, let position) = event { present = position }
        }
        if let present { #expect(present.left == left && present.restarted.left == left) }
        Files.write("b\n", to: old)
        follower = self.follower(after: present?.restarted ?? follower.position)
        #expect(follower.lines().contains("b"))
    }
}
