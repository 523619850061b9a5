internal import JSONText
internal import SyncModel

/// The members of a set (`FieldRule.set`), each with the stamp of the edit that added or removed it.
///
/// A member that no stamp is named for has the field's stamp, whether it is there or not. Where one side has an object of
/// `true`s, so has the result, unless a member can't be a key.
struct SetMerge {
    private let name: String
    /// Those that are there, as they are spelled there.
    private var present: [String: String] = [:]
    private var stamps: [String: Stamp] = [:]
    private let isObject: Bool
    /// The field's own stamp.
    let stamp: Stamp

    init(_ name: String, _ one: FieldReading, _ first: FieldStamps, _ other: FieldReading, _ second: FieldStamps) {
        self.name = name
        let sides = [(one, first), (other, second)].map { ($0, $1, shown: SetMerge.members(of: $0.value)) }
        stamp = max(one.stamp, other.stamp)
        isObject = sides.contains { SetMerge.isObject($0.0.value) }
        var members = Set<String>()
        for (_, stamps, shown) in sides {
            members.formUnion(shown)
            for key in stamps.named.keys {
                if let parts = FieldStamps.parts(of: key), parts.field == name[...] { members.insert(parts.member) }
            }
        }
        for member in members {
            for (reading, stamps, all) in sides {
                let stamp = stamps.stamp(ofMember: member, of: name, else: reading.stamp)
                let shown = all.firstIndex(of: member).map { all[$0] }
                if let known = self.stamps[member], known > stamp { continue }
                // Between equal stamps a member that is there wins.
                let before = self.stamps[member] == stamp ? present[member] : nil
                present[member] =
                    before.flatMap { before in shown.map { .lowerSpelling(before, $0) } } ?? before ?? shown
                self.stamps[member] = stamp
            }
        }
    }

    /// The members that are there, as the field's value; nil where there are none.
    var value: JSONValue? { SetMerge.value(of: present.values, isObject: isObject) }

    private static func value(of members: some Sequence<String>, isObject: Bool) -> JSONValue? {
        let members = inOrder(members)
        guard !members.isEmpty else { return nil }
        if isObject, members.allSatisfy(FieldRules.isKey) {
            return JSONValue.object(Dictionary(uniqueKeysWithValues: members.map { ($0, .bool(true)) })).pruned
        }
        return .array(members.map { .string($0) })
    }

    /// A set with what was added and removed between two others.
    static func changed(_ value: JSONValue?, from old: JSONValue?, to new: JSONValue) -> JSONValue? {
        let (before, after) = (members(of: old), members(of: new))
        let all = members(of: value).union(after.subtracting(before)).subtracting(before.subtracting(after))
        return SetMerge.value(of: all, isObject: isObject(value) || isObject(new))
    }

    /// Whether two sets have other members.
    static func differ(_ one: JSONValue?, _ other: JSONValue?) -> Bool { members(of: one) != members(of: other) }

    private static func inOrder(_ members: some Sequence<String>) -> [String] {
        members.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// A list as merging leaves it, so that what is edited differs from what it becomes only where something was changed: each
    /// member once, in the order of their bytes. What apps have written stays as it is until something is merged.
    static func inOrder(_ value: JSONValue) -> JSONValue {
        guard let texts = value.listedTexts, !texts.isEmpty else { return value }
        var members: [String: String] = [:]
        for text in texts { members[text] = members[text].map { .lowerSpelling($0, text) } ?? text }
        return .array(inOrder(members.values).map { .string($0) })
    }

    /// The stamps that must be named besides the field's own.
    func members(over fieldStamp: Stamp) -> [String: Stamp] {
        var named: [String: Stamp] = [:]
        for (member, stamp) in stamps where stamp != fieldStamp {
            named[FieldStamps.member(member, of: name)] = stamp
        }
        return named
    }

    /// Whether a value is a list of texts, whatever the database has left of it, or an object of `true`s.
    static func isSet(_ value: JSONValue) -> Bool {
        value == .null || value.listedTexts != nil || value.keysOfTrues != nil
    }

    /// A member of a set that is too long for the key under which its stamp stands.
    static func tooLong(in value: JSONValue) -> String? {
        // No byte takes more than three in a key: most members are short enough whatever is in them.
        (value.listedTexts ?? value.keysOfTrues)?.first {
            3 * $0.utf8.count > FieldRules.mostKeyBytes && FieldRules.bytesAsKey($0) > FieldRules.mostKeyBytes
        }
    }

    /// Whether the members of a value are the keys of an object, in canonical form or not.
    private static func isObject(_ value: JSONValue?) -> Bool {
        guard let value, value.listedTexts == nil else { return false }
        return value.members != nil || value.keysOfTrues != nil
    }

    /// The members of a value: the texts of a list, or the keys of an object.
    static func members(of value: JSONValue?) -> Set<String> {
        if let members = value?.listedTexts ?? value?.keysOfTrues { return Set(members) }
        return switch value {
        case .array(let elements): Set(elements.compactMap { $0 == .null ? nil : $0.text ?? JSONWriter.string($0) })
        case .object(let members): Set(members.keys)
        default: []
        }
    }
}
