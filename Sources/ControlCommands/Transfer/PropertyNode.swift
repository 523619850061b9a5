internal import FoundationEssentials
internal import SyncModel
internal import Synchronization

/// A value of a property list, as it is read: what a record can't hold is refused, and so is what has no end.
struct PropertyNode: Decodable {
    /// Why a property list can't be taken, in words that follow its name.
    struct Fault: Error, Hashable {
        let words: String
    }

    let value: JSONValue

    /// The value in a property list, in XML or binary.
    ///
    /// - Throws: ``Fault``, or what a decoder says of a text that is none.
    static func value(of text: [UInt8]) throws -> JSONValue {
        // The outermost element holds the value, and a value within the innermost array is one, too.
        guard XMLNesting.depth(of: text) <= maxDepth + 2 else { throw Fault.tooDeep }
        let decoder = PropertyListDecoder()
        // Each value takes a byte at least where it stands in its array or dictionary.
        if let key = Budget.key { decoder.userInfo[key] = Budget(text.count) }
        return try decoder.decode(PropertyNode.self, from: Data(text)).value
    }

    /// A record has fewer levels; a reader without a limit ends by overflowing its stack.
    static let maxDepth = 64

    init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= PropertyNode.maxDepth else { throw Fault.tooDeep }
        try Budget.spend(decoder)
        let scalar = try decoder.singleValueContainer()
        if scalar.decodeNil() {
            value = .null
        } else if let text = try? scalar.decode(String.self) {
            value = .string(text)
        } else if let truth = try? scalar.decode(Bool.self) {
            value = .bool(truth)
        } else if let whole = try? scalar.decode(Int64.self) {
            value = .integer(whole)
        } else if let number = try? scalar.decode(Double.self) {
            guard number.isFinite else { throw Fault(number, at: decoder.codingPath) }
            value = .number(number)
        } else if var elements = try? decoder.unkeyedContainer() {
            var array: [JSONValue] = []
            while !elements.isAtEnd { array.append(try elements.decode(PropertyNode.self).value) }
            value = .array(array)
        } else {
            let members = try decoder.container(keyedBy: Name.self)
            var object: [String: JSONValue] = [:]
            for name in members.allKeys {
                object[name.stringValue] = try members.decode(PropertyNode.self, forKey: name).value
            }
            value = .object(object)
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// So many values more can be in a file of its size: one that refers to the same ones again and again holds more.
    private final class Budget: Sendable {
        static let key = CodingUserInfoKey(rawValue: "values")

        private let left: Mutex<Int>

        init(_ size: Int) { left = Mutex(size) }

        static func spend(_ decoder: any Decoder) throws(Fault) {
            guard let key, let budget = decoder.userInfo[key] as? Budget else { return }
            let left = budget.left.withLock { left in
                left -= 1
                return left
            }
            guard left >= 0 else { throw Fault(words: "holds the same arrays or dictionaries again and again") }
        }
    }
}

extension PropertyNode.Fault {
    fileprivate static let tooDeep = PropertyNode.Fault(
        words: "has arrays and dictionaries in each other, more than \(PropertyNode.maxDepth) deep")

    fileprivate init(_ number: Double, at path: [any CodingKey]) {
        let names = path.map { $0.intValue.map { "element \($0 + 1)" } ?? $0.stringValue }
        let place = names.isEmpty ? "" : " at " + names.joined(separator: ", ")
        words = "has \(number), which is no number that can be kept,\(place)"
    }
}
