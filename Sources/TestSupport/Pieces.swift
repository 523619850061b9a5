/// Bytes cut into pieces of the given sizes, over and over.
package struct Pieces: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>
    private let sizes: [Int]
    private var turn = 0

    package init(_ bytes: [UInt8], sizes: [Int]) {
        rest = bytes[...]
        self.sizes = sizes
    }

    package mutating func next() -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        defer {
            rest = rest.dropFirst(sizes[turn % sizes.count])
            turn += 1
        }
        return rest.prefix(sizes[turn % sizes.count])
    }
}
