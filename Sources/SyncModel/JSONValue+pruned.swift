extension JSONValue {
    /// This value as Firebase gives it back after storing it, or nil where it would store nothing.
    ///
    /// Nulls, empty objects and empty arrays vanish; integral doubles within 2^53 are integers; an array is an object
    /// with the keys 0, 1, …, and comes back as an array when all keys are such numbers and more than half of
    /// `0...max` is present (https://firebase.blog/posts/2014/04/best-practices-arrays-in-firebase). Pruning again
    /// changes nothing.
    public var pruned: JSONValue? {
        switch self {
        case .null: return nil
        case .bool, .integer, .string: return self
        case .number(let value):
            if let whole = Int64(exactly: value), abs(value) <= 9_007_199_254_740_992 { return .integer(whole) }
            guard value.isFinite else { return nil }
            return self
        case .array(let elements):
            var members: [String: JSONValue] = [:]
            for (index, element) in elements.enumerated() { members[String(index)] = element.pruned }
            return JSONValue.coerced(members)
        case .object(let members):
            return JSONValue.coerced(members.compactMapValues(\.pruned))
        }
    }

    /// Whether this certainly is its own ``pruned`` form already; false where only pruning can tell.
    package var isPruned: Bool {
        switch self {
        case .bool, .integer, .string: true
        case .array(let elements): !elements.isEmpty && elements.allSatisfy(\.isPruned)
        case .null, .number, .object: false
        }
    }

    /// An object of already pruned members, as an array where Firebase would answer one; nil when empty.
    private static func coerced(_ members: [String: JSONValue]) -> JSONValue? {
        guard !members.isEmpty else { return nil }
        guard let last = lastIndex(of: members), last < 2 * members.count else { return .object(members) }
        return .array((0...last).map { members[String($0)] ?? .null })
    }

    private static func lastIndex(of members: [String: JSONValue]) -> Int? {
        var last = 0
        for key in members.keys {
            guard let first = key.utf8.first, first >= 0x30, first <= 0x39, key.utf8.count <= 10 else { return nil }
            guard let index = Int(key), String(index) == key else { return nil }
            last = max(last, index)
        }
        return last
    }
}
