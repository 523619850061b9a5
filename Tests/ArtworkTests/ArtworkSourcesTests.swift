import Catalogs
import ControlAPI
import PluginKit
import Testing

@testable import Artwork

struct ArtworkSourcesTests {
    private let sources = ArtworkSources(BuiltInCatalogs.all.map(\.description), places: [:])

    private func plan(_ key: String, width: Int = 342) -> ArtworkPlan? { try? sources.plan(for: key, width: width) }

    private func refusal(_ key: String) -> String? {
        do throws(ControlError) {
            _ = try sources.plan(for: key, width: 342)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: [(1, "w92"), (92, "w92"), (93, "w154"), (342, "w342"), (780, "w780"), (781, "original")])
    func `a source with sizes is asked for the smallest that will do`(width: Int, word: String) {
        let url = "https://image.tmdb.org/t/p/\(word)/abc.jpg"
        let original = "https://image.tmdb.org/t/p/original/abc.jpg"
        for key in ["tmdb:/abc.jpg", "https://image.tmdb.org/t/p/w500/abc.jpg", "tmdb:" + original] {
            #expect(plan(key, width: width) == ArtworkPlan(source: url, host: "image.tmdb.org", place: nil, width: nil))
        }
    }

    @Test func `of others the one picture that there is is scaled`() {
        let url = "https://m.media-amazon.com/images/M/x._V1_SX300.jpg"
        let expected = ArtworkPlan(source: url, host: "m.media-amazon.com", place: nil, width: 200)
        #expect(plan(url, width: 200) == expected && plan("omdb:" + url, width: 200) == expected)
    }

    @Test func `where the operator wants it, another place is asked, by the same path`() throws {
        let moved = ArtworkSources(BuiltInCatalogs.all.map(\.description), places: ["tmdb": "http://127.0.0.1:1/x"])
        let plan = try moved.plan(for: "tmdb:/abc.jpg", width: 100)
        #expect(plan.place == "http://127.0.0.1:1/x/t/p/w154/abc.jpg")
        #expect(plan.source == "https://image.tmdb.org/t/p/w154/abc.jpg")
    }

    @Test(arguments: [
        ("https://example.org/x.jpg", "hostNotAllowed"), ("tmdb:https://m.media-amazon.com/x.jpg", "hostNotAllowed"),
        ("https://127.0.0.1/x.jpg", "hostNotAllowed"), ("http://image.tmdb.org/t/p/w92/x.jpg", "badRequest"),
        ("https://image.tmdb.org@evil.example/x.jpg", "badRequest"), ("https://image.tmdb.org:99/x.jpg", "badRequest"),
        ("tmdb:/../x.jpg", "badRequest"), ("tmdb:/x y.jpg", "badRequest"), ("omdb:/x.jpg", "badRequest"),
        ("nowhere:/x.jpg", "badRequest"), ("", "badRequest"), ("/etc/passwd", "badRequest"),
        ("file:///etc/passwd", "badRequest"),
    ])
    func `nothing else is fetched`(key: String, code: String) { #expect(refusal(key) == code) }
}
