internal import Glibc

/// What one process may know of another one.
package enum OtherProcess {
    /// The bytes of memory that it holds; nil where there is no such process.
    package static func residentBytes(_ id: Int32) -> Int? {
        guard let file = try? Descriptor.open("/proc/\(id)/statm", O_RDONLY),
            let text = try? file.read(at: 0, count: 200, path: "/proc/\(id)/statm")
        else { return nil }
        let words = String(decoding: text, as: UTF8.self).split(separator: " ")
        return words.count > 1 ? Int(words[1]).map { $0 * sysconf(CInt(_SC_PAGESIZE)) } : nil
    }

    /// The name that it has for the kernel, of up to 15 bytes; nil where there is no such process, or it is hidden.
    package static func name(_ id: Int32) -> String? {
        guard let file = try? Descriptor.open("/proc/\(id)/comm", O_RDONLY),
            let text = try? file.read(at: 0, count: 64, path: "/proc/\(id)/comm")
        else { return nil }
        return String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Asks it to end; no effect where there is no such process.
    package static func terminate(_ id: Int32) { kill(id, SIGTERM) }
}
