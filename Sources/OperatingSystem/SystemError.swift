internal import Glibc

/// A system call that failed: what was tried, on what, and why.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The `errno` of the call.
    package var code: CInt
    /// What was tried, as a verb phrase that follows "cannot": `open`, `append to`.
    package var operation: String
    package var path: String?
    /// What to say instead of the system's words for `code`, where those would not help anybody.
    package var detail: String?

    package init(code: CInt, operation: String, path: String? = nil, detail: String? = nil) {
        self.code = code
        self.operation = operation
        self.path = path
        self.detail = detail
    }

    /// The error of the call that just failed; to be made before any other call.
    static func last(_ operation: String, _ path: String? = nil) -> SystemError {
        SystemError(code: errno, operation: operation, path: path)
    }

    /// What has to be at rest for this is not.
    package static func busy(_ operation: String, _ path: String) -> SystemError {
        SystemError(code: EBUSY, operation: operation, path: path)
    }

    /// One line: `cannot open /x: Permission denied`.
    package var description: String {
        let place = path.map { " " + $0 } ?? ""
        return "cannot \(operation)\(place): \(detail ?? SystemError.words(for: code))"
    }

    /// True where nothing exists at the path.
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// True where the file may not be used by this user.
    package var isPermission: Bool { code == EACCES || code == EPERM }

    /// True where nobody can write, for the file system can only be read.
    package var isReadOnly: Bool { code == EROFS }

    /// True where somebody else listens there already.
    package var isAddressInUse: Bool { code == EADDRINUSE }

    /// True where there is no room on the disk, or no more for this user.
    package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }

    /// Whether something is used up that others give back: descriptors or memory.
    package static func isShortage(_ code: CInt) -> Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) }

    /// True where the disk or the file system failed, rather than what was asked of it.
    package var isInputOutput: Bool { [EIO, ENOSPC, EDQUOT, EROFS, EFBIG].contains(code) }

    private static func words(for code: CInt) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let base = buffer.baseAddress else { return "error \(code)" }
            buffer.initialize(repeating: 0)
            return strerror_r(code, base, buffer.count) == 0 ? String(cString: base) : "error \(code)"
        }
    }
}

/// Repeats a call that a signal interrupted before it did anything.
func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
