internal import JSONText
internal import PluginKit
internal import SyncModel

/// What is said about one field.
extension DeclarationReading {
    private static let keys = [
        "type", "required", "default", "absent", "noun", "minimum", "maximum", "maxLength", "maxCount", "oneOf",
        "merge",
    ]

    mutating func field(_ value: JSONValue, _ path: [String]) -> FieldDeclaration? {
        guard let members = value.members else {
            complain(path, #"is \#(value.kind), not an object such as {"type": "text"}"#)
            return nil
        }
        complainOfUnknown(members, path, among: DeclarationReading.keys)
        guard let kind = word(members, "type", path, FieldDeclaration.Kind.self) else {
            if members["type"] == nil { complain(path, "has no \"type\": use one of \(kinds)") }
            return nil
        }
        var field = FieldDeclaration(kind)
        field.noun = text(members, "noun", path)
        field.isRequired = truth(members, "required", path)
        field.minimum = number(members, "minimum", path, of: [.integer, .number], kind)
        field.maximum = number(members, "maximum", path, of: [.integer, .number], kind)
        field.maxLength = count(members, "maxLength", path, of: [.text, .texts], kind)
        field.maxCount = count(members, "maxCount", path, of: [.texts], kind)
        field.absent = Set(values(members, "absent", path))
        field.merge = merge(members, path, kind)
        if let low = field.minimum, let high = field.maximum, low > high {
            complain(path + ["minimum"], "is more than the maximum")
        }
        field.oneOf = choices(members, path, field)
        field.defaultValue = standard(members, path, field)
        return field
    }

    private var kinds: String { FieldDeclaration.Kind.allCases.map(\.rawValue).joined(separator: ", ") }

    private mutating func word<Word: RawRepresentable & CaseIterable>(
        _ members: [String: JSONValue], _ key: String, _ path: [String], _ type: Word.Type
    ) -> Word? where Word.RawValue == String {
        guard let value = members[key] else { return nil }
        if let word = value.text.flatMap(Word.init(rawValue:)) { return word }
        let all = Word.allCases.map(\.rawValue)
        complain(
            path + [key],
            "is \(value.shown), not one of \(all.joined(separator: ", "))"
                + NearestName.hint(for: value.text ?? "", among: all))
        return nil
    }

    private mutating func truth(_ members: [String: JSONValue], _ key: String, _ path: [String]) -> Bool {
        guard let value = members[key] else { return false }
        if let truth = value.truth { return truth }
        complain(path + [key], "is \(value.shown), not true or false")
        return false
    }

    /// Whether a key has a meaning for a type; a complaint where it stands there and has none.
    private mutating func applies(
        _ members: [String: JSONValue], _ key: String, _ path: [String], _ kinds: [FieldDeclaration.Kind],
        _ kind: FieldDeclaration.Kind
    ) -> JSONValue? {
        guard let value = members[key] else { return nil }
        if kinds.contains(kind) { return value }
        let words = kinds.map(\.rawValue).joined(separator: " or ")
        complain(path + [key], "has a meaning for the type \(words) only, and this is \(kind.rawValue)")
        return nil
    }

    private mutating func number(
        _ members: [String: JSONValue], _ key: String, _ path: [String], of kinds: [FieldDeclaration.Kind],
        _ kind: FieldDeclaration.Kind
    ) -> Double? {
        switch applies(members, key, path, kinds, kind) {
        case nil: return nil
        case .integer(let value)?: return Double(value)
        case .number(let value)? where value.isFinite: return value
        case let value?:
            complain(path + [key], "is \(value.shown), not a number")
            return nil
        }
    }

    private mutating func count(
        _ members: [String: JSONValue], _ key: String, _ path: [String], of kinds: [FieldDeclaration.Kind],
        _ kind: FieldDeclaration.Kind
    ) -> Int? {
        guard let value = applies(members, key, path, kinds, kind) else { return nil }
        if let whole = value.whole, (1...1_000_000).contains(whole) { return Int(whole) }
        complain(path + [key], "is \(value.shown), not a whole number from 1 to 1000000")
        return nil
    }

    /// The values of a list, pruned.
    private mutating func values(_ members: [String: JSONValue], _ key: String, _ path: [String]) -> [JSONValue] {
        guard let value = members[key] else { return [] }
        guard case .array(let elements) = value, !elements.isEmpty else {
            complain(path + [key], #"must be a list of values, such as ["", 0]"#)
            return []
        }
        return elements.compactMap(\.pruned)
    }

    private mutating func merge(
        _ members: [String: JSONValue], _ path: [String], _ kind: FieldDeclaration.Kind
    ) -> FieldRule {
        guard let rule = word(members, "merge", path, FieldRule.self) else { return .last }
        switch (rule, kind) {
        case (.max, .integer), (.max, .number), (.min, .integer), (.min, .number), (.set, .texts), (.last, _): break
        default:
            complain(path + ["merge"], "is \(rule.rawValue), which a field of the type \(kind.rawValue) can't have")
        }
        return rule
    }

    private mutating func choices(
        _ members: [String: JSONValue], _ path: [String], _ field: FieldDeclaration
    ) -> [JSONValue] {
        let values = values(members, "oneOf", path)
        for value in values {
            let sample: JSONValue = field.kind == .texts ? .array([value]) : value
            do {
                _ = try field.checked(sample, path.last ?? "")
            } catch {
                complain(path + ["oneOf"], "holds what this field can't be: \(error.message)")
            }
        }
        return values
    }

    /// The default, which has to be what the field itself takes, as the remote gives it back.
    private mutating func standard(
        _ members: [String: JSONValue], _ path: [String], _ field: FieldDeclaration
    ) -> JSONValue? {
        guard let value = members["default"], value != .null else { return nil }
        guard let pruned = value.pruned, !field.absent.contains(pruned) else {
            complain(path + ["default"], "is \(value.shown), which means that there is no value: leave it out")
            return nil
        }
        do throws(Defect) {
            try FieldRules.check(["default": pruned])
            return try field.checked(pruned, path.last ?? "").pruned
        } catch {
            complain(path + ["default"], "is what this field can't be: \(error.message)")
            return nil
        }
    }
}
