package import SyncModel

/// An edit made on this machine, checked by the record's collection.
package enum Edit: Hashable, Sendable {
    /// All fields of the record.
    case create([String: JSONValue])
    /// The named fields with their new values; nil removes one.
    case update([String: JSONValue?])
    case delete
}
