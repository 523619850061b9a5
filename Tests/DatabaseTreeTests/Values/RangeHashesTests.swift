import Crypto
import FirebaseWire
import Foundation
import SyncModel
import TestSupport
import Testing

@testable import DatabaseTree

/// The hashes of ranges, and what follows from them, as the client libraries for phones make and take them.
struct RangeHashesTests {
    private static func node(_ body: String) throws -> Node? {
        let body = try Array(body.utf8).withUnsafeBufferPointer { try PutBody($0, depth: 0) }
        return body.value.canonicalText.map { Node(canonical: $0) }
    }

    private static func hash(_ text: String) -> String {
        text.isEmpty ? "" : Data(Insecure.SHA1.hash(data: Data(text.utf8))).base64EncodedString()
    }

    private static func ranges(_ posts: [String], _ texts: [String]) throws -> RangeHashes {
        try #require(RangeHashes(posts: posts.map { try WirePath(parsing: $0) }, hashes: texts.map(hash)))
    }

    private static func told(_ merges: [RangeMerge]) -> [String] {
        merges.map { merge in
            let text = merge.node.map { String(decoding: $0.text, as: UTF8.self) } ?? "null"
            return "\(merge.after?.text ?? "*")..\(merge.end?.text ?? "*") \(text)"
        }
    }

