public import SyncModel

/// A kind of record that moviesync keeps in sync: what its fields are, and how the apps spell them.
///
/// ## Writing a collection
/// - Make a target below `Sources/Plugins/` that knows PluginKit and SyncModel only, and a type that conforms to this.
/// - Add one line to `BuiltInPlugins.swift`, and run `CollectionConformance` against it.
/// - Fields that the collection does not know are kept untouched: an older node never strips what a newer one wrote.
/// - Everything here is pure: the same arguments give the same answer, on every node and in every release.
public protocol CollectionPlugin: Sendable {
    /// The name in journal lines, configuration and the control socket; also the default path in the database.
    var id: CollectionID { get }

    /// The fields that a list shows first, in that order; the first one is the record's name for people.
    var columns: [String] { get }

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

    /// The keys that are written into the remote's node besides the fields, because apps expect them there.
    ///
    /// They are not part of the record's content, and are taken off when a node is read.
    func identityFields(_ id: RecordID) -> [String: JSONValue]
}

extension CollectionPlugin {
    public func identityFields(_ id: RecordID) -> [String: JSONValue] { [:] }
}
