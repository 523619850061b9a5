internal import OperatingSystem

/// Reads again what was consumed of a file, piece by piece, and says whether it is what it was.
struct ConsumedCheck: Sendable {
    enum Outcome {
        case same
        case differs
        /// Nothing was known of these blocks; now something is.
        case learned(BlockDigest)
    }

    /// How much one step reads, in bytes.
    static let step: UInt64 = 1 << 20

    private let expected: BlockDigest
    private let end: UInt64
    private var found = BlockDigest()

    /// - Parameter expected: what was consumed; it may go on growing elsewhere.
    init(expecting expected: BlockDigest) {
        self.expected = expected
        end = expected.firstBlock > 0 ? expected.firstBlock * UInt64(BlockDigest.blockSize) : expected.length
    }

    /// Reads the next piece; the outcome when it was the last one.
    mutating func step(in file: ReadableFile) throws(SystemError) -> Outcome? {
        let count = Int(min(ConsumedCheck.step, end - found.length))
        let bytes = try file.read(at: found.length, count: count)
        guard bytes.count == count else { return .differs }
        found.add(bytes[...])
        if found.length < end { return nil }
        if expected.firstBlock > 0 { return .learned(found) }
        return found.sum == expected.sum && found.rest == expected.rest ? .same : .differs
    }
}
