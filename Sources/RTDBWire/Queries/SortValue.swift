internal import JSONText
package import SyncModel

/// What a query compares: null and missing < false < true < numbers < strings < objects.
package enum SortValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    /// Ordered by UTF-8 bytes, which is the order of the code points.
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
        } else if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            self = .object
        } else {
            self = (try? JSONReader.value(text)).map { SortValue($0) } ?? .null
        }
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
    package static func < (left: SortValue, right: SortValue) -> Bool {
        switch (left, right) {
        case (.number(let first), .number(let second)): first < second
        case (.string(let first), .string(let second)): first.utf8.lexicographicallyPrecedes(second.utf8)
        default: left.rank < right.rank
        }
    }
}
