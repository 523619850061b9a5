import SyncModel
import TestSupport

/// Random paths, values and queries.
extension SeededRandom {
    private static let keys = [
        "a", "b", "c", "0", "1", "2", "3", "10", "007", "-1", "-0", "2147483648", "B", "é", "日本 語", "🎬", "q\"b\\s", "n",
        "a b", "a+b&c=d?e;%", "~", "\u{FFFD}", "m", "-Nx_z",
    ]

    private static let leaves: [JSONValue] = [
        true, false, 0, 1, -1, 2, 7, 5.5, -0.25, .number(-0.0), .number(3.0), 9_007_199_254_740_993, .integer(.max),
        .integer(.min), .number(1e21), .number(.leastNonzeroMagnitude), .number(1.7e308), .number(0.1 + 0.2), "", "a",
        "b", "B", "é",
        "🎬", "\u{FFFD}",
        "\u{0}\u{1F}\u{7F}\"\\/\n", "\u{2028}", "true", "null", "[1", "{\"a\":1}", "10", "9",
    ]

    mutating func key() -> String { pick(SeededRandom.keys) }

    /// The root seldom; below the first keys often, so that writes and listeners meet.
    mutating func path() -> [String] {
        if chance(4) { return [] }
        var path = [pick(["a", "b", "0", "é", "big"])]
        if path == ["big"] {
            if chance(60) { path.append("r\(below(150))") }
            if path.count == 2, chance(40) { path.append("n") }
            return path
        }
        while path.count < 5, chance(55) { path.append(chance(60) ? pick(["a", "b", "0", "1", "n"]) : key()) }
        return path
    }

    mutating func value(depth: Int = 0) -> JSONValue {
        switch below(depth > 3 ? 6 : 12) {
        case 0 where chance(40): return .null
        case 0..<6: return chance(2) ? .string(String(repeating: "é🎬x\"", count: 1200)) : pick(SeededRandom.leaves)
        case 6..<8: return .array((0..<below(5)).map { _ in value(depth: depth + 1) })
        default:
            return .object(
                Dictionary((0..<below(6)).map { _ in (key(), value(depth: depth + 1)) }) { first, _ in first })
        }
    }

    /// Many children, so that the node is split; each of about 150 bytes.
    mutating func large() -> JSONValue {
        let count = 20 + below(120)
        return .object(
            Dictionary((0..<count).map { _ in ("r\(below(150))", row()) }) { first, _ in first })
    }

    mutating func row() -> JSONValue {
        .object([
            "n": chance(70) ? .integer(Int64(below(40))) : value(depth: 4),
            "t": .string(String(repeating: pick(["x", "é"]), count: 60 + below(80))),
        ])
    }

    mutating func query() -> ModelQuery {
        var query = ModelQuery()
        query.order = pick([.key, .value, .child(["n"]), .child(["n"]), .child(["a", "b"]), .child(["0"])])
        if chance(20) {
            query.isEqual = true
            query.lower = bound(query.order)
            query.upper = query.lower
        } else {
            if chance(45) { query.lower = bound(query.order) }
            if chance(45) { query.upper = bound(query.order) }
            if chance(30) { query.lower?.inclusive = false }
            if chance(30) { query.upper?.inclusive = false }
        }
        let isUnbounded = query.lower == nil && query.upper == nil
        if isUnbounded || chance(50) { query.limit = (1 + below(5), chance(50)) }
        return query
    }

    private mutating func bound(_ order: ModelQuery.Order) -> ModelQuery.Bound {
        if case .key = order { return .init(value: .string(chance(50) ? key() : "r\(below(150))")) }
        return .init(value: chance(10) ? .null : pick(SeededRandom.leaves), key: chance(25) ? key() : nil)
    }
}
