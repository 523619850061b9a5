/// The members of an object's canonical text, so that others can be put among them without reading any.
///
/// Keys are compared as they are spelled: where one begins with what JSON escapes, members may stand beside their places.
///
/// By hand, because no library says where the members of a text stand without building them.
package struct CanonicalMembers {
    private let text: [UInt8]
    /// Where the first member begins that was not appended yet.
    private var position = 1

    /// - Parameter text: of an object, as ``JSONWriter`` writes it.
    package init(_ text: [UInt8]) { self.text = text }

    /// Appends those that were not appended yet and whose keys come before `key`, each with a comma after it.
    package mutating func append(before key: String, to out: inout [UInt8]) {
        var key = key
        let end = key.withUTF8 { key in
            text.withUnsafeBufferPointer { CanonicalMembers.end(of: $0, from: position, before: key) }
        }
        append(upTo: end, to: &out)
    }

    /// Appends those that were not appended yet, each with a comma after it.
    package mutating func appendRest(to out: inout [UInt8]) { append(upTo: text.count - 1, to: &out) }

    private mutating func append(upTo end: Int, to out: inout [UInt8]) {
        guard end > position else { return }
        out.append(contentsOf: text[position..<end])
        if text[end - 1] != UInt8(ascii: ",") { out.append(UInt8(ascii: ",")) }
        position = end
    }

    /// Where the first member from `start` on begins whose key does not come before `key`, or where the object ends.
    private static func end(
        of text: UnsafeBufferPointer<UInt8>, from start: Int, before key: UnsafeBufferPointer<UInt8>
    ) -> Int {
        var position = start
        while position < text.count - 1 {
            let end = self.end(ofString: text, from: position)
            if !text[position + 1..<end - 1].lexicographicallyPrecedes(key) { break }
            position = self.end(ofValue: text, from: end + 1)
            if position < text.count, text[position] == UInt8(ascii: ",") { position += 1 }
        }
        return min(position, text.count - 1)
    }

    /// Where the string that begins at `start` ends, its quotes included.
    private static func end(ofString text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var position = start + 1
        while position < text.count, text[position] != UInt8(ascii: "\"") {
            position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position, text.count - 1) + 1
    }

    private static func end(ofValue text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var position = start
        var depth = 0
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""):
                position = end(ofString: text, from: position)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return position }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return position
            default: break
            }
            position += 1
        }
        return position
    }
}
