internal import PluginKit
internal import SyncCore
internal import SyncModel

extension CollectionPlugin {
    /// What SyncCore needs to know of the collection.
    func rules(_ merge: MergeMode) -> CollectionRules {
        CollectionRules(
            id: id, key: key, merge: MergeRules(defaults: defaults, fields: mergeRules, byRecord: merge == .record),
            titleField: titleField, identityFields: { identityFields($0) },
            validated: { fields throws(Defect) in try validated(fields) },
            normalized: { fields throws(Defect) in try normalized(fields) })
    }
}
