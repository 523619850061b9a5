import Movies
import SyncModel
import Testing

@testable import SyncCore

/// What a line says of the fields that the daemon makes of the id.
struct IgnoredFieldTests {
    private static let id = "6F9619FF-8B86-4011-B42D-00CF4FC964FF"
    private static let rules = CollectionRules(
        id: "movies", merge: MergeRules(), titleField: "title", identityFields: { Movies().identityFields($0) },
        validated: { fields throws(Defect) in try Movies().validated(fields) },
        normalized: { fields throws(Defect) in try Movies().normalized(fields) })
    private static let applier = OperationApplier(
        time: StampPolicy(wall: 0, offset: 0, maxAhead: 1000), keepsTombstones: true, rules: { _ in rules })

    @Test(arguments: [
        (#""x""#, ["fields.identifier"]), ("5", ["fields.identifier"]), ("\"\(id)\"", []),
        ("\"\(id.lowercased())\"", []),
    ])
    func `is noted where it is something else`(identifier: String, ignored: [String]) throws {
        let line = #"{"op":"update","id":"\#(Self.id)","fields":{"year":1,"identifier":\#(identifier)}}"#
        #expect(try Self.applier.operation(Array(line.utf8)[...]).ignoredKeys == ignored)
    }
}
