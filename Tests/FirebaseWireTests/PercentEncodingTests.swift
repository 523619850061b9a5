import FirebaseWire
import SyncModel
import Testing

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("", "/.json"), ("/", "/.json"), ("movies", "/movies.json"), ("/a//b/", "/a/b.json"),
        ("movies/6F9619FF-8B86-4011-B42D-00C04FC964FF", "/movies/6F9619FF-8B86-4011-B42D-00C04FC964FF.json"),
        ("a b/ü/50%?#&+", "/a%20b/%C3%BC/50%25%3F%23%26%2B.json"), ("🎬", "/%F0%9F%8E%AC.json"),
    ])
    func `a node's path is percent-encoded key by key`(path: String, expected: String) {
        #expect(URLPath.resource(path) == expected)
    }

    @Test(arguments: [(#""$key""#, "%22%24key%22"), ("a/b", "a%2Fb"), ("-._~09AZaz", "-._~09AZaz"), ("", "")])
    func `a query value stands for itself`(text: String, expected: String) {
        #expect(PercentEncoding.encoded(text) == expected)
        #expect(PercentEncoding.decoded(expected[...]) == text)
    }

    @Test(arguments: ["%", "%4", "%zz", "a%C3", "%FF"])
    func `a broken escape, or one of half a character, is no text`(text: String) {
        #expect(PercentEncoding.decoded(text[...]) == nil)
    }

    @Test func `a plus is a space in query strings alone`() {
        #expect(PercentEncoding.decoded("a+b%2B") == "a+b+")
        #expect(PercentEncoding.decoded("a+b%2B", plusIsSpace: true) == "a b+")
    }
}
