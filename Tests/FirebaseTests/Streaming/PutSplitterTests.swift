import EventStream
import JSONText
import SyncModel
import TestSupport
import Testing

@testable import Firebase

@Suite struct PutSplitterTests {
    private func parts(of text: String, pieces: [Int], limit: Int = 1 << 20) throws -> [PutSplitter.Part] {
        var splitter = PutSplitter(limit: limit)
        var parts: [PutSplitter.Part] = []
        for piece in Pieces(Array(text.utf8), sizes: pieces) { try splitter.read(piece) { parts.append($0) } }
        try splitter.end { parts.append($0) }
        return parts
    }

    private static func text(_ text: String) -> JSONExcerpt { .text(Array(text.utf8)) }

    private static func object(_ children: (String, String)...) -> [PutSplitter.Part] {
        [.opened(isArray: false)] + children.map { .child(key: $0, text($1)) } + [.closed]
    }

    static let readable: [(String, [PutSplitter.Part])] = [
        (#"{"path":"/","data":{}}"#, object()),
        (#"{"path":"/","data":{"A":{"t":1},"B":{"t":2}}}"#, object(("A", #"{"t":1}"#), ("B", #"{"t":2}"#))),
        (
            #"{"path":"/","data":{"A":1,"B":"x","C":null,"D":[1,2]}}"#,
            object(("A", "1"), ("B", #""x""#), ("C", "null"), ("D", "[1,2]"))
        ),
        (
            " {\n\"path\" : \"/\" ,\t\"data\" : { \"A\" : { \"t\" : 1 } , \"B\" : 2 } } \n",
            object(("A", #"{ "t" : 1 }"#), ("B", "2"))
        ),
        (
            #"{"path":"/","data":{"A":{"t":"}]{[\"\\"},"B":"a\"b"}}"#,
            object(("A", #"{"t":"}]{[\"\\"}"#), ("B", #""a\"b""#))
        ),
        (#"{"path":"/","data":{"\u0041\"\\\ud83c\udfac":1,"ü🎬":2}}"#, object(("A\"\\🎬", "1"), ("ü🎬", "2"))),
        (
            #"{"path":"/","data":[null,{"t":[{}]},3]}"#,
            [
                .opened(isArray: true), .child(key: "0", text("null")), .child(key: "1", text(#"{"t":[{}]}"#)),
                .child(key: "2", text("3")), .closed,
            ]
        ),
        (#"{"path":"/","data":[]}"#, [.opened(isArray: true), .closed]),
        (#"{"path":"/","data":null}"#, [.value(path: "/", text("null"))]),
        (#"{"path":"/","data":-1.5e3}"#, [.value(path: "/", text("-1.5e3"))]),
        (#"{"path":"\/","data":"x,}"}"#, [.value(path: "/", text(#""x,}""#))]),
        (#"{"path":"/KEY","data":{"a":{"b":1}}}"#, [.value(path: "/KEY", text(#"{"a":{"b":1}}"#))]),
        (#"{"path":"/KEY/a","data":true}"#, [.value(path: "/KEY/a", text("true"))]),
        (#"{"data":{"A":{"t":1},"B":2},"path":"/"}"#, object(("A", #"{"t":1}"#), ("B", "2"))),
        (#"{"data":[1],"path":"/"}"#, [.opened(isArray: true), .child(key: "0", text("1")), .closed]),
        (#"{"data":null,"path":"/"}"#, [.value(path: "/", text("null"))]),
        (#"{"data":{"a":1},"path":"/KEY"}"#, [.value(path: "/KEY", text(#"{"a":1}"#))]),
        (#"{"extra":{"path":"no"},"path":"/","more":[1],"data":{"A":1},"end":"}"}"#, object(("A", "1"))),
        (#"{"path":"/"}"#, []),
    ]

    @Test(arguments: readable)
    func `the parts are the same wherever the bytes are cut`(text: String, expected: [PutSplitter.Part]) throws {
        for pieces in [[text.utf8.count], [1], [2], [3, 1], [7, 5, 2]] {
            #expect(try parts(of: text, pieces: pieces) == expected, "pieces of \(pieces)")
        }
    }

    @Test(arguments: [
        "", "null", "[]", "{", #"{"path":"/","data":{"A":1}"#, #"{"path":"/","data":{"A":1}}}"#,
        #"{"path":"/","data":{"A" 1}}"#, #"{"path":"/","data":{"A":}}"#, #"{"path":"/","data":{,}}"#,
        #"{"path":"/","data":{"A":1,}}"#, #"{"path":"/","data":{"A":1]}"#, #"{"path":"/","data":[1}}"#,
        #"{"path":"/","data":[1,]}"#, #"{"path":"/","data":{A:1}}"#, #"{"path":7,"data":{}}"#,
        #"{"path":"/","data":{"\u12":1}}"#, #"{"data":{}}"#, #"{"path":"/","data":}"#, #"{"path":"/" "data":{}}"#,
    ])
    func `what is no event is an error`(text: String) {
        #expect(throws: EventStreamError.self) { try parts(of: text, pieces: [text.utf8.count + 1]) }
        #expect(throws: EventStreamError.self) { try parts(of: text, pieces: [1]) }
    }

    @Test func `a child over the limit is told by its size and costs no other`() throws {
        let long = #"{"t":""# + String(repeating: "x", count: 100) + #""}"#
        let text = #"{"path":"/","data":{"A":{"t":1},"B":\#(long),"C":2}}"#
        for pieces in [[text.utf8.count], [1], [9]] {
            #expect(
                try parts(of: text, pieces: pieces, limit: 50) == [
                    .opened(isArray: false), .child(key: "A", Self.text(#"{"t":1}"#)),
                    .child(key: "B", .tooLong(bytes: long.utf8.count)), .child(key: "C", Self.text("2")), .closed,
                ])
        }
    }

    @Test func `a child is handed out before the rest has come`() throws {
        var splitter = PutSplitter()
        var parts: [PutSplitter.Part] = []
        try splitter.read(Array(#"{"path":"/","data":{"A":{"t":1},"B"#.utf8)[...]) { parts.append($0) }
        #expect(parts == [.opened(isArray: false), .child(key: "A", Self.text(#"{"t":1}"#))])
    }

    @Test(arguments: 0..<200)
    func `children are what a reader of the whole text finds`(seed: Int) throws {
        var random = SeededRandom(UInt64(seed))
        let members = Dictionary(
            (0..<Int.random(in: 0...6, using: &random)).map { _ in
                (JSONValue.randomText(&random), JSONValue.random(&random, depth: 3))
            }, uniquingKeysWith: { $1 })
        let text = #"{"path":"/","data":"# + JSONWriter.string(.object(members)) + "}"
        let sizes = (0..<8).map { _ in Int.random(in: 1...40, using: &random) }
        var found: [String: JSONValue] = [:]
        for case .child(let key, .text(let excerpt)) in try parts(of: text, pieces: sizes) {
            found[key] = try JSONReader.value(excerpt)
        }
        #expect(found == members)
        #expect(try parts(of: text, pieces: sizes) == parts(of: text, pieces: [text.utf8.count]))
    }
}

extension JSONValue {
    static func randomText(_ random: inout SeededRandom) -> String {
        let characters: [Character] = [
            "a", "B", "7", "\"", "\\", "{", "}", "[", "]", ",", ":", " ", "\n", "ü", "🎬", "\u{1}",
        ]
        return String(
            (0..<Int.random(in: 1...8, using: &random)).map { _ in
                characters[Int.random(in: 0..<characters.count, using: &random)]
            })
    }

    static func random(_ random: inout SeededRandom, depth: Int) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .integer(Int64.random(in: -1000...1000, using: &random))
        case 3: return .number(Double(Int64.random(in: -1000...1000, using: &random)) + 0.5)
        case 4: return .string(randomText(&random))
        case 5:
            return .array((0..<Int.random(in: 0...4, using: &random)).map { _ in .random(&random, depth: depth - 1) })
        default:
            let pairs = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                (randomText(&random), JSONValue.random(&random, depth: depth - 1))
            }
            return .object(Dictionary(pairs, uniquingKeysWith: { $1 }))
        }
    }
}
