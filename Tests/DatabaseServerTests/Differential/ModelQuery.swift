import JSONText
import SyncModel

@testable import FirebaseWire

/// A query, and what it selects, found by sorting everything.
struct ModelQuery: CustomStringConvertible {
    enum Order {
        case key, value
        case child([String])
    }

    struct Bound {
        var value: JSONValue
        var key: String?
        var inclusive = true
    }

    var order = Order.key
    var lower: Bound?
    var upper: Bound?
    var isEqual = false
    var limit: (count: Int, fromEnd: Bool)?

    /// The query string, with its question mark.
    var description: String {
        let word: String
        switch order {
        case .key: word = "$key"
        case .value: word = "$value"
        case .child(let path): word = path.joined(separator: "/")
        }
        var parts = [("orderBy", JSONWriter.string(.string(word)))]
        func add(_ name: String, _ bound: Bound?) {
            guard let bound else { return }
            let key = bound.key.map { "," + JSONWriter.string(.string($0)) } ?? ""
            parts.append((name, JSONWriter.string(bound.value) + key))
        }
        if isEqual {
            add("equalTo", lower)
        } else {
            add(lower?.inclusive == false ? "startAfter" : "startAt", lower)
            add(upper?.inclusive == false ? "endBefore" : "endAt", upper)
        }
        if let limit { parts.append((limit.fromEnd ? "limitToLast" : "limitToFirst", String(limit.count))) }
        return "?" + parts.map { "\($0)=\(PercentEncoding.encoded($1))" }.joined(separator: "&")
    }

    func selected(_ tree: ModelTree) -> ModelTree {
        var found = tree.children.map { Place(key: $0, value: value(of: $1)) }.sorted { precedes($0, $1) }
        if let lower { found.removeAll { isOutside(compare($0, lower), lower) } }
        if let upper { found.removeAll { isOutside(-compare($0, upper), upper) } }
        if let limit { found = Array(limit.fromEnd ? found.suffix(limit.count) : found.prefix(limit.count)) }
        return ModelTree(children: Dictionary(uniqueKeysWithValues: found.map { ($0.key, tree[[$0.key]]) }))
    }

    private struct Place {
        let key: String
        let value: ModelTree
    }

    private func isOutside(_ side: Int, _ bound: Bound) -> Bool { side < 0 || (side == 0 && !bound.inclusive) }

    private func value(of child: ModelTree) -> ModelTree {
        switch order {
        case .key: ModelTree()
        case .value: child
        case .child(let path): child[path[...]]
        }
    }

    private func precedes(_ left: Place, _ right: Place) -> Bool {
        let side = ModelQuery.side(left.value, right.value)
        return side == 0 ? ModelQuery.keySide(left.key, right.key) < 0 : side < 0
    }

    /// Negative, zero or positive, as `place` is before, at or behind `bound`.
    private func compare(_ place: Place, _ bound: Bound) -> Int {
        if case .key = order { return ModelQuery.keySide(place.key, bound.value.text ?? "") }
        let side = ModelQuery.side(place.value, ModelTree(bound.value))
        return side == 0 ? bound.key.map { ModelQuery.keySide(place.key, $0) } ?? 0 : side
    }

    private static func side(_ left: ModelTree, _ right: ModelTree) -> Int {
        let ranks = (rank(left), rank(right))
        if ranks.0 != ranks.1 { return ranks.0 < ranks.1 ? -1 : 1 }
        switch (left.leaf, right.leaf) {
        case (.string(let first)?, .string(let second)?): return textSide(first, second)
        case (let first?, let second?):
            guard let first = number(first), let second = number(second) else { return 0 }
            return first == second ? 0 : first < second ? -1 : 1
        default: return 0
        }
    }

    private static func number(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    private static func rank(_ tree: ModelTree) -> Int {
        switch tree.leaf {
        case .bool(false)?: 1
        case .bool(true)?: 2
        case .integer?, .number?: 3
        case .string?: 4
        default: tree.isEmpty ? 0 : 5
        }
    }

    /// 32-bit integers come first, by number and then by length; then all others.
    private static func keySide(_ left: String, _ right: String) -> Int {
        let numbers = (keyNumber(left), keyNumber(right))
        switch numbers {
        case (let first?, let second?):
            if first != second { return first < second ? -1 : 1 }
            if left.utf8.count != right.utf8.count { return left.utf8.count - right.utf8.count }
            return textSide(left, right)
        case (_?, nil): return -1
        case (nil, _?): return 1
        case (nil, nil): return textSide(left, right)
        }
    }

    private static func keyNumber(_ key: String) -> Int32? {
        key.hasPrefix("+") ? nil : Int32(key)
    }

    private static func textSide(_ left: String, _ right: String) -> Int {
        if Array(left.utf8) == Array(right.utf8) { return 0 }
        return left.utf16.lexicographicallyPrecedes(right.utf16) ? -1 : 1
    }
}
