internal import Glibc

/// A regular file open for reading, whatever its name becomes meanwhile.
package final class ReadableFile: Sendable {
    /// The path it was opened by.
    package let path: String
    let descriptor: Descriptor

    /// Opens the file without ever blocking; anything but a regular file is refused.
    package init(path: String) throws(SystemError) {
        self.path = path
        descriptor = try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        guard try FileIdentity.of(descriptor, path: path).kind == .regular else {
            throw SystemError(code: EINVAL, operation: "read", path: path, detail: "not a regular file")
        }
    }

    /// What the open file is now: its size changes, and `linkCount` says whether it was deleted.
    package func identity() throws(SystemError) -> FileIdentity {
        try FileIdentity.of(descriptor, path: path)
    }

    /// The name that it has now; the one it was opened by where it has none any more, or that can't be told.
    package var presentPath: String {
        guard (try? identity().linkCount) != 0 else { return path }
        return Folder.target(ofLink: "/proc/self/fd/\(descriptor.number)") ?? path
    }

    /// Up to `count` bytes at `offset`; fewer only at the end of the file, none beyond it.
    package func read(at offset: UInt64, count: Int) throws(SystemError) -> [UInt8] {
        try descriptor.read(at: offset, count: count, path: path)
    }

    /// Makes everything that any process has written to the file so far survive a power cut.
    package func synchronize() throws(SystemError) {
        guard uninterrupted({ fdatasync(descriptor.number) }) == 0 else { throw .last("sync", path) }
    }

    /// Where the last complete line ends; 0 in a file without one.
    package func endOfLastLine() throws(SystemError) -> UInt64 {
        try descriptor.endOfLastLine(size: identity().size, path: path)
    }
}
