internal import CLinux
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
    /// When the content or anything else about the file last changed, in nanoseconds since 1970; nobody can set it.
    package var changedNanoseconds: UInt64
    /// How many names the file has; 0 when it has been deleted while it is open.
    package var linkCount: UInt64
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
        try asked(AT_FDCWD, path, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW, shownAs: path)
    }

    static func of(_ descriptor: Descriptor, path: String) throws(SystemError) -> FileIdentity {
        try asked(descriptor.number, "", AT_EMPTY_PATH, shownAs: path)
    }

    private static func asked(
        _ folder: CInt, _ name: String, _ flags: CInt, shownAs path: String
    ) throws(SystemError) -> FileIdentity {
        var status = statx()
        let mask = UInt32(STATX_BASIC_STATS | STATX_BTIME)
        guard statx(folder, name, flags | AT_NO_AUTOMOUNT, mask, &status) == 0 else {
            throw .last("look at", path)
        }
        return FileIdentity(status)
    }

    private init(_ status: statx) {
        device = UInt64(gnu_dev_makedev(status.stx_dev_major, status.stx_dev_minor))
        inode = status.stx_ino
        let knowsBirth = status.stx_mask & UInt32(STATX_BTIME) != 0 && status.stx_btime.tv_sec > 0
        birth = knowsBirth ? FileIdentity.nanoseconds(status.stx_btime) : nil
        kind =
            switch mode_t(status.stx_mode) & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            case S_IFSOCK: .socket
            default: .other
            }
        size = status.stx_size
        modifiedNanoseconds = FileIdentity.nanoseconds(status.stx_mtime)
        changedNanoseconds = FileIdentity.nanoseconds(status.stx_ctime)
        linkCount = UInt64(status.stx_nlink)
        owner = status.stx_uid
        mode = UInt32(status.stx_mode) & 0o7777
    }

    private static func nanoseconds(_ time: statx_timestamp) -> UInt64 {
        nanoseconds(seconds: time.tv_sec, and: time.tv_nsec)
    }

    /// The last second that nanoseconds since 1970 can tell, in the year 2554.
    private static let lastSecond = Int64(UInt64.max / 1_000_000_000) - 1

    /// Since 1970; 0 for what lies before, and the last second for what lies after it: a file can be given any time.
    static func nanoseconds(seconds: Int64, and nanoseconds: UInt32) -> UInt64 {
        UInt64(min(max(0, seconds), lastSecond)) * 1_000_000_000 + UInt64(nanoseconds)
    }
}
