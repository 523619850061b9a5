internal import Glibc
internal import OperatingSystem

extension SystemError {
    /// True where somebody else listens there already.
    var isAddressInUse: Bool { code == EADDRINUSE }

    /// True where the disk or the file system failed, rather than what was asked of it.
    var isInputOutput: Bool { [EIO, ENOSPC, EDQUOT, EROFS, EFBIG].contains(code) }
}
