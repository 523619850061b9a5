/// The members of an object's canonical text, so that others can be put among them without reading any.
///
/// Keys are compared as they are spelled: where one begins with what JSON escapes, members may stand beside their places.
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
        var scan = TextScan(bytes: text, position: start)
        while true {
            let start = scan.position
            guard let name = scan.skipMember(isArray: false)?.key else { return start }
            if !text[name.lowerBound + 1..<name.upperBound - 1].lexicographicallyPrecedes(key) { return start }
            guard scan.take(UInt8(ascii: ",")) else { return scan.position }
        }
    }
}
