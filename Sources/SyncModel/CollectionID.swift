/// The name of a kind of records: `movies`, `artists`, ….
public struct CollectionID: Hashable, Sendable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
    public let name: String

    /// The collection of a journal line, and of a command, that names none.
    public static let `default`: CollectionID = "movies"

    /// - Parameter name: lower-case letters, digits and dashes; starts with a letter; anything else is nil.
    public init?(_ name: String) {
        let scalars = name.unicodeScalars
        guard let first = scalars.first, ("a"..."z").contains(first), scalars.count <= 64 else { return nil }
        guard scalars.allSatisfy({ ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-" }) else {
            return nil
        }
        self.name = name
    }

    public init(stringLiteral value: String) { name = value }

    public var description: String { name }

    public static func < (left: CollectionID, right: CollectionID) -> Bool { left.name < right.name }
}
