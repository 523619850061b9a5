internal import JSONText
package import SyncModel

/// An edit made on this machine, checked by the record's collection.
package enum Edit: Hashable, Sendable {
    /// All fields of the record, and the content that they are.
    case whole([String: JSONValue], Content)
    /// The named fields with their new values; nil removes one.
    case update([String: JSONValue?])
    case delete

    /// All fields of the record.
    package static func create(_ fields: [String: JSONValue]) -> Edit { .whole(fields, Content(fields: fields)) }
}
