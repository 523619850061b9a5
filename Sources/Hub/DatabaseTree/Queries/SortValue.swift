internal import FirebaseWire
internal import JSONText
package import SyncModel

/// What a query compares: null and missing < false < true < numbers < strings < objects.
package enum SortValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    /// Ordered by UTF-16 units.
    case string(String)
    case object

    package init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let truth): self = .bool(truth)
        case .integer(let number): self = .number(Double(number))
        case .number(let number): self = .number(number)
        case .string(let text): self = .string(text)
        case .array, .object: self = .object
        }
    }

    /// The sort value of canonical text; nil text is null.
    package init(_ text: ArraySlice<UInt8>?) {
        guard let text, let first = text.first else {
            self = .null
            return
        }
        if let plain = CanonicalText.leafWithPriority(text) {
            self = SortValue(plain)
        } else {
            self = SortValue.plain(text, first)
        }
    }

    private static func plain(_ text: ArraySlice<UInt8>, _ first: UInt8) -> SortValue {
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .object
        case UInt8(ascii: "t"): return .bool(true)
        case UInt8(ascii: "f"): return .bool(false)
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "\"") where !text.contains(UInt8(ascii: "\\")):
            return .string(String(decoding: text.dropFirst().dropLast(), as: UTF8.self))
        case UInt8(ascii: "\""): return (try? JSONReader.value(text)).map { SortValue($0) } ?? .null
        default: return .number(number(text))
        }
    }

    /// Whole numbers that a double holds are most numbers, and are read without a copy.
    private static func number(_ text: ArraySlice<UInt8>) -> Double {
        var whole = 0
        for byte in text {
            guard byte >= 0x30, byte <= 0x39, text.count < 16 else {
                return Double(String(decoding: text, as: UTF8.self)) ?? 0
            }
            whole = whole * 10 + Int(byte - 0x30)
        }
        return Double(whole)
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .bool(false): 1
        case .bool(true): 2
        case .number: 3
        case .string: 4
        case .object: 5
        }
    }
}

extension SortValue: Comparable {
    package static func == (left: SortValue, right: SortValue) -> Bool { order(left, right) == 0 }

    package static func < (left: SortValue, right: SortValue) -> Bool { order(left, right) < 0 }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .number(let number): hasher.combine(number)
        case .string(let text): hasher.combine(WireKey(unchecked: text))
        default: hasher.combine(rank)
        }
    }

    /// Negative, zero or positive, as `left` is before, equal to or after `right`.
    static func order(_ left: SortValue, _ right: SortValue) -> Int {
        switch (left, right) {
        case (.number(let first), .number(let second)): first < second ? -1 : first > second ? 1 : 0
        case (.string(let first), .string(let second)):
            UTF16Order.of(first, second)
        default: left.rank - right.rank
        }
    }
}
