/// What is known of an expression's value before there is data.
enum RuleType: String, Sendable {
    case null
    case boolean
    case number
    case string
    case snapshot
    case query
    /// Null, a boolean, a number, a string, or an object one can't look into.
    case primitive
    /// A primitive, or an object with members.
    case anything

    /// Whether only data will tell.
    var isOpen: Bool { self == .primitive || self == .anything }
}
