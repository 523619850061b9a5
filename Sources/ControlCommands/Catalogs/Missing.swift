internal import SyncModel

/// What is said of a field that a source does not know.
enum Missing {
    private static let expected = [
        "yearFormed": "year formed not available", "biography": "no biography in the database",
    ]

    /// Whether people look for the field also where a record lacks it.
    static func isExpected(_ field: String) -> Bool { expected[field] != nil }

    static func words(for field: String) -> String {
        if let words = expected[field] { return words }
        return switch field {
        case "year": "no year"
        case "overview": "no overview in the database"
        default: "not available"
        }
    }

    /// A field's value for people.
    static func text(_ field: String, in fields: [String: JSONValue]) -> String {
        guard let value = fields[field], value != .null, value != .string("") else { return words(for: field) }
        return Formatted.value(value)
    }
}
