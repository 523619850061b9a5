import Testing

@testable import JournalTail

struct FileKeyTests {
    private let known = FileKey(device: 1, inode: 7, birth: 9)

    @Test func `another device number after a boot is the same file`() {
        #expect(known.isSame(as: FileKey(device: 2, inode: 7, birth: 9)))
    }

    @Test(arguments: [
        FileKey(device: 1, inode: 8, birth: 9), FileKey(device: 1, inode: 7, birth: 10),
        FileKey(device: 2, inode: 7, birth: nil),
    ])
    func `another inode or birth, or another device where births are not known, is another file`(other: FileKey) {
        #expect(!known.isSame(as: other))
    }
}
