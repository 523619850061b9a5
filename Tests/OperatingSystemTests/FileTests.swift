import Glibc
import TestSupport
import Testing

@testable import OperatingSystem

@Suite struct AppendingFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a new file is for the group, whatever the umask`() throws {
        try AppendingFile.append(line: Array("one".utf8), to: folder("j"))
        try AppendingFile.append(line: Array("two\n".utf8), to: folder("j"))
        #expect(mode(of: folder("j")) == 0o660)
        #expect(try text(of: folder("j")) == "one\ntwo\n")
    }

    @Test func `a file is made where a link leads`() throws {
        mkdir(folder("elsewhere"), 0o755)
        symlink("elsewhere/j", folder("link"))
        symlink(folder("link"), folder("j"))
        try AppendingFile.check(folder("j"))
        for line in ["one", "two"] { try AppendingFile.append(line: Array(line.utf8), to: folder("j")) }
        #expect(try text(of: folder("elsewhere/j")) == "one\ntwo\n")
        #expect(mode(of: folder("elsewhere/j")) == 0o660)
    }

    @Test func `a torn line is closed first`() throws {
        try write("torn", to: folder("j"))
        try AppendingFile.append(line: Array("one".utf8), to: folder("j"))
        #expect(try text(of: folder("j")) == "torn\none\n")
    }

    @Test func `what is no file is refused`() {
        #expect(throws: SystemError.self) { try AppendingFile.append(line: [0x61], to: folder.path) }
        #expect(throws: SystemError.self) { try AppendingFile.append(line: [0x61], to: folder("no/where")) }
        symlink(folder("no/where"), folder("dangling"))
        #expect(throws: SystemError.self) { try AppendingFile.append(line: [0x61], to: folder("dangling")) }
    }
}

@Suite struct DurableFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [("", 0, ""), ("a\n", 0, "a\n"), ("a\nb", 1, "a\n"), ("abc", 3, "")])
    func `a torn line is cut off`(content: String, cut: UInt64, rest: String) throws {
        try write(content, to: folder("f"))
        #expect(try DurableFile(path: folder("f")).truncateTornLine() == cut)
        #expect(try text(of: folder("f")) == rest)
    }

    @Test(arguments: [("", nil, 0), ("a\n", "a", 0), ("a\nbc\ntorn", "bc", 2)] as [(String, String?, UInt64)])
    func `the last line is found`(content: String, line: String?, offset: UInt64) throws {
        try write(content, to: folder("f"))
        let last = try DurableFile(path: folder("f")).lastLine()
        #expect(last.map { String(decoding: $0.bytes, as: UTF8.self) } == line)
        #expect(last?.offset ?? 0 == offset)
    }

    @Test func `a file knows when it was moved away`() throws {
        let file = try DurableFile(path: folder("f"), mode: 0o644)
        #expect(file.isAtPath() && mode(of: folder("f")) == 0o644)
        rename(folder("f"), folder("g"))
        #expect(!file.isAtPath())
    }
}

@Suite struct ReadableFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `only regular files are read`() {
        mkfifo(folder("pipe"), 0o600)
        let error = #expect(throws: SystemError.self) { try ReadableFile(path: folder("pipe")) }
        #expect(error?.description == "cannot read \(folder("pipe")): not a regular file")
        #expect(throws: SystemError.self) { try ReadableFile(path: folder.path) }
        #expect(#expect(throws: SystemError.self) { try ReadableFile(path: folder("none")) }?.isMissing == true)
    }

    @Test func `an identity holds what stat says`() throws {
        try write("one", to: folder("f"))
        chmod(folder("f"), 0o640)
        link(folder("f"), folder("g"))
        symlink(folder("f"), folder("link"))
        var status = stat()
        try #require(stat(folder("link"), &status) == 0)
        let identity = try FileIdentity.of(path: folder("link"))
        #expect(identity.device == UInt64(status.st_dev) && identity.inode == UInt64(status.st_ino))
        #expect(identity.size == 3 && identity.linkCount == 2)
        #expect(identity.mode == 0o640 && identity.owner == status.st_uid)
        let modified = UInt64(status.st_mtim.tv_sec) * 1_000_000_000 + UInt64(status.st_mtim.tv_nsec)
        #expect(identity.modifiedNanoseconds == modified)
        #expect(identity.birth.map { $0 <= modified } ?? true)
        #expect(try ReadableFile(path: folder("f")).identity() == identity)
        #expect(try FileIdentity.of(path: folder("link"), followingLinks: false).kind == .link)
        #expect(try FileIdentity.of(path: folder.path).kind == .folder)
    }

    @Test(
        arguments: [
            (Int64.min, 0, 0), (-1, 0, 0), (0, 7, 7), (1_790_000_000, 999_999_999, 1_790_000_000_999_999_999),
            (20_000_000_000, 0, 18_446_744_072_000_000_000), (Int64.max, 999_999_999, 18_446_744_072_999_999_999),
        ] as [(Int64, UInt32, UInt64)])
    func `a file may have any time`(seconds: Int64, nanoseconds: UInt32, told: UInt64) {
        #expect(FileIdentity.nanoseconds(seconds: seconds, and: nanoseconds) == told)
    }

    @Test func `an inode used again is another file`() throws {
        try write("one", to: folder("f"))
        let file = try ReadableFile(path: folder("f"))
        let identity = try file.identity()
        #expect(identity.size == 3 && identity.linkCount == 1 && identity.kind == .regular)
        rename(folder("f"), folder("g"))
        #expect(try FileIdentity.of(path: folder("g")).isSameFile(as: identity))
        unlink(folder("g"))
        #expect(try file.identity().linkCount == 0)
        var other = identity
        other.birth = identity.birth.map { $0 + 1 } ?? 1
        #expect(!identity.isSameFile(as: other) || identity.birth == nil)
    }
}

@Suite struct SecretFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [0o600, 0o400, 0o640, 0o604] as [UInt32])
    func `a secret that others can see is refused`(mode: UInt32) throws {
        try write("secret\n", to: folder("s"))
        chmod(folder("s"), mode)
        if mode & 0o077 == 0 {
            #expect(try SecretFile.read(at: folder("s"), credentials: nil) == Array("secret".utf8))
        } else {
            let error = #expect(throws: SystemError.self) { try SecretFile.read(at: folder("s"), credentials: nil) }
            #expect(error?.isPermission == true && error?.description.contains("secret\n") == false)
            #expect(try SecretFile.read(at: folder("s"), credentials: folder.path) == Array("secret".utf8))
            #expect(throws: SystemError.self) { try SecretFile.read(at: folder("s"), credentials: "/nowhere") }
        }
    }
}

@Suite struct FileLockTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `only one holds a lock`() throws {
        let lock = try FileLock(path: folder("lock"))
        let error = #expect(throws: SystemError.self) { try FileLock(path: folder("lock")) }
        #expect(error?.isHeldElsewhere == true)
        #expect(error?.description.hasSuffix("another process holds it (process \(ThisProcess.id))") == true)
        lock.release()
        lock.release()
        #expect(try text(of: FileLock(path: folder("lock")).path) == "\(ThisProcess.id)\n")
    }
}

@Suite struct UnixListenerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a living socket is left alone, and a stale one replaced`() throws {
        let first = try UnixListener.bind(path: folder("run/s"))
        #expect(mode(of: folder("run/s")) == 0o660)
        let error = #expect(throws: SystemError.self) { try UnixListener.bind(path: folder("run/s")) }
        #expect(error?.description.hasSuffix("another daemon answers there") == true)
        close(first.descriptor)
        let second = try UnixListener.bind(path: folder("run/s"), mode: 0o600)
        first.removePath()
        #expect(mode(of: folder("run/s")) == 0o600)
        second.removePath()
        #expect(mode(of: folder("run/s")) == nil)
        close(second.descriptor)
    }

    @Test func `what is no socket is left alone`() throws {
        try write("precious", to: folder("s"))
        #expect(throws: SystemError.self) { try UnixListener.bind(path: folder("s")) }
        #expect(try text(of: folder("s")) == "precious")
        let long = folder(String(repeating: "x", count: 120))
        let error = #expect(throws: SystemError.self) { try UnixListener.bind(path: long) }
        #expect(error?.description.contains("1 to 107 bytes") == true)
    }
}

@Suite struct ThisProcessTests {
    @Test func `the facts of this process are there`() {
        Memory.trim()
        #expect(ThisProcess.raiseDescriptorLimit() >= 256)
        #expect(MachineID.current(path: "/nowhere") == nil)
        #expect(MachineID.current().map { $0.count == 32 } ?? true)
    }
}
