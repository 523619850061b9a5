internal import Glibc

/// What tells one file from another, and its size and age, as they were when asked.
package struct FileIdentity: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case regular, folder, link, socket, other }

    package var device: UInt64
    package var inode: UInt64
    /// When the file was made, in nanoseconds since 1970; nil where the file system does not know.
    package var birth: UInt64?
    package var kind: Kind
    /// In bytes.
    package var size: UInt64
    /// When the content last changed, in nanoseconds since 1970.
    package var modifiedNanoseconds: UInt64
    /// How many names the file has; 0 when it has been deleted while it is open.
    package var names: UInt64
    package var owner: UInt32
    /// Permission bits.
    package var mode: UInt32

    /// When the content last changed, in milliseconds since 1970.
    package var modified: UInt64 { modifiedNanoseconds / 1_000_000 }

    /// True where both are the same file on disk, whatever its size now: device, inode and (where known) birth agree.
    package func isSameFile(as other: FileIdentity) -> Bool {
        guard device == other.device, inode == other.inode else { return false }
        guard let birth, let otherBirth = other.birth else { return true }
        return birth == otherBirth
    }

    /// The identity of what `path` names; of the link itself where `followingLinks` is false.
    package static func of(path: String, followingLinks: Bool = true) throws(SystemError) -> FileIdentity {
        var status = stat()
        let result = followingLinks ? stat(path, &status) : lstat(path, &status)
        guard result == 0 else { throw .last("look at", path) }
        let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
        return FileIdentity(status, birth: birth(AT_FDCWD, path, flags, inode: UInt64(status.st_ino)))
    }

    static func of(_ descriptor: Descriptor, path: String) throws(SystemError) -> FileIdentity {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw .last("look at", path) }
        return FileIdentity(status, birth: birth(descriptor.number, "", emptyPath, inode: UInt64(status.st_ino)))
    }

    private init(_ status: stat, birth: UInt64?) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        self.birth = birth
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            case S_IFSOCK: .socket
            default: .other
            }
        size = UInt64(max(0, status.st_size))
        let seconds = UInt64(max(0, status.st_mtim.tv_sec))
        modifiedNanoseconds = seconds * 1_000_000_000 + UInt64(max(0, status.st_mtim.tv_nsec))
        names = UInt64(status.st_nlink)
        owner = status.st_uid
        mode = status.st_mode & 0o7777
    }

    /// AT_EMPTY_PATH: the descriptor itself is meant.
    private static let emptyPath: CInt = 0x1000
    /// STATX_BTIME.
    private static let wantsBirth: CUnsignedInt = 0x800

    /// The birth time by `statx`, whose answer is read at the places the kernel's interface fixes: the mask of what is
    /// known at 0, the inode at 32, seconds and nanoseconds of birth at 80 and 88.
    private static func birth(_ folder: CInt, _ path: String, _ flags: CInt, inode: UInt64) -> UInt64? {
        guard let statx = GlibcFunctions.statx else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { answer in
            answer.initializeMemory(as: UInt8.self, repeating: 0)
            guard let base = answer.baseAddress, statx(folder, path, flags, wantsBirth, base) == 0 else { return nil }
            guard answer.load(as: UInt32.self) & wantsBirth != 0 else { return nil }
            // Between the two calls the path may have come to name another file.
            guard answer.load(fromByteOffset: 32, as: UInt64.self) == inode else { return nil }
            let seconds = answer.load(fromByteOffset: 80, as: Int64.self)
            let nanoseconds = answer.load(fromByteOffset: 88, as: UInt32.self)
            return seconds <= 0 ? nil : UInt64(seconds) * 1_000_000_000 + UInt64(nanoseconds)
        }
    }
}
