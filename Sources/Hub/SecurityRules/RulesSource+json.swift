internal import SyncModel

extension RulesSource.Value {
    /// The value without the places of its strings.
    var json: JSONValue {
        switch self {
        case .object(let members):
            .object(Dictionary(members.map { ($0.key.string, $0.value.json) }) { first, _ in first })
        case .array(let elements): .array(elements.map(\.json))
        case .string(let text): .string(text.string)
        case .bool(let truth): .bool(truth)
        }
    }
}
