internal import FirebaseWire

/// Neighbouring small children of a branch, in byte order of their keys, in one piece of memory.
///
/// A million children would otherwise be millions of pieces, each with a head and a count of its references, all of which
/// a copy must find in memory. This is copied whole where one child changes, which is some kilobytes in a row.
struct PackedChildren: Sendable {
    /// What one is made of.
    enum Piece {
        case kept(PackedChildren, Range<Int>)
        case child(WireKey, row: Int64, text: [UInt8])
    }

    /// The number of children and the place of each (4 bytes each); then of each its row (8), the length of its key (2),
    /// the key and the text.
    private let bytes: [UInt8]

    private static let headOfChild = 10

    /// Joins `pieces`, whose keys ascend.
    init(_ pieces: Piece...) {
        var count = 0
        var size = 4
        for piece in pieces {
            switch piece {
            case .kept(let children, let range):
                count += range.count
                size += children.places(range).count
            case .child(let key, _, let text):
                count += 1
                size += PackedChildren.headOfChild + key.text.utf8.count + text.count
            }
        }
        size += 4 * count
        bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
            var writer = Writer(UnsafeMutableRawBufferPointer(buffer), count)
            for piece in pieces { writer.append(piece) }
            initialized = size
        }
    }

    var count: Int { number(at: 0) }

    /// In bytes, everything included.
    var size: Int { bytes.count }

    func key(_ index: Int) -> WireKey {
        withChild(index) { key, _, _ in WireKey(unchecked: String(decoding: key, as: UTF8.self)) }
    }

    func node(_ index: Int) -> Node { withChild(index) { _, row, text in .packed(row: row, text: Array(text)) } }

    func row(_ index: Int) -> Int64 { withChild(index) { _, row, _ in row } }

    /// Lends key, row and text of a child.
    func withChild<Result>(
        _ index: Int, _ body: (UnsafeBufferPointer<UInt8>, Int64, UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        let range = places(index..<(index + 1))
        return try bytes.withUnsafeBytes { bytes in
            let key = range.lowerBound + PackedChildren.headOfChild
            let length = Int(bytes.loadUnaligned(fromByteOffset: range.lowerBound + 8, as: UInt16.self))
            return try body(
                UnsafeRawBufferPointer(rebasing: bytes[key..<(key + length)]).assumingMemoryBound(to: UInt8.self),
                bytes.loadUnaligned(fromByteOffset: range.lowerBound, as: Int64.self),
                UnsafeRawBufferPointer(rebasing: bytes[(key + length)..<range.upperBound])
                    .assumingMemoryBound(to: UInt8.self))
        }
    }

    /// The place of `key`, or the one where it would stand.
    func place(of key: WireKey) -> (index: Int, isThere: Bool) {
        var text = key.text
        return text.withUTF8 { wanted in
            var low = 0
            var high = count
            while low < high {
                let middle = (low + high) / 2
                let order = withChild(middle) { key, _, _ in WireKey.order(key, wanted) }
                if order == 0 { return (middle, true) }
                if order < 0 { low = middle + 1 } else { high = middle }
            }
            return (low, false)
        }
    }

    /// Both halves where this has several children and is longer than `limit`, else this alone.
    ///
    /// - Parameter last: whether only the last child is cut off.
    func split(over limit: Int, last: Bool) -> [PackedChildren] {
        let count = count
        guard size > limit, count > 1 else { return [self] }
        var cut = count - 1
        if !last {
            let middle = size / 2
            while cut > 1, number(at: 4 + 4 * cut) > middle { cut -= 1 }
        }
        let halves = [PackedChildren(.kept(self, 0..<cut)), PackedChildren(.kept(self, cut..<count))]
        return halves.flatMap { $0.split(over: limit, last: false) }
    }

    private func number(at offset: Int) -> Int {
        bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    }

    /// Where these children stand in the bytes.
    private func places(_ range: Range<Int>) -> Range<Int> {
        let count = count
        let start = range.lowerBound < count ? number(at: 4 + 4 * range.lowerBound) : size
        return start..<(range.upperBound < count ? number(at: 4 + 4 * range.upperBound) : size)
    }

    /// Writes the bytes of a new one.
    private struct Writer {
        private let bytes: UnsafeMutableRawBufferPointer
        private var index = 0
        private var end: Int

        init(_ bytes: UnsafeMutableRawBufferPointer, _ count: Int) {
            self.bytes = bytes
            end = 4 + 4 * count
            bytes.storeBytes(of: UInt32(count), as: UInt32.self)
        }

        mutating func append(_ piece: Piece) {
            switch piece {
            case .kept(let children, let range):
                let places = children.places(range)
                for kept in range {
                    note(end + children.number(at: 4 + 4 * kept) - places.lowerBound)
                }
                children.bytes.withUnsafeBytes { append(UnsafeRawBufferPointer(rebasing: $0[places])) }
            case .child(let key, let row, let text):
                note(end)
                bytes.storeBytes(of: row, toByteOffset: end, as: Int64.self)
                bytes.storeBytes(of: UInt16(clamping: key.text.utf8.count), toByteOffset: end + 8, as: UInt16.self)
                end += PackedChildren.headOfChild
                var name = key.text
                name.withUTF8 { append(UnsafeRawBufferPointer($0)) }
                text.withUnsafeBytes { append($0) }
            }
        }

        private mutating func note(_ place: Int) {
            bytes.storeBytes(of: UInt32(place), toByteOffset: 4 + 4 * index, as: UInt32.self)
            index += 1
        }

        private mutating func append(_ source: UnsafeRawBufferPointer) {
            UnsafeMutableRawBufferPointer(rebasing: bytes[end...]).copyMemory(from: source)
            end += source.count
        }
    }
}
