internal import Glibc

/// How much room there is on the disk of a folder.
package struct DiskRoom: Hashable, Sendable {
    package var freeBytes: UInt64
    package var totalBytes: UInt64
    /// How many files can be made; nil where there is no limit.
    package var freeFiles: UInt64?

    package init(freeBytes: UInt64, totalBytes: UInt64, freeFiles: UInt64? = nil) {
        self.freeBytes = freeBytes
        self.totalBytes = totalBytes
        self.freeFiles = freeFiles
    }

    package var freePercent: Int { totalBytes == 0 ? 100 : Int(Double(freeBytes) / Double(totalBytes) * 100) }

    /// As it is now, for those who are not root.
    package static func of(_ folder: String) throws(SystemError) -> DiskRoom {
        var facts = statvfs()
        guard statvfs(folder, &facts) == 0 else { throw .last("look at the disk of", folder) }
        let block = UInt64(facts.f_frsize)
        return DiskRoom(
            freeBytes: UInt64(facts.f_bavail) * block, totalBytes: UInt64(facts.f_blocks) * block,
            freeFiles: facts.f_files == 0 ? nil : UInt64(facts.f_favail))
    }
}
