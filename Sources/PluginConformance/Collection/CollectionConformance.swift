public import PluginKit
internal import SyncModel

/// Holds any collection plugin to the promises of ``CollectionPlugin``.
///
/// ## Writing a collection
/// A new collection's test is one call, beside the tables of what is special about it:
///
/// ```swift
/// @Test func `keeps the promises of a collection`() {
///     let samples = CollectionSamples(accepted: [["title": "Emma"]], refused: [[:]])
///     #expect(CollectionConformance.run(Books(), samples) == [])
/// }
/// ```
///
/// Give at least one sample with every field the collection knows. From the samples the suite makes the rest: unknown
/// fields, nulls, values of every kind in every field, and what the remote gives back after storing.
public enum CollectionConformance {
    /// Checks every promise with every sample, and gives those that are broken: a sentence each, with the fields.
    ///
    /// Knows no test framework, so that a plugin outside this package can use any.
    public static func run(_ plugin: any CollectionPlugin, _ samples: CollectionSamples) -> [String] {
        var check = PromiseCheck(plugin: plugin)
        check.checkNames(samples)
        for fields in samples.accepted {
            check.checkAccepted(fields)
            check.checkUnknownFields(fields)
            check.checkAnyValues(fields)
        }
        for fields in samples.refused { check.checkRefused(fields, by: plugin.validated) }
        for fields in samples.foreign { check.checkForeign(fields) }
        for fields in samples.unreadable { check.checkRefused(fields, by: plugin.normalized) }
        return check.broken
    }
}
