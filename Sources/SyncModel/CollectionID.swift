/// The name of a kind of records: `movies`, `artists`, ….
public struct CollectionID: Hashable, Sendable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
    public let name: String

    /// The collection of a journal line, and of a command, that names none.
    public static let `default`: CollectionID = "movies"

    /// - Parameter name: lower-case letters, digits and dashes; starts with a letter; anything else is nil.
    public init?(_ name: String) {
        let bytes = name.utf8
        guard let first = bytes.first, (0x61...0x7A).contains(first), bytes.count <= 64 else { return nil }
        guard bytes.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }) else {
            return nil
        }
        self.name = name
    }

    public init(stringLiteral value: String) { name = value }

    public var description: String { name }

    public static func < (left: CollectionID, right: CollectionID) -> Bool { left.name < right.name }
}
