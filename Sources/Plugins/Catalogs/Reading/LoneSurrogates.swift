extension [UInt8] {
    /// JSON text with U+FFFD for each half of a pair of surrogates that is escaped alone: sources that cut texts write
    /// such halves.
    var withoutLoneSurrogates: [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(count)
        var rest = self[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "\\")) {
            out += rest[..<start]
            switch (escapedUnit(at: start), escapedUnit(at: start + 6)) {
            case (0xD800...0xDBFF, 0xDC00...0xDFFF):
                out += self[start..<(start + 12)]
                rest = self[(start + 12)...]
            case (0xD800...0xDFFF, _):
                out += Array("\\ufffd".utf8)
                rest = self[(start + 6)...]
            default:
                // Two bytes, so that the second half of `\\` begins nothing.
                out += rest[start...].prefix(2)
                rest = rest[start...].dropFirst(2)
            }
        }
        return out + rest
    }

    /// The unit of UTF-16 that stands at `place` as `\u` and four digits; 0 where none does.
    private func escapedUnit(at place: Int) -> UInt16 {
        guard place + 6 <= count, self[place..<(place + 2)].elementsEqual("\\u".utf8) else { return 0 }
        return UInt16(String(decoding: self[(place + 2)..<(place + 6)], as: UTF8.self), radix: 16) ?? 0
    }
}
