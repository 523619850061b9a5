/// Walks over JSON text without looking at what stands inside of values.
///
/// By hand, because no library says where the parts of a text stand without building them. In text that is no JSON it may
/// stop anywhere, and never reads behind the end.
package struct TextScan {
    package let bytes: UnsafeBufferPointer<UInt8>
    package var position: Int

    @inlinable
    package init(bytes: UnsafeBufferPointer<UInt8>, position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// What stands at a place: the key in quotes, of an object, and the value without blanks around it.
    package typealias Member = (key: Range<Int>?, value: Range<Int>)

    @inlinable
    package mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    @inlinable
    package mutating func skipBlank() {
        while position < bytes.count, TextScan.isBlank(bytes[position]) { position += 1 }
    }

    @inlinable
    package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    @inlinable
    package mutating func skipString() -> Bool {
        guard take(UInt8(ascii: "\"")) else { return false }
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return take(UInt8(ascii: "\""))
    }

    /// Goes to the comma or bracket after a value, blanks before it included.
    @inlinable
    package mutating func skipValue() -> Bool {
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                guard skipString() else { return false }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return true }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return true
            default: break
            }
            position += 1
        }
        return false
    }

    /// Goes to the comma or bracket after a member of an object or an element of an array; nil where that is none.
    @inlinable
    package mutating func skipMember(isArray: Bool) -> Member? {
        var key: Range<Int>?
        if !isArray {
            let begin = position
            guard skipString() else { return nil }
            key = begin..<position
            skipBlank()
            guard take(UInt8(ascii: ":")) else { return nil }
            skipBlank()
        }
        let start = position
        guard skipValue(), position > start else { return nil }
        var end = position
        while end > start, TextScan.isBlank(bytes[end - 1]) { end -= 1 }
        return (key, start..<end)
    }
}
