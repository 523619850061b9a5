import Movies
import PluginConformance
import PluginKit
import SyncModel
import Testing

struct MoviesTests {
    static let alien: [String: JSONValue] = [
        "title": "Alien", "hasWatched": true, "year": 1979, "tmdbID": 348, "note": ["by": "Ridley"],
    ]

    @Test func `keeps the promises of a collection`() {
        let broken = CollectionConformance.run(
            Movies(),
            CollectionSamples(
                accepted: [Self.alien, ["title": "Alien"], ["title": " Alien ", "hasWatched": nil]],
                refused: [
                    [:], ["hasWatched": true], ["title": nil], ["title": ""], ["title": " \t"], ["title": 7],
                    ["title": "Alien", "hasWatched": 1], ["title": "Alien", "hasWatched": "true"],
                    ["title": "Alien", "year": "1979"], ["title": "Alien", "tmdbID": 1.5],
                ],
                foreign: [
                    ["title": "Alien"], ["title": "Alien", "hasWatched": "YES"], ["title": "Alien", "hasWatched": 0],
                ],
                unreadable: [
                    [:], ["title": 1979], ["title": "Alien", "hasWatched": 2],
                    ["title": "Alien", "hasWatched": "maybe"], ["title": "Alien", "hasWatched": [true]],
                ]
            ))
        #expect(broken == [])
    }

    @Test func `says what others need to know of its fields`() {
        #expect(
            Movies().schema
                == CollectionSchema(
                    name: "movies", titleField: "title", columns: ["title", "year", "hasWatched"],
                    defaults: ["hasWatched": false], textFields: ["title"], identityFields: ["identifier"]))
    }

    @Test func `a film that nobody has watched yet says so`() throws {
        #expect(try Movies().validated(["title": "Alien"]) == ["title": "Alien", "hasWatched": false])
        #expect(try Movies().normalized(["title": "Alien"]) == ["title": "Alien", "hasWatched": false])
    }

    @Test func `spaces around a title are the writer's business`() throws {
        #expect(try Movies().validated(["title": " Alien "])["title"] == " Alien ")
    }

    @Test(
        arguments: [
            (true, true), (false, false), (1, true), (0, false), (1.0, true), (0.0, false), ("true", true),
            ("FALSE", false), ("1", true), ("0", false), ("yes", true), ("No", false), ("", false), (nil, false),
        ] as [(JSONValue, Bool)])
    func `what apps write for a Bool is understood where it is certain`(written: JSONValue, truth: Bool) throws {
        #expect(try Movies().normalized(["title": "Alien", "hasWatched": written])["hasWatched"] == .bool(truth))
    }

    @Test func `whole numbers are integers however they are spelled`() throws {
        let checked = try Movies().validated(["title": "Alien", "year": 1979.0])
        #expect(checked["year"] == .integer(1979))
    }

    @Test(
        arguments: [
            ([:], Defect.Code.missingKey), (["title": ""], .invalidValue), (["title": [1]], .invalidValue),
            (["title": "A", "hasWatched": 1], .invalidValue), (["title": "A", "year": true], .invalidValue),
        ] as [([String: JSONValue], Defect.Code)])
    func `a refusal has the code of its cause`(fields: [String: JSONValue], code: Defect.Code) {
        #expect { try Movies().validated(fields) } throws: { ($0 as? Defect)?.code == code }
    }

    @Test func `the identifier is the key in upper case`() {
        let id = RecordID("6f9619ff-8b86-4011-b42d-00c04fc964ff")
        let identifying = id.map { Movies().identityFields($0) }
        #expect(identifying == ["identifier": "6F9619FF-8B86-4011-B42D-00C04FC964FF"])
    }
}
