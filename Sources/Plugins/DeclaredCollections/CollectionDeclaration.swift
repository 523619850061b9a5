internal import JSONText
package import SyncModel

/// A collection that is declared in a file: what its fields are, and what may stand in them.
///
/// A value that two nodes must have alike: ``digest`` tells whether they do.
package struct CollectionDeclaration: Hashable, Sendable {
    package var id: CollectionID
    /// What one record is called in messages.
    package var noun: String
    package var titleField: String
    package var columns: [String]
    package var fields: [String: FieldDeclaration]
    /// The keys of the remote's body that hold a record's id, in upper case.
    package var identity: [String]
    /// What the keys of its records are made of.
    package var key: KeyTemplate

    package init(
        id: CollectionID, noun: String = "record", titleField: String, columns: [String],
        fields: [String: FieldDeclaration], identity: [String] = [], key: KeyTemplate = .uuid
    ) {
        self.id = id
        self.noun = noun
        self.titleField = titleField
        self.columns = columns
        self.fields = fields
        self.identity = identity
        self.key = key
    }

    /// 16 hexadecimal digits that stand for what is declared, however the file spells it.
    package var digest: String { String(ContentHash(of: JSONWriter.text(meaning)).description.prefix(16)) }

    /// All that is declared, with what the file leaves out.
    private var meaning: JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(id.name), "noun": .string(noun), "titleField": .string(titleField),
            "columns": .array(columns.map { .string($0) }),
            "identity": .array(identity.sorted().map { .string($0) }),
            "fields": .object(fields.mapValues(\.meaning)),
        ]
        // Not named where there is none: declarations of before mean what they meant.
        if key.isKeyed { members["key"] = .array(key.parts.map { .string($0.name) }) }
        return .object(members)
    }
}

extension FieldDeclaration {
    fileprivate var meaning: JSONValue {
        func sorted(_ values: some Sequence<JSONValue>) -> JSONValue {
            .array(values.map { .string(JSONWriter.string($0)) }.sorted { ($0.text ?? "") < ($1.text ?? "") })
        }
        return .object([
            "type": .string(kind.rawValue), "required": .bool(isRequired), "default": defaultValue ?? .null,
            "absent": sorted(absent), "oneOf": sorted(oneOf), "merge": .string(merge.rawValue),
            "noun": noun.map { .string($0) } ?? .null, "minimum": minimum.map { .number($0) } ?? .null,
            "maximum": maximum.map { .number($0) } ?? .null,
            "maxLength": maxLength.map { .integer(Int64($0)) } ?? .null,
            "maxCount": maxCount.map { .integer(Int64($0)) } ?? .null,
        ])
    }
}

/// What is wrong with a declaration: where in it, and what to do.
package struct DeclarationProblem: Hashable, Sendable {
    /// The keys that lead there; empty for the whole.
    package var path: [String]
    package var message: String
}

/// All that is wrong with a declaration.
package struct DeclarationRejected: Error, Hashable, Sendable {
    package var problems: [DeclarationProblem]
}
