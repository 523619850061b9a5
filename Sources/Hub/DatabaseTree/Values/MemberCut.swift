/// Cuts the text of a large JSON object into runs of members, each of which can be read by itself.
///
/// What stands inside of a value is not looked at: whoever reads the run finds what is wrong with it.
struct MemberCut {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Nil where the text does not begin as an object.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        bytes = text
        skipBlank()
        guard take(UInt8(ascii: "{")) else { return nil }
    }

    /// Whether all is cut, and nothing is wrong between the members.
    private(set) var isFinished = false

    /// The place of the next members, commas between them included; nil at the end and where something is wrong.
    ///
    /// - Parameter size: the run ends with the member that brings it to so many bytes.
    mutating func next(_ size: Int) -> Range<Int>? {
        guard !isFinished else { return nil }
        skipBlank()
        let start = position
        while true {
            guard skipMember() else { return nil }
            let end = position
            skipBlank()
            if take(UInt8(ascii: "}")) {
                skipBlank()
                isFinished = position == bytes.count
                return isFinished ? start..<end : nil
            }
            guard take(UInt8(ascii: ",")) else { return nil }
            if end - start >= size { return start..<end }
            skipBlank()
        }
    }

    private mutating func skipMember() -> Bool {
        guard skipString() else { return false }
        skipBlank()
        guard take(UInt8(ascii: ":")) else { return false }
        skipBlank()
        let start = position
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                guard skipString() else { return false }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return position > start }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return position > start
            default: break
            }
            position += 1
        }
        return false
    }

    private mutating func skipString() -> Bool {
        guard take(UInt8(ascii: "\"")) else { return false }
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return take(UInt8(ascii: "\""))
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipBlank() {
        while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
    }
}
