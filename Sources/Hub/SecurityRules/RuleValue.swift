internal import FirebaseWire
internal import SyncModel

/// What an expression has while it is evaluated.
enum RuleValue: Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    /// An object that is no snapshot: `auth`, `auth.token`, `query`, or what `val()` gives of a branch.
    case object([String: JSONValue])
    case snapshot(RuleSnapshot)

    init(_ value: JSONValue?) {
        switch value {
        case nil, .null: self = .null
        case .bool(let truth): self = .bool(truth)
        case .integer(let number): self = .number(Double(number))
        case .number(let number): self = .number(number)
        case .string(let text): self = .string(text)
        case .object(let members): self = .object(members)
        case .array(let elements):
            let members = elements.enumerated().map { (String($0.offset), $0.element) }
            self = .object(Dictionary(members) { first, _ in first })
        }
    }
}
