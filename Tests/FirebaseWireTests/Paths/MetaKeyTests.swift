import FirebaseWire
import Testing

struct MetaKeyTests {
    @Test(arguments: [
        ("movies", "movies"), ("/movies/", "movies"), ("shared/movies", "shared%2Fmovies"), ("100%", "100%25"),
        ("a%2Fb", "a%252Fb"), ("7", "%37"), ("7/8", "7%2F8"), ("", "%root"), ("Filme für alle", "Filme für alle"),
        ("/\u{301}x/", "\u{301}x"),
    ])
    func `a base has a key that is legal`(base: String, key: String) {
        #expect(MetaKey.of(base: base) == key)
        #expect(WireKey.isLegal(key))
    }

    @Test func `no two bases have one key`() {
        let long = Array(repeating: String(repeating: "x", count: 768), count: 28).joined(separator: "/")
        let bases = [
            "", "movies", "shared/movies", "shared%2Fmovies", "%root", "a/b/c", "a%/b", "a/%b", "7", "%37", long,
            long + "y",
        ]
        let keys = bases.map(MetaKey.of(base:))
        #expect(Set(keys).count == bases.count)
        #expect(keys.allSatisfy { WireKey.isLegal($0) })
    }
}
