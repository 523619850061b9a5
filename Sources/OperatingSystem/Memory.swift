internal import CLinux
internal import Glibc

/// The memory of this process.
package enum Memory {
    /// Gives memory that the allocator keeps for later back to the system.
    package static func trim() { malloc_trim(0) }

    /// What is in RAM now, in bytes; 0 where the system does not say.
    package static var resident: UInt64 {
        guard let file = try? Descriptor.open("/proc/self/statm", O_RDONLY),
            let bytes = try? file.read(at: 0, count: 128, path: "/proc/self/statm")
        else { return 0 }
        let pages = String(decoding: bytes, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap {
            UInt64($0)
        }
        return (pages ?? 0) * UInt64(sysconf(CInt(_SC_PAGESIZE)))
    }
}
