/// What the keys of a collection's records are made of: a UUID, or the values of some fields, one key below the other.
///
/// `reviews/348/anna` is the record with the key `348/anna` of a collection whose parts are `film` and `uid`. Its id is
/// made of the key, the same on every node; the fields that are parts are in the record too, and never change.
public struct KeyTemplate: Codable, Hashable, Sendable {
    public struct Part: Codable, Hashable, Sendable {
        /// The field whose value the part is.
        public var name: String
        /// Whether the value is a whole number; else it is a text.
        public var isInteger: Bool

        public init(_ name: String, isInteger: Bool = false) {
            self.name = name
            self.isInteger = isInteger
        }
    }

    /// Of collections whose records are known by UUIDs.
    public static let uuid = KeyTemplate([])

    /// The most bytes that a key of the database may have.
    package static let maxLength = 700

    /// The parts in their order; none where the key is a UUID.
    public var parts: [Part]

    public init(_ parts: [Part]) { self.parts = parts }

    /// Whether the key is made of fields.
    public var isKeyed: Bool { !parts.isEmpty }

    /// The field that says whose a record is, where it is part of the key.
    public static let author = "uid"
    /// The author of what is said while nobody has signed in.
    public static let nobody = "local"

    /// Whether the key says whose a record is.
    public var hasAuthor: Bool { parts.contains { $0.name == KeyTemplate.author } }

    /// Whose the record with this key is; nil where the key does not say, or is none of this collection.
    public func author(of key: String) -> String? {
        guard hasAuthor else { return nil }
        return fields(of: key)?[KeyTemplate.author]?.text
    }

    /// What the state and messages call it, such as `film (integer)/uid`.
    package var spelling: String {
        isKeyed ? parts.map { $0.name + ($0.isInteger ? " (integer)" : "") }.joined(separator: "/") : "UUIDs"
    }

    /// How many keys, one below the other, lead to a record.
    public var depth: Int { max(1, parts.count) }

    /// The key of the record with these fields.
    ///
    /// - Throws: a ``Defect`` where a part is missing, or is no key.
    public func key(of fields: [String: JSONValue]) throws(Defect) -> String {
        var texts: [String] = []
        for part in parts {
            guard let value = fields[part.name], value != .null else {
                throw Defect(.missingKey, "the record has no \"\(part.name)\", which is part of its key")
            }
            guard let text = KeyTemplate.text(of: value) else {
                throw Defect(.invalidValue, "\"\(part.name)\" is \(value.kind), and can't be part of a key")
            }
            guard KeyTemplate.isKey(text), self.value(of: part, text) != nil else {
                throw Defect(
                    .invalidValue,
                    "\"\(part.name)\" is \"\(text.prefix(60))\", which can't be part of a key: \(part.rule)")
            }
            texts.append(text)
        }
        return texts.joined(separator: "/")
    }

    /// The fields that a key names; nil where it is none of this collection.
    public func fields(of key: String) -> [String: JSONValue]? {
        guard isKeyed else { return nil }
        let texts = key.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
        guard texts.count == parts.count else { return nil }
        var fields: [String: JSONValue] = [:]
        for (part, text) in zip(parts, texts) {
            guard KeyTemplate.isKey(String(text)), let value = value(of: part, String(text)) else { return nil }
            fields[part.name] = value
        }
        return fields
    }

    /// The fields of the record that stands under a key: those of its body, and what the key says of those that are not there.
    ///
    /// - Throws: a ``Defect`` where the body says something else than the key: whichever counted, what the other says would
    ///   be lost.
    package func fields(
        of body: [String: JSONValue], under key: String
    ) throws(Defect) -> [String: JSONValue] {
        guard let named = fields(of: key) else { return body }
        for part in parts {
            guard let said = body[part.name]?.pruned, let value = named[part.name], !KeyTemplate.agrees(said, value)
            else { continue }
            let inKey = KeyTemplate.text(of: value) ?? ""
            let words = KeyTemplate.text(of: said).map { "\"\($0.prefix(60))\"" } ?? said.kind
            throw Defect(
                .unreadableRecord,
                "the key says that \"\(part.name)\" is \"\(inKey.prefix(60))\", the body says \(words)")
        }
        return body.merging(named) { _, part in part }
    }

    /// Whether what a body says is what its key does, or nothing: a blank text, as apps write what they do not know.
    private static func agrees(_ said: JSONValue, _ value: JSONValue) -> Bool {
        if said.text?.allSatisfy(\.isWhitespace) ?? false { return true }
        guard let number = value.whole else { return text(of: said) == text(of: value) }
        return (said.whole ?? said.text.flatMap { Int64($0) }) == number
    }

    /// A value as it stands in a key; nil where it can't.
    private static func text(of value: JSONValue) -> String? { value.text ?? value.whole.map { "\($0)" } }

    private func value(of part: Part, _ text: String) -> JSONValue? {
        guard part.isInteger else { return .string(text) }
        // Written in one way only: `007` and `7` would be two keys of one record.
        guard let number = Int64(text), "\(number)" == text else { return nil }
        return .integer(number)
    }

    /// Whether a text can be a key of the database (https://firebase.google.com/docs/database/usage/limits).
    private static func isKey(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= maxLength
            && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && !".$#[]/".utf8.contains($0) }
    }
}

extension KeyTemplate.Part {
    fileprivate var rule: String {
        isInteger ? "it is a whole number" : "it is not empty, and has none of . $ # [ ] / and no control character"
    }
}

/// Which template each collection has.
public struct KeyTemplates: Sendable {
    /// As if all collections knew their records by UUIDs.
    public static let uuids = KeyTemplates { _ in .uuid }

    private let template: @Sendable (CollectionID) -> KeyTemplate?

    public init(_ template: @escaping @Sendable (CollectionID) -> KeyTemplate?) { self.template = template }

    /// Nil where nobody knows the collection.
    public subscript(_ collection: CollectionID) -> KeyTemplate? { template(collection) }
}
