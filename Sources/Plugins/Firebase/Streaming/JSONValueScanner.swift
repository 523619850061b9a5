/// Finds where a JSON value ends, in pieces, without looking at what it says; the part of ``PutSplitter`` that sees every
/// byte.
struct JSONValueScanner: Sendable {
    private enum Kind { case undecided, string, container, scalar }

    private var kind = Kind.undecided
    private var depth = 0
    private var inString = false
    private var escaped = false

    /// Scans on from the value's first byte, or from where the last piece ended.
    ///
    /// - Returns: where the value ends in these bytes, and whether it is complete; a number or word is complete only
    ///   when the byte after it has been seen. No bytes at all where there is no value.
    mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> (end: Int, isComplete: Bool) {
        if kind == .undecided {
            switch bytes[start] {
            case UInt8(ascii: "\""): kind = .string
            case UInt8(ascii: "{"), UInt8(ascii: "["): kind = .container
            default: kind = .scalar
            }
        }
        return kind == .scalar ? scanScalar(bytes, from: start) : scanText(bytes, from: start)
    }

    private func scanScalar(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> (end: Int, isComplete: Bool) {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09:
                return (index, true)
            default: index += 1
            }
        }
        return (index, false)
    }

    private mutating func scanText(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> (end: Int, isComplete: Bool) {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if inString {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                    if depth == 0 { return (index, true) }
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return (index, true) }
            default: break
            }
        }
        return (index, false)
    }
}
