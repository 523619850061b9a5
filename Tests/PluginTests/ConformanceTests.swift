import PluginConformance
import PluginKit
import SyncModel
import Testing

/// The suite itself must be able to fail: every kind of bad plugin is found.
struct ConformanceTests {
    /// Strips what it does not know, counts upwards, and refuses without words.
    struct Careless: CollectionPlugin {
        var id: CollectionID { "Books!" }
        var columns: [String] { [] }
        var titleField: String { "year" }
        var defaults: [String: JSONValue] { ["copies": 1, "note": nil] }
        var textFields: Set<String> { ["title", "identifier", "copies"] }

        func validated(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue] {
            guard let title = fields["title"]?.text else { throw Defect(.invalidValue, "") }
            return ["title": .string(title + "!"), "identifier": "x", "copies": 2]
        }

        func normalized(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue] { fields }

        func identityFields(_ id: RecordID) -> [String: JSONValue] { ["identifier": nil, "a/b": 1] }
    }

    @Test(arguments: [
        "the id is a valid collection name", "at least one column", "the title field is a column",
        "the title field is a text field", "defaults are stored as they are", "the title field names the record",
        "the value of a text field is a string", "a record without \"copies\" has its default",
        "an identifying key can stand in the database",
        "identifying values are stored", "checking itself again changes nothing",
        "identifying keys are not part of the content", "checking keeps an unknown field untouched",
        "a refused sample is refused", "a defect's message is one line",
    ])
    func `a careless plugin is found out`(promise: String) {
        let samples = CollectionSamples(accepted: [["title": "Emma"]], refused: [["title": "Emma"], [:]])
        let broken = CollectionConformance.run(Careless(), samples)
        #expect(broken.contains { $0.contains(promise) })
    }
}
