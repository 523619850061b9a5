package import SyncModel

/// What a declaration says about one field.
package struct FieldDeclaration: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case text, integer, number, bool
        /// A day, written `1979-05-25`.
        case date
        /// A list of texts, or an object of `true`s.
        case texts
        case any

        /// What a value of another kind is not.
        var words: String {
            switch self {
            case .text: "a string"
            case .integer: "a whole number"
            case .number: "a number"
            case .bool: "a Bool"
            case .date: "a date such as 1979-05-25"
            case .texts: "a list of texts"
            case .any: "a value"
            }
        }
    }

    package var kind: Kind
    package var isRequired = false
    package var defaultValue: JSONValue?
    /// Values that mean that there is none, pruned.
    package var absent: Set<JSONValue> = []
    /// What one value is called in messages.
    package var noun: String?
    package var minimum: Double?
    package var maximum: Double?
    /// In Unicode scalars: what counts as a character differs between releases of Unicode.
    package var maxLength: Int?
    /// Of members of a list.
    package var maxCount: Int?
    /// The values that there may be, pruned; all of them where it is empty.
    package var oneOf: [JSONValue] = []
    package var merge = FieldRule.last

    package init(_ kind: Kind) { self.kind = kind }
}

extension FieldDeclaration {
    /// Whether a value means that there is none.
    func isNothing(_ value: JSONValue) -> Bool {
        // Where an empty list or object may stand, the remote stores nothing for it.
        guard let pruned = value.pruned else { return value == .null || kind == .any || kind == .texts }
        return absent.contains(pruned)
    }

    /// A value that is there, as a program on this machine wrote it.
    func checked(_ value: JSONValue, _ name: String) throws(Defect) -> JSONValue {
        let read = try typed(value, name)
        try checkLimits(read, name)
        return read
    }

    /// The same as an app may have written it: a number or a truth as text is understood where its meaning is certain, and a
    /// list of which the database has left some places.
    func understood(_ value: JSONValue, _ name: String) throws(Defect) -> JSONValue? {
        var value = value
        switch (kind, value) {
        case (.integer, .string(let text)):
            guard let whole = Int64(text) else { throw unreadable(text, name) }
            value = .integer(whole)
        case (.number, .string(let text)):
            guard let number = FieldDeclaration.number(text) else { throw unreadable(text, name) }
            value = number
        case (.bool, _): value = try truth(value, name)
        case (.texts, _): if let texts = value.listedTexts { value = .array(texts.map { .string($0) }) }
        default: break
        }
        return isNothing(value) ? nil : try checked(value, name)
    }

    private func typed(_ value: JSONValue, _ name: String) throws(Defect) -> JSONValue {
        switch (kind, value) {
        case (.text, .string(let text)):
            guard !isRequired || text.contains(where: { !$0.isWhitespace }) else {
                throw Defect(.invalidValue, "\"\(name)\" is empty")
            }
            return value
        case (.integer, .integer), (.integer, .number):
            if let whole = value.whole { return .integer(whole) }
        case (.number, .integer), (.bool, .bool), (.any, _): return value
        case (.number, .number(let number)) where number.isFinite: return value
        case (.date, .string(let text)):
            if Day.isOne(text) { return value }
            throw Defect(.invalidValue, "\"\(name)\" is \"\(text.prefix(40))\", not \(kind.words)")
        case (.texts, .array(let members)) where members.allSatisfy({ $0.text?.isEmpty == false }): return value
        case (.texts, _) where value.keysOfTrues != nil: return value
        case (.texts, .array(let members)):
            throw Defect(.invalidValue, "\"\(name)\" \(FieldDeclaration.fault(of: members))")
        default: break
        }
        throw Defect(.invalidValue, "\"\(name)\" is \(value.kind), not \(kind.words)")
    }

    /// Why a list is none of texts.
    private static func fault(of members: [JSONValue]) -> String {
        guard let other = members.first(where: { $0.text == nil }) else {
            return "has an empty text in its list: leave it out"
        }
        return "has \(other.kind) in its list, which may only have texts"
    }

    private func checkLimits(_ value: JSONValue, _ name: String) throws(Defect) {
        if let number = value.double {
            if let minimum, number < minimum { throw outside(value, name, "less than", minimum) }
            if let maximum, number > maximum { throw outside(value, name, "more than", maximum) }
        }
        let texts = value.texts
        if let maxLength, texts.contains(where: { $0.isLonger(than: maxLength) }) {
            throw Defect(.invalidValue, "\"\(name)\" has more than \(maxLength) characters")
        }
        if kind == .texts, let maxCount, texts.count > maxCount {
            throw Defect(.invalidValue, "\"\(name)\" has \(texts.count) texts, more than \(maxCount)")
        }
        guard !oneOf.isEmpty else { return }
        let members = kind == .texts ? texts.map { JSONValue.string($0) } : [value.pruned ?? .null]
        if let other = members.first(where: { !oneOf.contains($0) }) {
            let all = oneOf.map(\.shown).joined(separator: ", ")
            throw Defect(.invalidValue, "\"\(name)\" is \(other.shown), which is none of \(all)")
        }
    }

    private func outside(_ value: JSONValue, _ name: String, _ words: String, _ limit: Double) -> Defect {
        let limit = JSONValue.number(limit).pruned?.shown ?? ""
        return Defect(.invalidValue, "\"\(name)\" is \(value.shown), \(words) \(limit)")
    }

    private func unreadable(_ text: String, _ name: String) -> Defect {
        let noun = noun.map { ($0.first.map { "aeiou".contains($0) } == true ? "an " : "a ") + $0 }
        return Defect(.unreadableRecord, "\"\(name)\" is \"\(text.prefix(40))\", not \(noun ?? kind.words)")
    }

    private func truth(_ value: JSONValue, _ name: String) throws(Defect) -> JSONValue {
        switch value {
        case .bool: return value
        case .string(let text):
            if ["true", "1", "yes"].contains(text.lowercased()) { return true }
            if ["false", "0", "no", ""].contains(text.lowercased()) { return false }
        default:
            if value.whole == 0 { return false }
            if value.whole == 1 { return true }
        }
        throw Defect(.unreadableRecord, "\"\(name)\" is \(value.kind) that means neither true nor false")
    }

    /// Neither "nan" nor "0x1p3" is meant as a number.
    private static func number(_ text: String) -> JSONValue? {
        guard text.utf8.allSatisfy("0123456789+-.eE".utf8.contains) else { return nil }
        if let whole = Int64(text) { return .integer(whole) }
        return Double(text).flatMap { $0.isFinite ? .number($0) : nil }
    }
}

/// Days of the calendar.
private enum Day {
    static func isOne(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D else { return false }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].allSatisfy { (0x30...0x39).contains($0) }
                ? Int(String(decoding: bytes[range], as: UTF8.self)) : nil
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...12).contains(month) && (1...days[month - 1]).contains(day)
    }
}

extension JSONValue {
    /// The value of a number.
    fileprivate var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The text of a text, the members of a list of them.
    fileprivate var texts: [String] {
        if let keys = keysOfTrues { return keys.sorted() }
        return switch self {
        case .string(let text): [text]
        case .array(let members): members.compactMap(\.text)
        case .object(let members): members.keys.sorted()
        default: []
        }
    }

    /// As it stands in messages.
    var shown: String {
        switch self {
        case .string(let text): "\"\(text.prefix(40))\""
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .bool(let value): "\(value)"
        case .null, .array, .object: kind
        }
    }
}
