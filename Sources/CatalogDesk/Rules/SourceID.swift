internal import JSONText
internal import PluginKit
internal import SyncModel

/// The id of the record that an item of a catalog is saved as: the same on every node, whoever saves it and how often.
enum SourceID {
    /// Never another one: what was saved under it would be saved twice.
    private static let namespace = RecordID(high: 0x3F1C_6E0A_52B7_4D8E, low: 0x9A47_1C60_D2E5_83BB)

    /// A UUID of version 5 of `movies|tmdb|348`.
    static func record(_ collection: CollectionID, _ catalog: String, _ key: String) -> RecordID {
        .named("\(collection)|\(catalog)|\(key)", in: namespace)
    }
}
