import Foundation
import OperatingSystem
import TestSupport
import Testing

struct KeptFileTests {
    private struct Unwritable: Error {}

    @Test func `what could not be written is told once, and written when it can be`() throws {
        let folder = try TemporaryFolder()
        var file = KeptFile(path: folder("f"))
        #expect(file.save { Array("a".utf8) } == nil && file.unsaved == nil)
        #expect(file.save { throw Unwritable() } == "Unwritable()")
        #expect(file.save { throw Unwritable() } == nil && file.unsaved == "Unwritable()")
        #expect(FileManager.default.contents(atPath: folder("f")) == Data("a".utf8))
        #expect(file.save { Array("b".utf8) } == nil && file.unsaved == nil)
        #expect(FileManager.default.contents(atPath: folder("f")) == Data("b".utf8))
    }
}
