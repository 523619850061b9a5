internal import FirebaseWire
internal import JSONText
internal import SyncModel

extension Query.Order {
    /// The order for which `.indexOn` has this name; nil for what is no path.
    package init?(indexed name: String) {
        switch name {
        case ".value": self = .value
        case ".priority": self = .priority
        default:
            guard let path = try? WirePath(parsing: name), !path.isRoot else { return nil }
            self = .child(path)
        }
    }
}

extension Query {
    /// The query parameters that make a query.
    package static let parameterNames: Set<String> = [
        "orderBy", "startAt", "startAfter", "endAt", "endBefore", "equalTo", "limitToFirst", "limitToLast",
    ]

    /// Reads the query out of decoded URL parameters; nil where there is none among them.
    ///
    /// Values are JSON, as `orderBy="$key"` and `startAt=5,"key"`. Throws a refusal (400) that says what is wrong.
    package init?(parameters: [(name: String, value: String)]) throws(Refusal) {
        var given: [String: String] = [:]
        for (name, value) in parameters where Query.parameterNames.contains(name) {
            guard given.updateValue(value, forKey: name) == nil else {
                throw .badRequest("\(name) can only be specified once")
            }
        }
        guard !given.isEmpty else { return nil }
        guard let order = given["orderBy"] else {
            throw .badRequest("orderBy must be defined when other query parameters are defined")
        }
        self.init(try Query.order(order))
        try readBounds(given)
        try readLimit(given)
    }

    private mutating func readBounds(_ given: [String: String]) throws(Refusal) {
        if let equal = given["equalTo"] {
            guard given.keys.allSatisfy({ !$0.hasPrefix("start") && !$0.hasPrefix("end") }) else {
                throw .badRequest("equalTo cannot be specified in addition to startAt, startAfter, endAt or endBefore")
            }
            lower = try bound(equal, "equalTo", inclusive: true)
            upper = lower
            return
        }
        if let text = given["startAt"] { lower = try bound(text, "startAt", inclusive: true) }
        if let text = given["endAt"] { upper = try bound(text, "endAt", inclusive: true) }
        if let text = given["startAfter"] {
            guard lower == nil else { throw .badRequest("Only one of startAt and startAfter can be specified") }
            lower = try bound(text, "startAfter", inclusive: false)
        }
        if let text = given["endBefore"] {
            guard upper == nil else { throw .badRequest("Only one of endAt and endBefore can be specified") }
            upper = try bound(text, "endBefore", inclusive: false)
        }
    }

    private mutating func readLimit(_ given: [String: String]) throws(Refusal) {
        if given["limitToFirst"] != nil, given["limitToLast"] != nil {
            throw .badRequest("Only one of limitToFirst and limitToLast can be specified")
        }
        guard let (name, text) = given.first(where: { $0.key.hasPrefix("limitTo") }) else { return }
        guard let count = Int(text), count > 0, count <= Int(Int32.max) else {
            throw .badRequest("limitToFirst and limitToLast must be an integer above 0")
        }
        limit = Limit(count, fromEnd: name == "limitToLast")
    }

    private static func order(_ text: String) throws(Refusal) -> Order {
        guard case .string(let word)? = try? JSONReader.value(Array(text.utf8)) else {
            throw .badRequest("orderBy must be a valid JSON encoded path")
        }
        switch word {
        case "$key": return .key
        case "$value": return .value
        case "$priority": return .priority
        default:
            guard let path = try? WirePath(parsing: word), !path.isRoot else {
                throw .badRequest("orderBy must be a valid JSON encoded path")
            }
            return .child(path)
        }
    }

    /// A JSON primitive, and after a comma perhaps a key.
    private func bound(_ text: String, _ name: String, inclusive: Bool) throws(Refusal) -> Bound {
        let refusal = Refusal.badRequest(
            "Constraint index field must be a JSON primitive: \(name) takes one, and after a comma perhaps a key")
        guard case .array(let parts)? = Query.json("[\(text)]"), let first = parts.first,
            parts.count <= 2
        else { throw refusal }
        switch first {
        case .array, .object: throw refusal
        case .string: break
        case .bool where order == .priority:
            throw .badRequest("\(name) must be a number, a string or null when ordering by $priority")
        case .null, .bool, .integer, .number:
            if order == .key { throw .badRequest("\(name) must be a string when ordering by $key") }
        }
        guard parts.count == 2 else { return Bound(SortValue(first), inclusive: inclusive) }
        guard order != .key, case .string(let key) = parts[1], WireKey.isLegal(key) else { throw refusal }
        return Bound(SortValue(first), key: WireKey(unchecked: key), inclusive: inclusive)
    }

    private static func json(_ text: String) -> JSONValue? {
        try? JSONReader.value(text.utf8)
    }
}
