internal import JSONText
package import SyncModel

extension StampedContent {
    /// Both merged, field by field: of each the value with the higher stamp, and between equal stamps the one whose
    /// canonical form has the higher hash.
    ///
    /// Commutative, associative and idempotent (`docs/protocol.md` section 4).
    package static func merged(_ left: StampedContent, _ right: StampedContent, _ rules: MergeRules) -> StampedContent {
        if left == right { return left }
        if let whole = wholeWinner(left, right, rules) { return whole }
        let fields = (left: left.content.fields, right: right.content.fields)
        var merged: [String: JSONValue] = [:]
        var stamps = FieldStamps(max(left.stamps.common, right.stamps.common))
        var names = Set(fields.left.keys).union(fields.right.keys)
        let members = (left: left.stamps.members(&names), right: right.stamps.members(&names))
        for name in names {
            let one = FieldReading(name, fields.left[name], left.stamps, rules)
            let other = FieldReading(name, fields.right[name], right.stamps, rules)
            if rules.fields[name] == .set {
                let set = SetMerge(name, one, left.stamps, other, right.stamps)
                merged[name.spelling(one, other, fields)] = set.value
                stamps.set(name, set.stamp, value: set.value, rules)
                stamps.named.merge(set.members(over: stamps.stamp(of: name, value: set.value, rules))) { _, new in new }
            } else {
                let winner = FieldReading.merged(one, other, rules.fields[name] ?? .last)
                merged[name.spelling(one, other, fields)] = winner.value
                stamps.set(name, winner.stamp, value: winner.value, rules)
                // Whoever merges by members has stamped them, and would write them again.
                for (side, members) in [(one, members.left[name]), (other, members.right[name])] {
                    guard let members, winner.isSame(as: side) else { continue }
                    stamps.named.merge(members, uniquingKeysWith: max)
                }
            }
        }
        return StampedContent(Content(fields: merged), stamps)
    }

    /// The one that wins in every field, where that can be seen without looking at the fields.
    private static func wholeWinner(
        _ left: StampedContent, _ right: StampedContent, _ rules: MergeRules
    ) -> StampedContent? {
        guard left.stamps.named.isEmpty, right.stamps.named.isEmpty, rules.fields.isEmpty else { return nil }
        guard left.stamps.common != right.stamps.common else { return nil }
        guard rules.defaults.isEmpty || left.content == right.content else { return nil }
        return left.stamps.common < right.stamps.common ? right : left
    }
}

extension FieldStamps {
    /// The stamps of members, by the fields whose members they are.
    ///
    /// - Parameter names: gets the names of all fields.
    fileprivate func members(_ names: inout Set<String>) -> [String: [String: Stamp]] {
        var members: [String: [String: Stamp]] = [:]
        for (name, stamp) in named {
            let field = FieldStamps.field(of: name)
            names.insert(field)
            if field != name { members[field, default: [:]][name] = stamp }
        }
        return members
    }
}

extension String {
    /// How a field is spelled that both sides may compose otherwise: as on the side whose value counts, and between equal ones
    /// by the lower bytes.
    fileprivate func spelling(
        _ one: FieldReading, _ other: FieldReading, _ fields: (left: [String: JSONValue], right: [String: JSONValue])
    ) -> String {
        if isASCII { return self }
        let left = fields.left.index(forKey: self).map { fields.left[$0].key }
        let right = fields.right.index(forKey: self).map { fields.right[$0].key }
        guard let left, let right else { return left ?? right ?? self }
        if one.stamp != other.stamp { return one.stamp > other.stamp ? left : right }
        return .lowerSpelling(left, right)
    }

    private var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

/// One side's value of a field, and its stamp.
struct FieldReading {
    var value: JSONValue?
    var stamp: Stamp

    init(_ name: String, _ value: JSONValue?, _ stamps: FieldStamps, _ rules: MergeRules) {
        self.value = value
        stamp = stamps.stamp(of: name, value: value, rules)
    }

    fileprivate init(_ value: JSONValue?, _ stamp: Stamp) {
        self.value = value
        self.stamp = stamp
    }

    /// Whether this wins by the last write.
    func beats(_ other: FieldReading) -> Bool {
        if stamp != other.stamp { return stamp > other.stamp }
        return value != other.value && FieldReading.rank(value) > FieldReading.rank(other.value)
    }

    func isSame(as other: FieldReading) -> Bool { stamp == other.stamp && value == other.value }

    static func merged(_ one: FieldReading, _ other: FieldReading, _ rule: FieldRule) -> FieldReading {
        guard rule == .max || rule == .min else { return other.beats(one) ? other : one }
        let stamp = max(one.stamp, other.stamp)
        switch (one.value?.numeral, other.value?.numeral) {
        case (nil, nil): return other.beats(one) ? other : one
        case (_?, nil): return FieldReading(one.value, stamp)
        case (nil, _?): return FieldReading(other.value, stamp)
        case (let first?, let second?) where first == second:
            return FieldReading(rank(one.value) >= rank(other.value) ? one.value : other.value, stamp)
        case (let first?, let second?):
            return FieldReading((first > second) == (rule == .max) ? one.value : other.value, stamp)
        }
    }

    /// The hash of a value's canonical form; of a missing value the lowest one.
    private static func rank(_ value: JSONValue?) -> ContentHash {
        value.map { ContentHash(of: JSONWriter.text($0)) } ?? .deleted
    }
}

extension FieldRule {
    /// Whether a later write of `value` is what counts where `old` stands.
    func admits(_ value: JSONValue?, after old: JSONValue?) -> Bool {
        guard self == .max || self == .min else { return true }
        let later = Stamp(physical: 1, counter: 0, node: Stamp.zero.node)
        return FieldReading.merged(FieldReading(old, .zero), FieldReading(value, later), self).value == value
    }
}

extension MergeRules {
    /// Whether a field is a number of which the higher one counts, or the lower one.
    package func isNumber(_ name: String) -> Bool { fields[name].map { $0 != .set } ?? false }

    /// Whether an edit of a field to `value` counts where `old` stands.
    func admits(_ value: JSONValue?, for name: String, after old: JSONValue?) -> Bool {
        fields[name]?.admits(value, after: old) ?? true
    }

    /// Those of an edit's changes that count where `old` stands: a number is never taken back by a lower one, or a higher one.
    func admitted(_ changes: [String: JSONValue?], after old: [String: JSONValue]) -> [String: JSONValue?] {
        fields.isEmpty ? changes : changes.filter { admits($0.value, for: $0.key, after: old[$0.key]) }
    }
}

extension JSONValue {
    fileprivate var numeral: Numeral? {
        switch self {
        case .integer(let value): Numeral(whole: value, part: 0)
        case .number(let value): Numeral(value)
        default: nil
        }
    }
}

/// A number as it is ordered: a double knows whole numbers only up to 2^53.
private struct Numeral: Comparable {
    /// The greatest whole number that is not above it; the lowest, or highest, where that is no Int64.
    var whole: Int64
    /// What it has beyond that.
    var part: Double

    init(whole: Int64, part: Double) { (self.whole, self.part) = (whole, part) }

    init(_ value: Double) {
        let floor = value.rounded(.down)
        whole = Int64(exactly: floor) ?? (floor < 0 ? .min : .max)
        part = value - Double(whole)
    }

    static func < (left: Numeral, right: Numeral) -> Bool {
        (left.whole, left.part) < (right.whole, right.part)
    }
}
