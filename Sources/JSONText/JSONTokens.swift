internal import CSimdjson
package import SyncModel

/// The tokens of one JSON text in document order, for readers that build something other than a ``JSONValue``.
///
/// Whoever reads takes exactly what a token announces. Keys come as they stand in the text: none is lost, and two that
/// look alike but have other bytes stay two.
package struct JSONTokens {
    private let tokens: UnsafeBufferPointer<csimdjson_token>
    private var position = 0
    /// A name in an object that was read as a whole, which has another one that is equal and spelled with other characters (é
    /// as one, or as two): a ``JSONValue`` has only one of them. Nil where there is none.
    package private(set) var ambiguousName: String?

    init(_ tokens: UnsafeBufferPointer<csimdjson_token>) { self.tokens = tokens }

    package mutating func next() -> JSONToken {
        let token = taken()
        switch Int(token.kind) {
        case CSIMDJSON_ARRAY: return .array(Int(token.length))
        case CSIMDJSON_OBJECT: return .object(Int(token.length))
        default: return .scalar(scalar(token))
        }
    }

    package mutating func key() -> String {
        text(taken())
    }

    /// The next value as a whole. Of two equal keys in an object the last one counts.
    package mutating func value() -> JSONValue {
        let token = taken()
        switch Int(token.kind) {
        case CSIMDJSON_ARRAY:
            var elements: [JSONValue] = []
            elements.reserveCapacity(Int(token.length))
            for _ in 0..<token.length { elements.append(value()) }
            return .array(elements)
        case CSIMDJSON_OBJECT:
            var members: [String: JSONValue] = Dictionary(minimumCapacity: Int(token.length))
            for _ in 0..<token.length {
                let name = key()
                if !members.put(value(), as: name) { ambiguousName = name }
            }
            return .object(members)
        default: return scalar(token)
        }
    }

    private mutating func taken() -> csimdjson_token {
        defer { position += 1 }
        return tokens[position]
    }

    private func scalar(_ token: csimdjson_token) -> JSONValue {
        switch Int(token.kind) {
        case CSIMDJSON_FALSE: .bool(false)
        case CSIMDJSON_TRUE: .bool(true)
        case CSIMDJSON_INTEGER: .integer(token.value.integer)
        case CSIMDJSON_DOUBLE: .number(token.value.number)
        case CSIMDJSON_STRING: .string(text(token))
        default: .null
        }
    }

    private func text(_ token: csimdjson_token) -> String {
        let bytes = UnsafeRawBufferPointer(start: token.value.text, count: Int(token.length))
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Dictionary where Key == String {
    /// Sets a value; the last of two under one name counts.
    ///
    /// - Returns: false where there was one under a name that is equal, and spelled with other characters.
    package mutating func put(_ value: Value, as name: String) -> Bool {
        let before = count
        self[name] = value
        guard count == before, let place = index(forKey: name) else { return true }
        return keys[place].utf8.elementsEqual(name.utf8)
    }
}
