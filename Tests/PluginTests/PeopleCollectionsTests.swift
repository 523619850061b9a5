import DeclaredCollections
import PluginConformance
import PluginKit
import SyncModel
import Testing

struct PeopleCollectionsTests {
    static let samples: [String: CollectionSamples] = [
        "favourites": CollectionSamples(
            accepted: [
                ["uid": "anna", "film": "348", "title": "Alien", "poster_path": "/p.jpg", "vote_average": 8.1],
                ["uid": "anna", "film": "348", "title": "Alien"],
            ],
            refused: [
                ["uid": "anna", "film": "348"], ["film": "348", "title": "Alien"],
                ["uid": "", "film": "348", "title": "A"],
            ],
            foreign: [["uid": "anna", "film": "348", "title": "Alien", "id": "348"]],
            unreadable: [["uid": "anna", "film": 348, "title": "Alien"]]),
        "reviews": CollectionSamples(
            accepted: [["film": "348", "uid": "anna", "text": "Good", "rating": 10, "name": "Anna", "at": 1]],
            refused: [
                ["film": "348", "uid": "anna", "text": " "], ["film": "348", "uid": "anna", "text": "x", "rating": 11],
                ["film": "348", "uid": "anna", "text": .string(String(repeating: "x", count: 5001))],
            ],
            foreign: [["film": "348", "uid": "anna", "text": "Good", "rating": "7"]]),
        "votes": CollectionSamples(
            accepted: [["film": "348", "author": "anna", "uid": "bob", "vote": -1]],
            refused: [
                ["film": "348", "author": "anna", "uid": "bob", "vote": 0],
                ["film": "348", "author": "anna", "uid": "bob"],
            ]),
        "profiles": CollectionSamples(
            accepted: [["uid": "anna", "name": "Anna", "genre": "horror"]], refused: [["uid": "anna"]]),
    ]

    @Test(arguments: PeopleCollections.all.map(\.id.name))
    func `keeps the promises of a collection`(name: String) throws {
        let plugin = try #require(PeopleCollections.all.first { $0.id.name == name })
        let samples = try #require(Self.samples[name])
        #expect(CollectionConformance.run(plugin, samples) == [])
        #expect(plugin.key.isKeyed && !plugin.isEnabledByDefault && plugin.declarationDigest == nil)
        for fields in samples.accepted {
            let key = try plugin.key.key(of: fields)
            #expect(plugin.key.fields(of: key)?.allSatisfy { fields[$0.key] == $0.value } == true)
        }
    }
}
