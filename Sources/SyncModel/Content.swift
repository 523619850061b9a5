/// What a record says: its fields in canonical form, and the hash of that text.
///
/// Two contents are equal exactly when Firebase could not tell them apart after storing them. Made by JSONText, which
/// knows the canonical form.
public struct Content: Hashable, Sendable {
    /// A JSON object in canonical form, UTF-8.
    public let text: [UInt8]
    public let hash: ContentHash

    /// The longest text of a record that an edit may make, in bytes.
    package static let mostBytes = 1 << 20

    package init(text: [UInt8], hash: ContentHash) {
        self.text = text
        self.hash = hash
    }

    public static func == (left: Content, right: Content) -> Bool { left.hash == right.hash }

    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
