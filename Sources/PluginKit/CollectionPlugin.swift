public import SyncModel

/// A kind of record that moviesync keeps in sync: what its fields are, and how the apps spell them.
///
/// ## Writing a collection
/// - Make a target below `Sources/Plugins/` that knows PluginKit and SyncModel only, and a type that conforms to this.
/// - Add one line to `BuiltInCollections.swift`, and run `CollectionConformance` against it.
/// - Fields that the collection does not know are kept untouched: an older node never strips what a newer one wrote.
/// - Everything here is pure: the same arguments give the same answer, on every node and in every release.
public protocol CollectionPlugin: Sendable {
    /// The name in journal lines, configuration and the control socket; also the default path in the database.
    var id: CollectionID { get }

    /// The fields that a list shows first, in that order. The first whose default is a Bool is shown as a mark.
    var columns: [String] { get }

    /// The field that names a record for people: `moviesync add` writes it, lists begin with it, a search looks at it.
    ///
    /// A column and a text field that every record has; the first column unless the plugin says otherwise.
    var titleField: String { get }

    /// What a create leaves the fields at that it does not name; none unless the plugin says otherwise.
    ///
    /// ``validated(_:)`` and ``normalized(_:)`` must fill them in too, see ``withDefaults(_:)``: programs that append to
    /// the journal, and apps, need not know them.
    var defaults: [String: JSONValue] { get }

    /// The fields whose value is text whatever it looks like (`title=1917`); ``titleField`` unless the plugin says
    /// otherwise.
    var textFields: Set<String> { get }

    /// The fields of which two nodes' changes are merged by another rule than the last write; none unless the plugin says
    /// otherwise. Every node must know the same.
    var mergeRules: [String: FieldRule] { get }

    /// Checks a whole record that a program on this machine wrote, and fills in defaults.
    ///
    /// Called with the complete fields: those of a create, or the record's own with those of an update laid over.
    /// Checking what this returned returns the same again.
    func validated(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue]

    /// Reads, with care, what an app without stamps wrote: the same promise as ``validated(_:)``, but what real apps
    /// write wrongly is understood where the meaning is certain (`0`, `1`, `"true"` for a Bool).
    ///
    /// `fields` does not hold the keys that ``identityFields(_:)`` names.
    func normalized(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue]

    /// The keys that are written into the remote's body of a record besides the fields, because apps expect them there.
    ///
    /// They are not part of the record's content, and are taken off when it is read.
    func identityFields(_ id: RecordID) -> [String: JSONValue]

    /// What the keys of its records are made of; a UUID unless the plugin says otherwise.
    ///
    /// The fields that are parts are in every record: the daemon fills them in from the key before it asks
    /// ``validated(_:)`` or ``normalized(_:)``.
    var key: KeyTemplate { get }

    /// Whether it is kept where nobody says which collections are; true unless the plugin says otherwise.
    var isEnabledByDefault: Bool { get }

    /// A word that stands for all that a person declared about the collection in a file, so that nodes can tell whether
    /// they were told the same; nil, unless the plugin says otherwise, where it is compiled in.
    var declarationDigest: String? { get }
}

extension CollectionPlugin {
    public var titleField: String { columns.first ?? "" }
    public var defaults: [String: JSONValue] { [:] }
    public var mergeRules: [String: FieldRule] { [:] }
    public var textFields: Set<String> { [titleField] }
    public func identityFields(_ id: RecordID) -> [String: JSONValue] { [:] }
    public var key: KeyTemplate { .uuid }
    public var isEnabledByDefault: Bool { true }
    public var declarationDigest: String? { nil }

    /// The fields, with the default for each that is missing or null.
    public func withDefaults(_ fields: [String: JSONValue]) -> [String: JSONValue] {
        var whole = fields
        for (name, value) in defaults where (fields[name] ?? .null) == .null { whole[name] = value }
        return whole
    }

    /// All that the plugin says about its fields, as a value.
    public var schema: CollectionSchema {
        CollectionSchema(
            name: id.name, titleField: titleField, columns: columns, defaults: defaults,
            textFields: textFields.sorted(),
            identityFields: identityFields(RecordID(high: 0, low: 0)).keys.sorted(), keyParts: key.parts)
    }
}