    /// A place, the posts, and what is hashed for the range that ends with each, as the tests of Firebase's libraries
    /// have it.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var body: String
        var posts: [String]
        var texts: [String]
    }

    static let cases = [
        Case(testDescription: "nothing", body: "null", posts: [], texts: [""]),
        Case(
            testDescription: "a leaf", body: #"{"foo":"bar"}"#, posts: ["foo"], texts: [#"("foo":(string:"bar"))"#, ""]),
        Case(testDescription: "a leaf alone", body: "-2.5", posts: [""], texts: ["(number:c004000000000000)", ""]),
        Case(
            testDescription: "all types", body: #"{"a":true,"b":1,"c":"x"}"#, posts: ["c"],
            texts: [#"("a":(boolean:true),"b":(number:3ff0000000000000),"c":(string:"x"))"#, ""]),
        Case(
            testDescription: "numbers first", body: #"{"1":"one","2":"two","10":"ten"}"#, posts: ["2", "10"],
            texts: [#"("1":(string:"one"),"2":(string:"two"))"#, #"("10":(string:"ten"))"#, ""]),
        Case(
            testDescription: "an end between two children", body: #"{"bar":{"deep":"v"},"foo":{"other":"v"}}"#,
            posts: ["bar/deep", "foo/other"],
            texts: [#"("bar":("deep":(string:"v")))"#, #"("foo":("other":(string:"v")))"#, ""]),
        Case(
            testDescription: "an end inside of a child", body: #"{"a":{"b":"1","c":"2"},"d":"3"}"#,
            posts: ["a/b", "d"],
            texts: [#"("a":("b":(string:"1")))"#, #"("a":("c":(string:"2")),"d":(string:"3"))"#, ""]),
        Case(
            testDescription: "no end between two children", body: #"{"bar":{"deep":"v"},"foo":{"other":"v"}}"#,
            posts: ["foo/other"], texts: [#"("bar":("deep":(string:"v")),"foo":("other":(string:"v")))"#, ""]),
        Case(
            testDescription: "quotes", body: #"{"\"":"\\","\"\\":"\"\\"}"#, posts: [#""\"#],
            texts: [#"("\"":(string:"\\"),"\"\\":(string:"\"\\"))"#, ""]),
        Case(
            testDescription: "a quote with a mark that joins", body: #"{"\"\#u{301}":"x"}"#, posts: ["\"\u{301}"],
            texts: [#"("\"\#u{301}":(string:"x"))"#, ""]),
    ]

    @Test(arguments: cases) func `who has all is told nothing`(_ given: Case) throws {
        let merges = try Self.ranges(given.posts, given.texts).merges(of: Self.node(given.body))
        #expect(Self.told(merges) == [])
    }

    @Test(arguments: cases) func `each hash is looked at`(_ given: Case) throws {
        for index in given.texts.indices {
            var texts = given.texts
            texts[index] += "x"
            let merges = try Self.ranges(given.posts, texts).merges(of: Self.node(given.body))
            #expect(merges.count == 1)
            #expect(merges.first?.end?.text == (index < given.posts.count ? given.posts[index] : nil))
        }
    }

    @Test func `only ranges that differ are told, neighbours as one`() throws {
        let texts = [#"("a":(string:"1"))"#, "old", "older", #"("e":(string:"5"))"#, ""]
        let body = #"{"a":"1","b":{"x":"2","y":"3"},"e":"5","f":"6"}"#
        let merges = try Self.ranges(["a", "b/x", "d", "e"], texts).merges(of: Self.node(body))
        #expect(Self.told(merges) == [#"a..d {"b":{"x":"2","y":"3"}}"#, #"e..* {"f":"6"}"#])
        let inside = try Self.ranges(["b/x"], [#"("a":(string:"1"),"b":("x":(string:"2")))"#, ""])
        #expect(try Self.told(inside.merges(of: Self.node(body))) == [#"b/x..* {"b":{"y":"3"},"e":"5","f":"6"}"#])
        #expect(Self.told(inside.merges(of: nil)) == ["*..b/x null"])
    }

    @Test func `what is no list of ranges is none`() throws {
        let paths = try ["b", "a", "a/b", "000000000001"].map { try WirePath(parsing: $0) }
        #expect(RangeHashes(posts: [paths[0]], hashes: ["x"]) == nil)
        #expect(RangeHashes(posts: [paths[0], paths[1]], hashes: ["x", "y", ""]) == nil)
        #expect(RangeHashes(posts: [paths[0], paths[0]], hashes: ["x", "y", ""]) == nil)
        #expect(RangeHashes(posts: [paths[2], paths[1]], hashes: ["x", "y", ""]) == nil)
        #expect(RangeHashes(posts: [paths[3]], hashes: ["x", ""]) == nil)
        #expect(RangeHashes(posts: [paths[1], paths[2], paths[0]], hashes: ["x", "y", "z", ""]) != nil)
    }

    @Test func `a key whose place is not the same everywhere makes the whole be told`() throws {
        let merges = try Self.ranges(["a"], ["old", ""]).merges(of: Self.node(#"{"000000000001":1,"a":1}"#))
        #expect(merges.map(\.isWhole) == [true])
    }

    // MARK: Any trees

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `whoever takes in what is told has what is there, and is told nothing that is the same`(_ seed: UInt64) throws
    {
        var random = SeededRandom(seed)
        let mine = PhoneTree.random(depth: 3, &random)
        var its = mine
        for _ in 0..<random.below(5) { its.change(&random) }
        let known = mine.compound(upTo: 1 + random.below(400))
        let ranges = try #require(RangeHashes(posts: known.posts.map { WirePath($0) }, hashes: known.hashes))
        let merges = ranges.merges(of: try its.node)
        var heard = mine
        for merge in merges {
            heard = heard.taking(PhoneTree(merge.node), after: merge.after?.keys, end: merge.end?.keys, at: [])
        }
        #expect(heard == its)
        // Every range that is told has a leaf that only one of them has, or has otherwise.
        for merge in merges {
            let (old, new) = (mine.leaves(merge), its.leaves(merge))
            #expect(old != new)
            #expect(PhoneTree(merge.node).leaves(nil) == new)
        }
        #expect(merges.isEmpty == (mine == its))
    }

    @Test func `a large place is told in the ranges that have changed`() throws {
        var mine: [WireKey: PhoneTree] = [:]
        for number in 0..<3000 {
            let film = [WireKey(unchecked: "n"): PhoneTree(leaf: .integer(Int64(number)))]
            mine[WireKey(unchecked: number % 3 == 0 ? "\(number)" : "k\(number)")] = PhoneTree(children: film)
        }
        let known = PhoneTree(children: mine).compound(upTo: 3000)
        let ranges = try #require(RangeHashes(posts: known.posts.map { WirePath($0) }, hashes: known.hashes))
        #expect(try ranges.merges(of: PhoneTree(children: mine).node).isEmpty)
        mine[WireKey(unchecked: "k1501")] = nil
        mine[WireKey(unchecked: "30")] = PhoneTree(leaf: .string("new"))
        let merges = ranges.merges(of: try PhoneTree(children: mine).node)
        #expect(merges.count == 2)
        #expect(merges.reduce(0) { $0 + PhoneTree($1.node).leaves(nil).count } < 300)
    }
}
