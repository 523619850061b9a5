internal import SyncModel

/// The stamps of a record's fields as the value of `_f`: `{"_": common, "field": stamp, "set": {"_": stamp, "member": stamp}}`.
enum FieldStampSpelling {
    private static let common = "_"

    static func value(of stamps: FieldStamps) -> JSONValue {
        var members: [String: JSONValue] = [common: .string(stamps.common.description)]
        var sets: [String: [String: JSONValue]] = [:]
        for (name, stamp) in stamps.named {
            let text = JSONValue.string(stamp.description)
            if let parts = FieldStamps.parts(of: name) {
                sets[String(parts.field), default: [:]][key(of: parts.member)] = text
            } else {
                members[name] = text
            }
        }
        for (name, stamps) in sets {
            members[name] = .object(stamps.merging(members[name].map { [common: $0] } ?? [:]) { member, _ in member })
        }
        return .object(members)
    }

    /// Nil where the value is none that ``value(of:)`` made.
    static func stamps(_ value: JSONValue) -> FieldStamps? {
        guard case .object(var members) = value, let first = members.removeValue(forKey: common)?.text,
            let whole = Stamp(first)
        else { return nil }
        var stamps = FieldStamps(whole)
        for (name, value) in members {
            if case .object(let set) = value {
                for (key, value) in set {
                    guard let stamp = value.text.flatMap({ Stamp($0) }) else { return nil }
                    stamps.named[key == common ? name : FieldStamps.member(member(of: key), of: name)] = stamp
                }
            } else {
                guard let stamp = value.text.flatMap({ Stamp($0) }) else { return nil }
                stamps.named[name] = stamp
            }
        }
        return stamps
    }

    // MARK: Members as keys

    private static let escape = UInt8(ascii: "%")
    private static let illegal = Set(".$#[]/%".utf8)

    /// A member as a legal key that is not ``common``: what a key may not have is written as `%XX`, nothing at all as `%`.
    /// Nor is it a number, which would make an array of the members.
    private static func key(of member: String) -> String {
        if member.isEmpty { return "%" }
        if member == common { return "%5F" }
        let isNumber = member.utf8.allSatisfy { (0x30...0x39).contains($0) }
        var out: [UInt8] = []
        for byte in member.utf8 {
            if byte < 0x20 || byte == 0x7F || illegal.contains(byte) || (isNumber && out.isEmpty) {
                out += [escape, Hexadecimal.upper(UInt64(byte >> 4)), Hexadecimal.upper(UInt64(byte & 0xF))]
            } else {
                out.append(byte)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static func member(of key: String) -> String { key == "%" ? "" : PercentEncoding.decoded(key[...]) ?? key }
}
