internal import Glibc

/// A file that one process alone appends to, and whose bytes are on the disk when an append returns.
package final class DurableFile: Sendable {
    package let path: String
    private let descriptor: Descriptor

    /// Opens the file, or makes it with `mode` whatever the umask; its folder must exist.
    package init(path: String, mode: UInt32 = 0o640) throws(SystemError) {
        self.path = path
        let isNew = (try? FileIdentity.of(path: path)) == nil
        descriptor = try Descriptor.open(path, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY, mode: mode)
        guard try FileIdentity.of(descriptor, path: path).kind == .regular else {
            throw SystemError(code: EINVAL, operation: "append to", path: path, detail: "not a regular file")
        }
        if isNew {
            guard fchmod(descriptor.number, mode) == 0 else { throw .last("set the mode of", path) }
            try Folder.synchronize(Folder.containing(path))
        }
    }

    /// In bytes.
    package func size() throws(SystemError) -> UInt64 { try FileIdentity.of(descriptor, path: path).size }

    /// True while the path still names this very file: nobody renamed or deleted it.
    package func isAtPath() -> Bool {
        guard let mine = try? FileIdentity.of(descriptor, path: path) else { return false }
        return (try? FileIdentity.of(path: path))?.isSameFile(as: mine) ?? false
    }

    /// Renames the file, which takes the place of what is at `target`; appends still go to it.
    package func move(to target: String) throws(SystemError) {
        try Folder.move(path, to: target)
    }

    /// Up to `count` bytes at `offset`; fewer only at the end of the file.
    package func read(at offset: UInt64, count: Int) throws(SystemError) -> [UInt8] {
        try descriptor.read(at: offset, count: count, path: path)
    }

    /// The last complete line without its newline, and where it begins.
    ///
    /// Nil in a file without a complete line, and where the line is longer than 2 MiB.
    package func lastLine() throws(SystemError) -> (bytes: [UInt8], offset: UInt64)? {
        let end = try descriptor.endOfLastLine(size: size(), path: path)
        guard end > 0 else { return nil }
        let start = end - min(end, 2 << 20)
        let bytes = try read(at: start, count: Int(end - start) - 1)
        guard let newline = bytes.lastIndex(of: 0x0A) else { return start == 0 ? (bytes, 0) : nil }
        return (Array(bytes[(newline + 1)...]), start + UInt64(newline) + 1)
    }

    /// Cuts off what follows the last newline, and returns how many bytes that were.
    package func truncateTornLine() throws(SystemError) -> UInt64 {
        let size = try size()
        let end = try descriptor.endOfLastLine(size: size, path: path)
        if end < size { try truncate(to: end) }
        return size - end
    }

    /// Cuts the file to `size` bytes, durably.
    package func truncate(to size: UInt64) throws(SystemError) {
        guard uninterrupted({ ftruncate(descriptor.number, off_t(size)) }) == 0 else { throw .last("truncate", path) }
        try synchronize()
    }

    /// Appends `bytes` and returns when they are on the disk.
    ///
    /// A throw leaves the file as it was, as far as it can still be written at all.
    package func append(_ bytes: [UInt8]) throws(SystemError) {
        let before = try size()
        do {
            try descriptor.writeAll(bytes, path: path)
            try synchronize()
        } catch {
            _ = ftruncate(descriptor.number, off_t(before))
            throw error
        }
    }

    private func synchronize() throws(SystemError) {
        guard uninterrupted({ fdatasync(descriptor.number) }) == 0 else { throw .last("sync", path) }
    }
}
