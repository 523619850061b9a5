/// Any JSON value, as a record's field holds it.
///
/// Numbers that fit a 64-bit integer are `integer`, all others `number`; which of the two a whole number is does not
/// matter once it is in canonical form (see ``pruned``).
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue {
    /// Whether both are the same to a database: also texts and names that are composed otherwise differ.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.isSpelled(like: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): haveSameMembers(left, right)
        default: false
        }
    }

    private static func haveSameMembers(_ left: [String: JSONValue], _ right: [String: JSONValue]) -> Bool {
        left.count == right.count
            && left.allSatisfy { name, value in
                guard let place = right.index(forKey: name) else { return false }
                return right[place].value == value && right[place].key.isSpelled(like: name)
            }
    }

    /// The text of a string value, else nil.
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The members of an object value, else nil.
    public var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// The truth of a bool value, else nil; numbers and strings are not converted.
    public var truth: Bool? { if case .bool(let truth) = self { truth } else { nil } }

    /// The value of a whole number (`5` and `5.0` alike), else nil.
    public var whole: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// What this value is called in messages to people.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a Bool"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
    public init(nilLiteral: ()) { self = .null }
}
