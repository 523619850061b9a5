import PluginKit
import SyncModel
import TestSupport
import Testing

@testable import Firebase

@Suite struct StoragePlaceTests {
    private func place(_ url: String, bucket: String? = nil) throws -> StoragePlace? {
        StoragePlace(try DatabaseLocation(FirebaseSettings(url: url)), bucket: bucket)
    }

    @Test func `Firebase keeps pictures where a bucket is named, and a hub itself`() throws {
        let google = "https://demo-default-rtdb.firebaseio.com"
        #expect(try place(google) == nil)
        #expect(try place("https://demo.europe-west1.firebasedatabase.app") == nil)
        #expect(
            try place(google, bucket: "demo.appspot.com")?.upload("profiles/anna.jpg")
                == "https://firebasestorage.googleapis.com/v0/b/demo.appspot.com/o?name=profiles%2Fanna.jpg")
        #expect(
            try place("http://127.0.0.1:9000")?.download("profiles/ä b.jpg", token: "t")
                == "http://127.0.0.1:9000/v0/b/moviesync/o/profiles%2F%C3%A4%20b.jpg?alt=media&token=t")
    }

    @Test func `what others get is called as they reach it`() throws {
        let location = try DatabaseLocation(FirebaseSettings(url: "http://127.0.0.1:9000"))
        let place = try #require(StoragePlace(location, bucket: nil, shown: "https://films.home:9000"))
        let address = place.download("a.jpg", token: "t")
        #expect(address == "https://films.home:9000/v0/b/moviesync/o/a.jpg?alt=media&token=t")
        #expect(place.own(address) == "http://127.0.0.1:9000/v0/b/moviesync/o/a.jpg?alt=media&token=t")
        #expect(place.upload("a.jpg").hasPrefix("http://127.0.0.1:9000/"))
    }

    static let own = "http://hub:9000/v0/b/moviesync/o/profiles%2Fanna.jpg?alt=media"
    static let named: [(String, String?)] = [
        ("http://hub:9000/v0/b/moviesync/o/profiles%2Fanna.jpg?alt=media&token=t", own + "&token=t"),
        ("https://127.0.0.1/v0/b/other/o/profiles%2Fanna.jpg?token=a%26b&alt=media#x", own + "&token=a%26b"),
        ("https://evil.example:81/v0/b/b/o/profiles%2Fanna.jpg", own),
        ("http://user:pass@hub/v0/b/b/o/profiles%2Fanna.jpg", own),
        (
            "http://hub:9000/v0/b/moviesync/o/..%2F..%2Fmovies.json?token=t",
            "http://hub:9000/v0/b/moviesync/o/..%2F..%2Fmovies.json?alt=media&token=t"
        ),
        ("http://hub:9000/v0/b/b/o/", nil), ("http://hub:9000/v0/b/b/o/a/b", nil), ("http://hub:9000/movies.json", nil),
        ("http://hub:9000/v0/b/b/p/a", nil), ("http://hub:9000/v0/b/b/o/a%0D%0Ab", nil), ("file:///v0/b/b/o/a", nil),
        ("ftp://hub/v0/b/b/o/a", nil), ("", nil), ("anna.jpg", nil),
        ("http://hub/v0/b/b/o/" + String(repeating: "a", count: 2000), nil),
        // Longer once it is escaped.
        ("http://hub/v0/b/b/o/" + String(repeating: "[", count: 900), nil),
    ]

    @Test(arguments: named)
    func `an address names a place in the own storage, and its host is never asked`(
        address: String, own: String?
    ) throws {
        let storage = try #require(try place("http://hub:9000"))
        #expect(storage.own(address) == own)
        // What was made of an address stays what it is.
        if let own { #expect(storage.own(own) == own) }
    }
}
