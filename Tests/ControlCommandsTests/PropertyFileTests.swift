import FoundationEssentials
import JSONText
import SyncModel
import Testing

@testable import ControlCommands

struct PropertyFileTests {
    private static let artists: JSONValue = [
        ["name": "Pink Floyd", "yearFormed": 1965, "biography": "<b>&amp; \u{1F600}"],
        ["name": "John Williams", "yearFormed": nil, "biography": nil, "solo": true, "rank": 0.5],
    ]

    @Test(arguments: PropertyFile.Format.allCases)
    func `what is written is read back, but for what is not known`(_ format: PropertyFile.Format) throws {
        let text = try PropertyFile.text(PropertyFileTests.artists, as: format)
        let known: JSONValue = [
            ["name": "Pink Floyd", "yearFormed": 1965, "biography": "<b>&amp; \u{1F600}"],
            ["name": "John Williams", "solo": true, "rank": 0.5],
        ]
        let expected = format == .json ? PropertyFileTests.artists : known
        #expect(try PropertyFile.value(of: text, name: "a") == expected)
        #expect(try PropertyFile.value(of: Array("\u{FEFF}\n".utf8) + text, name: "a") == expected)
    }

    @Test func `a property list holds no control characters`() throws {
        let value: JSONValue = [["name": "A\u{1}B"]]
        let failure = #expect(throws: CommandFailure.self) { try PropertyFile.text(value, as: .plist) }
        #expect(failure?.code == .badData)
        #expect(try PropertyFile.value(of: PropertyFile.text(value, as: .json), name: "a") == value)
    }

    @Test func `a property list holds no null in an array, and JSON does`() throws {
        for value in [["name": "A", "years": [1, nil]], [nil], [["deep": ["years": [[nil]]]]]] as [JSONValue] {
            let failure = #expect(throws: CommandFailure.self) { try PropertyFile.text(value, as: .plist) }
            #expect(failure?.code == .badData && failure?.message.contains("write JSON instead") == true)
            #expect((failure?.message.contains("years") == true) == (value != [nil]))
            #expect(try PropertyFile.value(of: PropertyFile.text(value, as: .json), name: "a") == value)
        }
    }

    @Test func `a carriage return is one for every reader of XML`() throws {
        let value: JSONValue = ["a\rb": "one\rtwo\r\nthree"]
        let text = try PropertyFile.text(value, as: .plist)
        #expect(!text.contains(UInt8(ascii: "\r")))
        #expect(String(decoding: text, as: UTF8.self).contains("one&#13;two&#13;\nthree"))
        #expect(try PropertyFile.value(of: text, name: "a") == value)
    }

    @Test(arguments: ["nan", "inf", "-inf", "1e400"])
    func `what is no number is refused with its place`(_ real: String) {
        let member = "<key>r</key><array><real>\(real)</real></array>"
        let text = "<plist version=\"1.0\"><array><true/><dict>\(member)</dict></array></plist>"
        let failure = #expect(throws: CommandFailure.self) {
            try PropertyFile.value(of: Array(text.utf8), name: "a.plist")
        }
        #expect(failure?.code == .badData)
        #expect(failure?.message.hasPrefix("a.plist has ") == true, "\(failure?.message ?? "")")
        #expect(failure?.message.hasSuffix(" at element 2, r, element 1") == true, "\(failure?.message ?? "")")
    }

    private static func nested(_ levels: Int, _ inner: String = "") -> [UInt8] {
        let (begin, end) = (String(repeating: "<array>", count: levels), String(repeating: "</array>", count: levels))
        return Array("<plist version=\"1.0\">\(begin)\(inner)\(end)</plist>".utf8)
    }

    /// An array that is its own element, twice; and thirty arrays, each of which has the next one twice.
    private static let endless: [[UInt8]] = [
        binary([[0xA2, 0, 0]]),
        binary((0..<30).map { [0xA2, $0 + 1, $0 + 1] } + [[0xA0]]),
    ]

    private static func binary(_ objects: [[UInt8]]) -> [UInt8] {
        var (text, places) = (Array("bplist00".utf8), [UInt8]())
        for object in objects {
            places.append(UInt8(text.count))
            text += object
        }
        func number(_ value: Int) -> [UInt8] { Array(repeating: 0, count: 7) + [UInt8(value)] }
        return text + places + [0, 0, 0, 0, 0, 0, 1, 1] + number(objects.count) + number(0) + number(text.count)
    }

    @Test(arguments: [nested(66), nested(1_000), nested(200_000), Array(nested(200_000).dropLast(9))] + endless)
    func `what is nested without end is refused`(_ text: [UInt8]) {
        let failure = #expect(throws: CommandFailure.self) { try PropertyFile.value(of: text, name: "a.plist") }
        #expect(failure?.code == .badData)
        #expect(
            failure?.message.hasPrefix("a.plist has ") == true || failure?.message.hasPrefix("a.plist holds") == true)
    }

    @Test func `only what stands in each other is nesting`() throws {
        let flat = String(
            repeating: "<array/><dict></dict><!-- <array> --><string><![CDATA[<array>]]></string>", count: 99)
        let value = try PropertyFile.value(of: PropertyFileTests.nested(60, flat), name: "a")
        #expect(value.kind == "an array")
        #expect(XMLNesting.depth(of: Array("<?xml ?><!DOCTYPE plist><a><b/><c>x</c><!-- ".utf8)) == 2)
        #expect(XMLNesting.depth(of: "<a><b>".utf8.flatMap { [$0, 0] }) == 2)
        #expect(XMLNesting.depth(of: [0xEF, 0xBB, 0xBF] + Array("<a><b>".utf8)) == 2)
        #expect(XMLNesting.depth(of: Array("<".utf8)) == 0 && XMLNesting.depth(of: Array("<>".utf8)) == 1)
    }

    @Test func `a binary property list is read`() throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let text = Array(try encoder.encode(["348": true, "679": false]))
        #expect(try PropertyFile.value(of: text, name: "a") == ["348": true, "679": false])
    }

    @Test(arguments: [
        "", "name", #"[{"name":"A"}"#, "<plist", "<html></html>",
        "<plist version=\"1.0\"><date>2026-01-01T00:00:00Z</date></plist>",
    ])
    func `what is neither is refused with its name`(_ text: String) {
        let failure = #expect(throws: CommandFailure.self) {
            try PropertyFile.value(of: Array(text.utf8), name: "a.plist")
        }
        #expect(failure?.code == .badData)
        #expect(failure?.message.contains("a.plist") == true)
    }

    @Test(arguments: [("a.plist", PropertyFile.Format.plist), ("a.json", .json), ("-", .json), ("plist", .json)])
    func `the name of a file says its form`(_ name: String, _ format: PropertyFile.Format) {
        #expect(PropertyFile.Format(of: name) == format)
    }
}
