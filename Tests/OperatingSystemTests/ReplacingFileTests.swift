import Glibc
import OperatingSystem
import TestSupport
import Testing

struct ReplacingFileTests {
    @Test func `the file appears when it is finished`() throws {
        let folder = try TemporaryFolder()
        try write("before", to: folder("x"))
        let file = try ReplacingFile(path: folder("x"))
        try file.write(Array("af".utf8))
        try file.write(Array("ter".utf8))
        #expect(try text(of: folder("x")) == "before")
        try file.finish()
        #expect(try text(of: folder("x")) == "after")
        #expect(mode(of: folder("x")).map { $0 & 0o777 } == 0o600)
        #expect(try Folder.names(in: folder.path) == ["x"])
    }

    @Test func `an unfinished file leaves nothing behind`() throws {
        let folder = try TemporaryFolder()
        do {
            let file = try ReplacingFile(path: folder("x"))
            try file.write([1])
            #expect(try Folder.names(in: folder.path).count == 1)
        }
        #expect(try Folder.names(in: folder.path).isEmpty)
    }

    @Test func `what a killed process left is used again, and what another writes is not`() throws {
        let folder = try TemporaryFolder()
        try write("left by somebody who was killed", to: folder("x.part"))
        let first = try ReplacingFile(path: folder("x"))
        #expect(throws: SystemError.self) { try ReplacingFile(path: folder("x")) }
        try first.write(Array("whole".utf8))
        try first.finish()
        #expect(try text(of: folder("x")) == "whole")
        #expect(try Folder.names(in: folder.path) == ["x"])
    }

    @Test func `only a regular file is replaced`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SystemError.self) { try ReplacingFile(path: folder.path) }
        #expect(throws: SystemError.self) { try ReplacingFile(path: folder("no/where")) }
        // Nor what a link leads to: the link would be gone.
        #expect(symlink(folder("x"), folder("link")) == 0)
        #expect { try ReplacingFile(path: folder("link")) } throws: { "\($0)".contains("a link: name the file") }
    }
}
