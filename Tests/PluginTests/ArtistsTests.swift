import Artists
import PluginConformance
import PluginKit
import SyncModel
import Testing

struct ArtistsTests {
    @Test func `keeps the promises of a collection`() {
        let broken = CollectionConformance.run(
            Artists(),
            CollectionSamples(
                accepted: [
                    ["name": "Pink Floyd", "yearFormed": 1965, "biography": "Four men", "country": "GB"],
                    ["name": "Pink Floyd"], ["name": "Pink Floyd", "yearFormed": nil, "biography": nil],
                ],
                refused: [
                    [:], ["name": nil], ["name": ""], ["name": " "], ["name": 7],
                    ["name": "Pink Floyd", "yearFormed": "1965"], ["name": "Pink Floyd", "yearFormed": 1965.5],
                    ["name": "Pink Floyd", "biography": 1],
                ],
                foreign: [
                    ["name": "Pink Floyd", "yearFormed": 0], ["name": "Pink Floyd", "yearFormed": "1965"],
                    ["name": "Pink Floyd", "yearFormed": "", "biography": ""],
                ],
                unreadable: [
                    [:], ["name": "Pink Floyd", "yearFormed": "the sixties"],
                    ["name": "Pink Floyd", "yearFormed": [1]],
                ]
            ))
        #expect(broken == [])
    }

    @Test(arguments: [nil, "", "0", 0, 0.0] as [JSONValue])
    func `every spelling of an unknown year means absent`(spelling: JSONValue) throws {
        #expect(try Artists().normalized(["name": "X", "yearFormed": spelling])["yearFormed"] == nil)
        #expect(try Artists().validated(["name": "X", "yearFormed": spelling])["yearFormed"] == nil)
    }

    @Test(arguments: [("1965", 1965), (1965, 1965), (1965.0, 1965), ("-44", -44)] as [(JSONValue, Int64)])
    func `what apps write for a year is understood where it is certain`(written: JSONValue, year: Int64) throws {
        #expect(try Artists().normalized(["name": "X", "yearFormed": written])["yearFormed"] == .integer(year))
    }

    @Test(arguments: ["1965a", "19 65", "MCMLXV", "1965.5"])
    func `a year that means nothing is not guessed`(text: String) {
        #expect { try Artists().normalized(["name": "X", "yearFormed": .string(text)]) } throws: {
            ($0 as? Defect)?.code == .unreadableRecord
        }
    }

    @Test func `an artist's node has no other keys than its fields`() {
        #expect(Artists().identityFields(RecordID.random()).isEmpty)
    }
}
