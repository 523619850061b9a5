internal import JSONText
internal import SyncModel

/// The members of an entry: a record's fields, and apart from them what only the database has.
///
/// Told apart as they come, so that none is put among the fields to be taken out again.
struct EntryMembers {
    private(set) var fields: [String: JSONValue]
    private(set) var time: UInt64?
    private(set) var stamp: Stamp?
    /// The stamp of the version before.
    private(set) var replaces: Stamp?
    /// The stamps of the fields, as they are spelled.
    private(set) var stamps: JSONValue?

    /// A field of which there is another one whose name is equal, and spelled with other characters.
    private(set) var ambiguousName: String?

    /// - Parameter count: how many will come.
    init(count: Int) { fields = Dictionary(minimumCapacity: count) }

    /// Takes the next member. Of two with one name the last one counts.
    mutating func take(_ name: String, _ value: JSONValue) {
        guard name.utf8.first == UInt8(ascii: "_") else {
            return put(value, as: name)
        }
        switch name {
        case EntrySpelling.serverTime: time = value.whole.flatMap { UInt64(exactly: $0) }
        case EntrySpelling.version: stamp = value.text.flatMap { Stamp($0) }
        case EntrySpelling.fields: stamps = value
        case EntrySpelling.replaces: replaces = value.text.flatMap { Stamp($0) }
        // What an app writes under another reserved name is no field.
        default: if !FieldRules.reservedNames.contains(name) { put(value, as: name) }
        }
    }

    private mutating func put(_ value: JSONValue, as name: String) {
        if !fields.put(value, as: name) { ambiguousName = name }
    }
}
