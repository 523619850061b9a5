internal import Crypto

/// A digest of all bytes of a file up to some offset, kept up at the cost of what is new.
///
/// Each complete block of 64 KiB adds the SHA-256 of its bytes and its number to a sum (by exclusive or), so that a sum
/// can be continued from where it was stored, and two sums of different blocks can be put together. The rest after the
/// last complete block has a hash of its own.
struct BlockDigest: Sendable {
    /// In bytes.
    static let blockSize = 64 << 10

    /// The digests of the complete blocks from ``firstBlock`` on, combined.
    private(set) var sum = [UInt8](repeating: 0, count: SHA256.byteCount)
    /// The first block that ``sum`` knows; above 0 where what stands before was never read.
    private(set) var firstBlock: UInt64
    /// The number of the block that is not complete yet.
    private(set) var block: UInt64
    /// How much of that block has been added, in bytes.
    private(set) var filled = 0
    private var hash = SHA256()

    /// Nothing yet, or from the start of a block on.
    ///
    /// - Parameter sum: what is known of the blocks before; nil where that is nothing.
    init(block: UInt64 = 0, sum: [UInt8]? = nil) {
        self.block = block
        firstBlock = sum == nil ? block : 0
        if let sum, sum.count == self.sum.count { self.sum = sum }
    }

    /// The offset up to which all is added.
    var length: UInt64 { block * UInt64(BlockDigest.blockSize) + UInt64(filled) }

    /// The sum where it stands for all blocks.
    var wholeSum: [UInt8]? { firstBlock == 0 ? sum : nil }

    /// What was added after the last complete block.
    var rest: JournalPosition.Fingerprint { .init(length: filled, hash: Array(hash.finalize())) }

    /// Adds the bytes that follow.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let count = min(BlockDigest.blockSize - filled, bytes.count - start)
                hash.update(bufferPointer: .init(rebasing: bytes[start..<(start + count)]))
                filled += count
                start += count
                if filled == BlockDigest.blockSize { completeBlock() }
            }
        }
    }

    /// Takes in the blocks before ``firstBlock``, which were read in the meantime.
    mutating func prepend(_ earlier: BlockDigest) {
        guard firstBlock > 0, earlier.firstBlock == 0, earlier.block == firstBlock else { return }
        combine(earlier.sum)
        firstBlock = 0
    }

    private mutating func completeBlock() {
        withUnsafeBytes(of: block.littleEndian) { hash.update(bufferPointer: $0) }
        combine(Array(hash.finalize()))
        hash = SHA256()
        filled = 0
        block += 1
    }

    private mutating func combine(_ other: [UInt8]) {
        for index in sum.indices { sum[index] ^= other[index] }
    }
}
