internal import Glibc

/// A file that appears whole or not at all: it is written beside its place, and takes the place when it is complete.
package final class ReplacingFile {
    /// Where it will stand.
    package let path: String
    private let unfinished: String
    private let descriptor: Descriptor
    private var isFinished = false

    /// Begins a file of `mode` for `path`. Its folder must exist; what stands there now must be a regular file, and stays
    /// until ``finish()``.
    package init(path: String, mode: UInt32 = 0o600) throws(SystemError) {
        self.path = path
        if let present = try? FileIdentity.of(path: path), present.kind != .regular {
            throw SystemError(code: EINVAL, operation: "replace", path: path, detail: "not a regular file")
        }
        unfinished = "\(path).\(getpid()).part"
        descriptor = try Descriptor.open(unfinished, O_RDWR | O_CREAT | O_EXCL | O_NOCTTY, mode: mode)
        guard fchmod(descriptor.number, mode) == 0 else { throw .last("set the mode of", unfinished) }
    }

    deinit { if !isFinished { unlink(unfinished) } }

    package func write(_ bytes: [UInt8]) throws(SystemError) { try descriptor.writeAll(bytes, path: unfinished) }

    /// Where the bytes stand until ``finish()``.
    package var unfinishedPath: String { unfinished }

    /// Puts the file in its place; it is on the disk when this returns.
    package func finish() throws(SystemError) {
        try descriptor.synchronize(path: unfinished)
        guard rename(unfinished, path) == 0 else { throw .last("replace", path) }
        isFinished = true
        try Folder.synchronize(Folder.containing(path))
    }
}
