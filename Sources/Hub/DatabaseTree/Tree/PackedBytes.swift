/// Bytes that are written once, in the memory of blocks.
///
/// Unchecked, because nothing changes them after `init`.
final class PackedBytes: @unchecked Sendable {
    private let start: UnsafeMutableRawPointer
    let count: Int

    /// - Parameter write: fills all of them.
    init(count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) {
        start = BlockMemory.shared.allocate(count)
        self.count = count
        write(UnsafeMutableRawBufferPointer(start: start, count: count))
    }

    deinit { BlockMemory.shared.free(start, count) }

    /// Lends the bytes.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(start: start, count: count)) }
    }
}
