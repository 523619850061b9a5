/// What a collection's plugin says about the fields of its records; an item of `GET /v1/collections`.
///
/// A value, so that programs that do not have the plugin know its word too.
public struct CollectionSchema: Codable, Hashable, Sendable {
    public var name: String
    /// The field that names a record for people.
    public var titleField: String
    /// The fields that a list shows first, in that order.
    public var columns: [String]
    /// What a create leaves the fields at that it does not name.
    public var defaults: [String: JSONValue]
    /// The fields whose value is text whatever it looks like, sorted.
    public var textFields: [String]
    /// The keys that only the remote has, sorted.
    public var identityFields: [String]
    /// The fields that the keys of its records are made of; none where the key is a UUID.
    public var keyParts: [KeyTemplate.Part]

    public init(
        name: String, titleField: String, columns: [String], defaults: [String: JSONValue] = [:],
        textFields: [String] = [], identityFields: [String] = [], keyParts: [KeyTemplate.Part] = []
    ) {
        self.name = name
        self.titleField = titleField
        self.columns = columns
        self.defaults = defaults
        self.textFields = textFields
        self.identityFields = identityFields
        self.keyParts = keyParts
    }

    public var key: KeyTemplate { KeyTemplate(keyParts) }
}
