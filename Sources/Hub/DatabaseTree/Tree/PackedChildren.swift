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

        /// How many children it has.
        fileprivate var count: Int { if case .kept(_, let range) = self { range.count } else { 1 } }

        /// How many bytes it adds.
        var size: Int {
            switch self {
            case .kept(let children, let range): children.places(range).count + 4 * range.count
            case .child(let key, _, let text): headOfChild + key.text.utf8.count + text.count + 4
            }
        }
    }

    /// The number of children and the place of each (4 bytes each); then of each its row (8), the length of its key (2),
    /// the key and the text.
    private let bytes: PackedBytes

    private static let headOfChild = 10

    /// Joins `pieces`, whose keys ascend.
    init(_ pieces: [Piece]) {
        let count = pieces.reduce(0) { $0 + $1.count }
        let size = pieces.reduce(4) { $0 + $1.size }
        bytes = PackedBytes(count: size) { buffer in
            var writer = Writer(buffer, count)
            for piece in pieces { writer.append(piece) }
        }
    }

    init(_ pieces: Piece...) { self.init(pieces) }

    var count: Int { bytes.withBytes { View($0).count } }

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
        try bytes.withBytes { bytes in
            let view = View(bytes)
            return try body(view.key(index), view.row(index), view.text(index))
        }
    }

    /// The place of `key`, or the one where it would stand.
    func place(of key: WireKey) -> (index: Int, isThere: Bool) {
        var text = key.text
        return text.withUTF8 { wanted in
            bytes.withBytes { bytes in
                let view = View(bytes)
                var low = 0
                var high = view.count
                while low < high {
                    let middle = (low + high) / 2
                    let order = ByteOrder.of(view.key(middle), wanted)
                    if order == 0 { return (middle, true) }
                    if order < 0 { low = middle + 1 } else { high = middle }
                }
                return (low, false)
            }
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
            while cut > 1, place(cut) > middle { cut -= 1 }
        }
        let halves = [PackedChildren(.kept(self, 0..<cut)), PackedChildren(.kept(self, cut..<count))]
        return halves.flatMap { $0.split(over: limit, last: false) }
    }

    private func place(_ index: Int) -> Int { bytes.withBytes { View($0).place(index) } }

    /// Where these children stand in the bytes.
    private func places(_ range: Range<Int>) -> Range<Int> {
        bytes.withBytes { bytes in
            let view = View(bytes)
            return view.place(range.lowerBound)..<view.place(range.upperBound)
        }
    }

    /// Reads the bytes.
    private struct View {
        let bytes: UnsafeRawBufferPointer
        let count: Int

        init(_ bytes: UnsafeRawBufferPointer) {
            self.bytes = bytes
            count = Int(bytes.loadUnaligned(as: UInt32.self))
        }

        /// Where a child stands; for the one after the last, the end.
        func place(_ index: Int) -> Int {
            index < count ? Int(placeOfChild(index)) : bytes.count
        }

        func placeOfChild(_ index: Int) -> UInt32 {
            bytes.loadUnaligned(fromByteOffset: 4 + 4 * index, as: UInt32.self)
        }

        func row(_ index: Int) -> Int64 { bytes.loadUnaligned(fromByteOffset: place(index), as: Int64.self) }

        func key(_ index: Int) -> UnsafeBufferPointer<UInt8> {
            let place = place(index) + headOfChild
            return part(place..<(place + length(index)))
        }

        func text(_ index: Int) -> UnsafeBufferPointer<UInt8> {
            part((place(index) + headOfChild + length(index))..<place(index + 1))
        }

        private func length(_ index: Int) -> Int {
            Int(bytes.loadUnaligned(fromByteOffset: place(index) + 8, as: UInt16.self))
        }

        private func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
            UnsafeRawBufferPointer(rebasing: bytes[range]).assumingMemoryBound(to: UInt8.self)
        }
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
                children.bytes.withBytes { bytes in
                    let view = View(bytes)
                    let moved = UInt32(truncatingIfNeeded: end - places.lowerBound)
                    for kept in range { note(view.placeOfChild(kept) &+ moved) }
                    append(UnsafeRawBufferPointer(rebasing: bytes[places]))
                }
            case .child(let key, let row, let text):
                note(UInt32(end))
                bytes.storeBytes(of: row, toByteOffset: end, as: Int64.self)
                bytes.storeBytes(of: UInt16(clamping: key.text.utf8.count), toByteOffset: end + 8, as: UInt16.self)
                end += PackedChildren.headOfChild
                var name = key.text
                name.withUTF8 { append(UnsafeRawBufferPointer($0)) }
                text.withUnsafeBytes { append($0) }
            }
        }

        private mutating func note(_ place: UInt32) {
            bytes.storeBytes(of: place, toByteOffset: 4 + 4 * index, as: UInt32.self)
            index += 1
        }

        private mutating func append(_ source: UnsafeRawBufferPointer) {
            UnsafeMutableRawBufferPointer(rebasing: bytes[end...]).copyMemory(from: source)
            end += source.count
        }
    }
}
