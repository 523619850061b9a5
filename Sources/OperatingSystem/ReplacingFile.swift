internal import Glibc

/// A file that appears whole or not at all: it is written beside its place, and takes the place when it is complete.
package final class ReplacingFile {
    /// Where it will stand.
    package let path: String
    private let unfinished: String
    private let descriptor: Descriptor
    /// Whether the file beside the place is ours to remove.
    private var isUnfinished = false

    /// Begins a file of `mode` for `path`. Its folder must exist; what stands there now must be a regular file, no link to
    /// one, and stays until ``finish()``. What a killed process left unfinished is used again; one that another process still writes is
    /// refused.
    package init(path: String, mode: UInt32 = 0o600) throws(SystemError) {
        self.path = path
        if let present = try? FileIdentity.of(path: path, followingLinks: false), present.kind != .regular {
            let detail = present.kind == .link ? "a link: name the file that it leads to" : "not a regular file"
            throw SystemError(code: EINVAL, operation: "replace", path: path, detail: detail)
        }
        unfinished = path + ".part"
        descriptor = try Descriptor.open(unfinished, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode: mode)
        guard try FileIdentity.of(descriptor, path: unfinished).kind == .regular else {
            throw SystemError(code: EINVAL, operation: "write", path: unfinished, detail: "not a regular file")
        }
        guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else {
            throw SystemError(code: errno, operation: "write", path: unfinished, detail: "another process writes it")
        }
        isUnfinished = true
        guard ftruncate(descriptor.number, 0) == 0, fchmod(descriptor.number, mode) == 0 else {
            throw .last("begin", unfinished)
        }
    }

    deinit { if isUnfinished { unlink(unfinished) } }

    package func write(_ bytes: [UInt8]) throws(SystemError) { try descriptor.writeAll(bytes, path: unfinished) }

    /// Where the bytes stand until ``finish()``.
    package var unfinishedPath: String { unfinished }

    /// Puts the file in its place; it is on the disk when this returns.
    package func finish() throws(SystemError) {
        try descriptor.synchronize(path: unfinished)
        guard rename(unfinished, path) == 0 else { throw .last("replace", path) }
        isUnfinished = false
        try Folder.synchronize(Folder.containing(path))
    }
}
