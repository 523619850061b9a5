import SyncModel
import TestSupport

/// Random values with everything that is odd in JSON.
extension SeededRandom {
    private static let texts = ["", "a", "0", "1", "2", "10", "é", "\u{0}", "\"\\/\n", "🎬", "\u{7F}\u{85}", "_"]

    mutating func value(depth: Int) -> JSONValue {
        switch below(depth > 0 ? 9 : 6) {
        case 0: return .null
        case 1: return .bool(below(2) == 0)
        case 2: return .integer(pick([0, 1, -1, .max, .min, 9_007_199_254_740_993]))
        case 3: return .number(pick([0.5, -0.0, 5, 1e21, 2.2250738585072014e-308, 1.7976931348623157e308, 0.1]))
        case 4, 5: return .string(pick(SeededRandom.texts))
        case 6: return .array((0..<below(4)).map { _ in value(depth: depth - 1) })
        default: return .object(members(depth: depth - 1))
        }
    }

    mutating func members(depth: Int) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for _ in 0..<below(5) { members[pick(SeededRandom.texts)] = value(depth: depth) }
        return members
    }
}
