extension StringProtocol {
    /// What stands between the bytes `separator`; empty pieces are left out.
    ///
    /// Looks at bytes: with a mark behind it that joins, a separator is no character of its own.
    @inlinable
    package func pieces(between separator: Unicode.Scalar) -> [Substring] {
        let text = Substring(self)
        var pieces: [Substring] = []
        var start = text.startIndex
        while let end = text[start...].place(of: separator) {
            if start < end { pieces.append(text[start..<end]) }
            start = text.utf8.index(after: end)
        }
        if start < text.endIndex { pieces.append(text[start...]) }
        return pieces
    }

    /// Where the first byte `mark` stands; nil where none does.
    @inlinable
    package func place(of mark: Unicode.Scalar) -> Index? {
        utf8.offset(of: UInt8(ascii: mark)).map { utf8.index(startIndex, offsetBy: $0) }
    }
}

extension Collection<UInt8> {
    /// How many elements stand before the first that is `byte`; nil where none is.
    @inlinable
    package func offset(of byte: UInt8) -> Int? {
        withContiguousStorageIfAvailable { $0.firstIndex(of: byte) } ?? Array(self).firstIndex(of: byte)
    }

    /// Whether the last bytes are those of `end`.
    @inlinable
    package func ends(with end: StaticString) -> Bool {
        let end = UnsafeBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount)
        return withContiguousStorageIfAvailable { $0.suffix(end.count).elementsEqual(end) }
            ?? Array(self).suffix(end.count).elementsEqual(end)
    }
}
