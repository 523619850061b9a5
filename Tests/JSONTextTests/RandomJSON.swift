import SyncModel

/// Random values with everything that is odd in JSON.
struct RandomJSON {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }

    private static let texts = ["", "a", "0", "1", "2", "10", "é", "\u{0}", "\"\\/\n", "🎬", "\u{7F}\u{85}", "_"]

    mutating func value(depth: Int) -> JSONValue {
        switch below(depth > 0 ? 9 : 6) {
        case 0: return .null
        case 1: return .bool(below(2) == 0)
        case 2: return .integer([0, 1, -1, .max, .min, 9_007_199_254_740_993][below(6)])
        case 3: return .number([0.5, -0.0, 5, 1e21, 2.2250738585072014e-308, 1.7976931348623157e308, 0.1][below(7)])
        case 4, 5: return .string(RandomJSON.texts[below(RandomJSON.texts.count)])
        case 6: return .array((0..<below(4)).map { _ in value(depth: depth - 1) })
        default: return .object(members(depth: depth - 1))
        }
    }

    mutating func members(depth: Int) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for _ in 0..<below(5) { members[RandomJSON.texts[below(RandomJSON.texts.count)]] = value(depth: depth) }
        return members
    }
}
