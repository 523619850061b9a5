import Glibc
import OperatingSystem
import TestSupport
import Testing

@Suite struct DirectoryWatchTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `a folder is found, however it comes and goes`() async throws {
        let watch = try DirectoryWatch()
        var hints = watch.hints.makeAsyncIterator()
        try watch.watch(folders: [folder("a/b")])
        for _ in 0..<3 {
            mkdir(folder("a"), 0o755)
            #expect(await hints.next() != nil)
            mkdir(folder("a/b"), 0o755)
            #expect(await hints.next() != nil)
            try write("x", to: folder("a/b/file"))
            #expect(await hints.next() != nil)
            let open = try ReadableFile(path: folder("a/b/file"))
            unlink(folder("a/b/file"))
            #expect(await hints.next() != nil)
            rmdir(folder("a/b"))
            rmdir(folder("a"))
            #expect(await hints.next() != nil)
            #expect(try open.identity().linkCount == 0)
        }
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `an open file is watched under any name`() async throws {
        try write("x", to: folder("f"))
        let watch = try DirectoryWatch()
        var hints = watch.hints.makeAsyncIterator()
        let file = try ReadableFile(path: folder("f"))
        try watch.watch(files: [file])
        rename(folder("f"), folder("g"))
        #expect(await hints.next() != nil)
        try AppendingFile.append(line: [0x61], to: folder("g"))
        #expect(await hints.next() != nil)
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `a file that is asked for again is watched on, and one that is not no more`() async throws {
        for name in ["f", "g"] { try write("x", to: folder(name)) }
        let watch = try DirectoryWatch()
        var hints = watch.hints.makeAsyncIterator()
        let (first, second) = (try ReadableFile(path: folder("f")), try ReadableFile(path: folder("g")))
        try watch.watch(files: [first, second])
        try watch.watch(files: [first, second])
        for name in ["f", "g"] {
            try AppendingFile.append(line: [0x61], to: folder(name))
            #expect(await hints.next() != nil)
        }
        try watch.watch(files: [second])
        try AppendingFile.append(line: [0x61], to: folder("f"))
        try watch.watch(files: [second, first])
        for name in ["f", "g"] {
            try AppendingFile.append(line: [0x61], to: folder(name))
            #expect(await hints.next() != nil)
        }
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `another folder under the same path is found, though the system does not tell of it`() async throws {
        for name in ["a", "a/b", "c", "c/b"] { mkdir(folder(name), 0o755) }
        symlink(folder("a"), folder("link"))
        symlink(folder("c"), folder("next"))
        let watch = try DirectoryWatch(lookingEvery: .milliseconds(50))
        var hints = watch.hints.makeAsyncIterator()
        try watch.watch(folders: [folder("link/b")])
        rename(folder("next"), folder("link"))
        #expect(await hints.next() != nil)
        try write("x", to: folder("c/b/file"))
        #expect(await hints.next() != nil)
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `whether other places are watched is told`() async throws {
        let watch = try DirectoryWatch()
        var hints = watch.hints.makeAsyncIterator()
        #expect(try watch.watch(folders: [folder("a")]))
        #expect(try !watch.watch(folders: [folder("a")]))
        mkdir(folder("a"), 0o755)
        #expect(await hints.next() != nil)
        _ = try watch.watch(folders: [folder("a")])
        #expect(try !watch.watch(folders: [folder("a")]))
        #expect(try watch.watch(folders: [folder.path]))
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `hints end with the watch`() async throws {
        var watch: DirectoryWatch? = try DirectoryWatch()
        let hints = try #require(watch?.hints)
        watch = nil
        for await _ in hints {}
        #expect(watch == nil)
    }
}
