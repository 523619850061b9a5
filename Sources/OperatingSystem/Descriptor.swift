internal import Glibc

/// An open file descriptor, closed when nobody holds it any more.
///
/// Not swift-system's `FileDescriptor`, which nobody closes and whose errors name neither the path nor what was tried.
package final class Descriptor: Sendable {
    package let number: CInt

    /// Takes ownership of `number`.
    package init(owning number: CInt) { self.number = number }

    deinit { close(number) }

    /// A second descriptor of the same open file, for those who close it themselves.
    package func duplicate() throws(SystemError) -> CInt {
        let duplicate = fcntl(number, F_DUPFD_CLOEXEC, 3)
        guard duplicate >= 0 else { throw .last("duplicate a descriptor") }
        return duplicate
    }

    /// Opens `path` with `O_CLOEXEC` added to `flags`.
    static func open(_ path: String, _ flags: CInt, mode: mode_t = 0) throws(SystemError) -> Descriptor {
        let number = uninterrupted { Glibc.open(path, flags | O_CLOEXEC, mode) }
        guard number >= 0 else { throw .last("open", path) }
        return Descriptor(owning: number)
    }

    /// Writes `bytes` with one `write`, and says how many of them went out.
    func writeOnce(_ bytes: [UInt8], path: String) throws(SystemError) -> Int {
        let count = uninterrupted { bytes.withUnsafeBytes { write(number, $0.baseAddress, $0.count) } }
        guard count >= 0 else { throw .last("write to", path) }
        return count
    }

    /// Writes all of `bytes`, in as many writes as it takes.
    func writeAll(_ bytes: [UInt8], path: String) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = uninterrupted { rest.withUnsafeBytes { write(number, $0.baseAddress, $0.count) } }
            guard count > 0 else { throw .last("write to", path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes `bytes` over what is at `offset`.
    func overwrite(_ bytes: [UInt8], at offset: UInt64, path: String) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let count = uninterrupted {
                bytes[done...].withUnsafeBytes { pwrite(number, $0.baseAddress, $0.count, off_t(offset) + off_t(done)) }
            }
            guard count > 0 else { throw .last("write to", path) }
            done += count
        }
    }

    /// Reads up to `count` bytes at `offset`; fewer only at the end of the file.
    func read(at offset: UInt64, count: Int, path: String) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let target = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                let got = uninterrupted {
                    pread(number, target.baseAddress, target.count, off_t(offset) + off_t(filled))
                }
                if got < 0 { failure = .last("read", path) }
                if got <= 0 { break }
                filled += got
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Where the last newline of the first `size` bytes ends; 0 without one.
    func endOfLastLine(size: UInt64, path: String) throws(SystemError) -> UInt64 {
        var end = size
        while end > 0 {
            let start = end > 65_536 ? end - 65_536 : 0
            let bytes = try read(at: start, count: Int(end - start), path: path)
            if let newline = bytes.lastIndex(of: 0x0A) { return start + UInt64(newline) + 1 }
            end = start
        }
        return 0
    }

    func synchronize(path: String) throws(SystemError) {
        guard uninterrupted({ fsync(number) }) == 0 else { throw .last("sync", path) }
    }
}
