import DatabaseTree
import FirebaseWire
import JSONText
import SyncModel
import Testing

@testable import DatabaseServer

struct SocketQueryTests {
    /// A query as a client library writes it, and the keys that it selects.
    struct Case: CustomTestStringConvertible, Sendable {
        var query: String
        var keys: String
        var testDescription: String { query }
    }

    static let data = #"{"a":{"n":1},"b":{"n":2},"c":{"n":2},"d":{"n":3},"e":{"m":1}}"#

    static let cases = [
        Case(query: "{}", keys: "abcde"), Case(query: "null", keys: "abcde"),
        Case(query: #"{"i":".key","sp":"b","sin":true}"#, keys: "bcde"),
        Case(query: #"{"i":".key","sp":"b","sin":false}"#, keys: "cde"),
        Case(query: #"{"i":".key","ep":"b","sn":"[MIN_NAME]","en":"[MAX_NAME]"}"#, keys: "ab"),
        Case(query: #"{"i":".key","ep":"c","ein":false,"l":1,"vf":"r"}"#, keys: "b"),
        Case(query: #"{"i":".key","sp":null,"l":2,"vf":"l"}"#, keys: "ab"),
        Case(query: #"{"i":"n","sp":2,"sin":true}"#, keys: "bcd"),
        Case(query: #"{"i":"n","sp":2,"sn":"[MAX_NAME]","sin":false}"#, keys: "d"),
        Case(query: #"{"i":"n","sp":2,"sn":"[MAX_KEY]"}"#, keys: "d"),
        Case(query: #"{"i":"n","ep":2,"en":"[MAX_KEY]"}"#, keys: "abce"),
        Case(query: #"{"i":"n","sp":2,"sn":"b","sin":false}"#, keys: "cd"),
        Case(query: #"{"i":"n","sp":2,"sn":"c","sin":true}"#, keys: "cd"),
        Case(query: #"{"i":"n","sp":2,"sn":"[MIN_NAME]","sin":true,"ep":2,"en":"[MAX_NAME]","ein":true}"#, keys: "bc"),
        Case(query: #"{"i":"n","sp":2,"sin":true,"ep":2,"ein":true}"#, keys: "bc"),
        Case(query: #"{"i":"n","ep":2,"en":"[MIN_NAME]","ein":false}"#, keys: "ae"),
        Case(query: #"{"i":"n","sp":null,"sin":true,"ep":null,"ein":true}"#, keys: "e"),
        Case(query: #"{"i":"n","l":2}"#, keys: "cd"), Case(query: #"{"i":"n","l":2,"sp":2}"#, keys: "bc"),
        Case(query: #"{"i":"n","l":2,"sp":2,"vf":"r"}"#, keys: "cd"),
        Case(query: #"{"l":2,"vf":"l"}"#, keys: "ab"), Case(query: #"{"i":".priority","l":1,"vf":"r"}"#, keys: "e"),
        Case(query: #"{"i":".value","l":1,"vf":"l"}"#, keys: "a"),
    ]

    @Test(arguments: cases) func `a query selects what the client library means`(_ test: Case) throws {
        let query = try SocketQuery.query(try JSONReader.value(Array(test.query.utf8)))
        let node = Node(canonical: Array(SocketQueryTests.data.utf8))
        let keys = query.map { node.selected(by: $0).map(\.key.text).sorted().joined() } ?? "abcde"
        #expect(keys == test.keys)
    }

    @Test(arguments: [
        #"7"#, #"[]"#, #"{"i":7}"#, #"{"i":""}"#, #"{"i":"a.b"}"#, #"{"l":0}"#, #"{"l":1.5}"#, #"{"l":"1"}"#,
        #"{"l":99999999999}"#, #"{"l":1,"vf":"x"}"#, #"{"i":".key","sp":1}"#, #"{"i":"n","sp":{}}"#, #"{"sp":true}"#,
        #"{"i":"n","sp":1,"sn":7}"#, #"{"i":"n","sp":1,"sn":"a/b"}"#,
    ])
    func `what is no query is refused`(_ text: String) throws {
        let value = try JSONReader.value(Array(text.utf8))
        #expect(throws: Refusal.self) { try SocketQuery.query(value) }
    }
}
