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
