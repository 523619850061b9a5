internal import JSONText
internal import SyncModel

/// The key below `<meta>/tombstones`, `<meta>/horizon` and in `<meta>/nodes` that stands for one base
/// (`docs/protocol.md` section 6).
///
/// It goes by the base, not by the collection's name: so two bases in one database never share tombstones, whatever they
/// are called where they are used.
package enum MetaKey {
    /// What stands for the database's root: no base is spelled like this.
    package static let root = "%root"
    private static let illegal = Set("%/.$#[]".utf8)

    /// A legal key that no other base has. A base of one plain key stands for itself.
    ///
    /// - Parameter base: a path; slashes at its ends don't count.
    package static func of(base: String) -> String {
        let path = base.pieces(between: "/").joined(separator: "/")
        guard !path.isEmpty else { return root }
        // A number would make an array of its siblings.
        let isNumber = path.utf8.allSatisfy { (0x30...0x39).contains($0) }
        var key: [UInt8] = []
        for byte in path.utf8 {
            if byte < 0x20 || byte == 0x7F || illegal.contains(byte) || (isNumber && key.isEmpty) {
                key += [UInt8(ascii: "%"), Hexadecimal.upper(UInt64(byte >> 4)), Hexadecimal.upper(UInt64(byte & 0xF))]
            } else {
                key.append(byte)
            }
        }
        guard key.count <= WireKey.maxBytes else { return "%sha256-" + ContentHash(of: key).description }
        return String(decoding: key, as: UTF8.self)
    }
}
