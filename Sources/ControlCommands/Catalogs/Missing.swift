internal import SyncModel

/// What is said of a field that a source does not know.
enum Missing {
    static func words(for field: String) -> String {
        switch field {
        case "yearFormed": "year formed not available"
        case "biography": "no biography in the database"
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
