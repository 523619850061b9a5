/// One line of the journal, understood.
public struct Operation: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Makes the record, or replaces it where it exists.
        case create
        /// Merges the named fields; null removes one.
        case update
        case delete
    }

    public var kind: Kind
    public var key: RecordKey
    /// The key that is made of fields, where the line names it; nil where it says a UUID.
    public var keyInRemote: String?
    /// The named fields; empty for a delete.
    public var fields: [String: JSONValue]
    /// When the person made the edit, in milliseconds since 1970; nil where the line does not say.
    public var at: UInt64?
    /// Makes a re-appended line harmless: an operation whose opID was applied before has no effect.
    public var opID: String?
    /// The plugin or hook that wrote the line, where it says so: no hook of that name is told of the change.
    public var plugin: String?
    /// Who says it, by the `uid`, where the line tells: then only what is under this `uid` may be written.
    public var person: String?
    /// The keys of the line that mean nothing there: those that nobody knows, the fields of a delete, and as `fields.NAME`
    /// those that the daemon makes of the id.
    public var ignoredKeys: [String] = []
    /// What the keys of ignored fields begin with.
    package static let ignoredField = "fields."

    public init(
        _ kind: Kind, _ key: RecordKey, fields: [String: JSONValue] = [:], at: UInt64? = nil, opID: String? = nil
    ) {
        self.kind = kind
        self.key = key
        self.fields = fields
        self.at = at
        self.opID = opID
    }
}
