internal import DatabaseTree
internal import FirebaseWire
internal import SyncModel

/// Reads a query as client libraries write it.
enum SocketQuery {
    /// The names that stand for the first and the last of all keys; the SDKs for Java and Android call the last another one.
    private static let (first, last) = ("[MIN_NAME]", ["[MAX_NAME]", "[MAX_KEY]"])

    /// The query of `text`; nil where it selects all. Throws a refusal (400).
    static func query(_ value: JSONValue?) throws(Refusal) -> Query? {
        guard let value, value != .null else { return nil }
        guard case .object(let members) = value else { throw invalid("q must be an object") }
        guard !members.isEmpty else { return nil }
        var query = Query(try order(members["i"]))
        query.lower = try bound(members, "s", in: query.order)
        query.upper = try bound(members, "e", in: query.order)
        query.limit = try limit(members)
        return query
    }

    private static func invalid(_ message: String) -> Refusal { .badRequest("Invalid query: \(message)") }

    private static func order(_ index: JSONValue?) throws(Refusal) -> Query.Order {
        switch index {
        case nil, .string(".priority")?: return .priority
        case .string(".key")?: return .key
        case .string(".value")?: return .value
        case .string(let text)?:
            guard let path = try? WirePath(parsing: text), !path.isRoot else { break }
            return .child(path)
        default: break
        }
        throw invalid("i must be .key, .value, .priority or a path")
    }

    /// - Parameter side: `s` for the start, `e` for the end.
    private static func bound(
        _ members: [String: JSONValue], _ side: String, in order: Query.Order
    ) throws(Refusal) -> Query.Bound? {
        guard let value = members[side + "p"], value != .null || order != .key else { return nil }
        let refusal = invalid("\(side)p does not go with the order")
        switch value {
        case .array, .object: throw refusal
        case .bool where order == .priority: throw refusal
        case .string: break
        default: if order == .key { throw refusal }
        }
        var bound = Query.Bound(SortValue(value), inclusive: members[side + "in"] != .bool(false))
        guard order != .key, let name = members[side + "n"] else { return bound }
        // A name at the far side leaves out all that are equal, and one at the near side none.
        switch name {
        case .string(first): bound.inclusive = side == "s"
        case .string(let key) where last.contains(key): bound.inclusive = side == "e"
        case .string(let key):
            guard WireKey.isLegal(key) else { throw invalid("\(side)n must be a key") }
            bound.key = WireKey(unchecked: key)
        case .null: break
        default: throw invalid("\(side)n must be a key")
        }
        return bound
    }

    private static func limit(_ members: [String: JSONValue]) throws(Refusal) -> Query.Limit? {
        guard let limit = members["l"] else { return nil }
        guard case .integer(let count) = limit, count > 0, count <= Int64(Int32.max) else {
            throw invalid("l must be an integer above 0")
        }
        switch members["vf"] {
        case .string("l")?: return Query.Limit(Int(count))
        case .string("r")?: return Query.Limit(Int(count), fromEnd: true)
        case nil: return Query.Limit(Int(count), fromEnd: members["sp"] == nil)
        default: throw invalid("vf must be l or r")
        }
    }
}
