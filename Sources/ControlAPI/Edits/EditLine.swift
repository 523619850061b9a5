internal import JSONText
package import SyncModel

/// One edit as the journal wants it, whoever appends it.
package struct EditLine: Hashable, Sendable {
    package var kind: Operation.Kind
    package var collection: String
    /// The record's whole UUID.
    package var id: String
    /// The fields to write; nothing for a delete.
    package var fields: [String: JSONValue]
    /// Makes the line harmless when it is read twice.
    package var opID: String
    /// The plugin or hook that writes, which is not told of its own edit then.
    package var origin: String?
    /// Who says it, by the `uid`; nil where nobody in particular does.
    package var person: String?

    package init(
        _ kind: Operation.Kind, in collection: String, _ id: String, fields: [String: JSONValue] = [:],
        opID: String = RecordID.random().description
    ) {
        self.kind = kind
        self.collection = collection
        self.id = id
        self.fields = fields
        self.opID = opID
    }

    /// A new record: a new id, or that of the record with the key that its fields make.
    ///
    /// - Throws: where the fields make no key.
    package init(creating fields: [String: JSONValue], in schema: CollectionSchema) throws(Defect) {
        let fields = schema.defaults.merging(fields) { $1 }
        let id = try EditLine.id(creating: fields, in: schema)
        self.init(.create, in: schema.name, id.description, fields: fields)
    }

    /// A new id; where the key is made of fields, that of the record with this key.
    ///
    /// - Throws: where the fields make no key.
    package static func id(creating fields: [String: JSONValue], in schema: CollectionSchema) throws(Defect) -> RecordID
    {
        guard schema.key.isKeyed else { return .random() }
        return .named(try schema.key.key(of: fields), in: CollectionID(stringLiteral: schema.name))
    }

    /// The line, without its end, for an edit made at `moment`.
    ///
    /// - Throws: where the daemon would not take it.
    package func text(at moment: Moment) throws(Defect) -> [UInt8] {
        var members: [String: JSONValue] = [
            "op": .string(kind.rawValue), "collection": .string(collection), "id": .string(id),
            "at": .string(moment.description), "opID": .string(opID),
        ]
        if kind != .delete { members["fields"] = .object(fields) }
        if let person { members["by"] = .string(person) }
        if let origin { members["origin"] = .string(origin) }
        let line = JSONWriter.text(members)
        _ = try Operation(line: line[...], keys: .uuids)
        return line
    }
}
