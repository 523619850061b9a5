internal import OperatingSystem

/// Reads SQLite's write-ahead log: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
enum WriteAheadLog {
    private static let headerSize = 32
    private static let frameHeaderSize = 24

    /// Where the log of the SQLite file at `path` has its first damage; nil where it has none, or there is no log.
    ///
    /// A frame of an earlier use of the log, which stays behind a shorter one, counts as its end.
    static func damage(of path: String) throws -> String? {
        let path = path + "-wal"
        guard let file = try? ReadableFile(path: path) else { return nil }
        let size = try file.identity().size
        guard size > 0 else { return nil }
        let header = try file.read(at: 0, count: headerSize)
        guard header.count == headerSize, word(header, 0) & ~1 == 0x377F_0682 else {
            return "\(path) is damaged at byte 0"
        }
        var sum = Checksum(bigEndian: word(header, 0) & 1 == 1)
        sum.add(header[..<24])
        guard sum.isEqual(header[24...]) else { return "\(path) is damaged at byte 0" }
        let pageSize = Int(word(header, 8))
        var offset = UInt64(headerSize)
        while offset < size {
            let frame = try file.read(at: offset, count: frameHeaderSize + pageSize)
            guard frame.count == frameHeaderSize + pageSize, frame[8..<16] == header[16..<24] else { break }
            sum.add(frame[..<8])
            sum.add(frame[frameHeaderSize...])
            guard sum.isEqual(frame[16..<24]) else { break }
            offset += UInt64(frame.count)
        }
        return offset < size ? "\(path) is damaged at byte \(offset)" : nil
    }

    private static func word(_ bytes: [UInt8], _ start: Int) -> UInt32 {
        bytes[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The running checksum of a log.
    private struct Checksum {
        private var first: UInt32 = 0
        private var second: UInt32 = 0
        private let bigEndian: Bool

        init(bigEndian: Bool) { self.bigEndian = bigEndian }

        /// - Parameter bytes: a multiple of eight.
        mutating func add(_ bytes: ArraySlice<UInt8>) {
            bytes.withUnsafeBytes { bytes in
                for start in stride(from: 0, to: bytes.count - 7, by: 8) {
                    first = first &+ load(bytes, start) &+ second
                    second = second &+ load(bytes, start + 4) &+ first
                }
            }
        }

        /// Whether `bytes` are this checksum as it is stored.
        func isEqual(_ bytes: ArraySlice<UInt8>) -> Bool {
            bytes.withUnsafeBytes { bytes in
                bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self) == first.bigEndian
                    && bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self) == second.bigEndian
            }
        }

        private func load(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> UInt32 {
            let word = bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)
            return bigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
        }
    }
}
