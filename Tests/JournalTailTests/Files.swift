import Glibc
import OperatingSystem
import TestSupport

/// What tests do to files, as other programs would.
enum Files {
    static func write(_ bytes: [UInt8], to path: String, _ flags: CInt = O_APPEND) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o644)
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    static func write(_ text: String, to path: String, _ flags: CInt = O_APPEND) {
        write(Array(text.utf8), to: path, flags)
    }

    /// Writes over what is there, and leaves the rest as it is.
    static func overwrite(_ text: String, at offset: Int, in path: String) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        pwrite(descriptor, bytes, bytes.count, off_t(offset))
    }

    /// Says that a file was changed at a time, in seconds since 1970.
    static func date(_ path: String, _ seconds: Int) {
        let time = timespec(tv_sec: seconds, tv_nsec: 0)
        utimensat(AT_FDCWD, path, [time, time], 0)
    }

    static func read(_ path: String) -> [UInt8] {
        guard let file = try? ReadableFile(path: path), let size = try? file.identity().size else { return [] }
        return (try? file.read(at: 0, count: Int(size))) ?? []
    }

    /// Leaves no two changes within one tick of the file system's clock, as it is between rotations in real life.
    static func tick() {
        // In a folder of its own: it must not wake a tail.
        guard let folder = try? TemporaryFolder() else { return }
        func now() -> UInt64 {
            write("x", to: folder("tick"))
            return (try? FileIdentity.of(path: folder("tick")).modifiedNanoseconds) ?? 0
        }
        let start = now()
        while now() == start {}
    }
}
