import FirebaseWire
import JSONText
import SyncModel
import Testing

/// é is one character, or two: Swift takes both for the same, a database does not.
struct AmbiguousNameTests {
    private static let (one, two) = ("caf\u{E9}", "cafe\u{301}")

    private static func twins(_ value: String = "2") -> String { "{\"\(one)\":1,\"\(two)\":\(value)}" }

    @Test(arguments: ["{\"title\":\"A\",\"cast\":\(twins())}", "{\"a\":[{\"b\":\(twins())}]}", twins("{}")])
    func `a body with two such names is unreadable, so that nothing is written over it`(body: String) {
        let entry = EntrySpelling.entry("K", text: Array(body.utf8), in: .records("movies"))
        guard case .unreadable(let defect) = entry.value else { return #expect(Bool(false), "\(entry.value)") }
        #expect(defect.message.contains("two names"))
    }

    @Test func `two equal names are one`() {
        let body = "{\"title\":\"A\",\"\(Self.one)\":1,\"\(Self.one)\":2}"
        let entry = EntrySpelling.entry("K", text: Array(body.utf8), in: .records("movies"))
        #expect(entry.value == .record(fields: ["title": "A", Self.one: 2], stamps: nil))
    }

    @Test func `a line with two such names is not taken`() throws {
        let id = "6F9619FF-8B86-4011-B42D-00C04FC964FF"
        let line = "{\"op\":\"create\",\"id\":\"\(id)\",\"fields\":\(Self.twins())}"
        let error = #expect(throws: Defect.self) { try Operation(line: Array(line.utf8)[...], keys: .uuids) }
        #expect(error?.code == .invalidValue && error?.message.contains("two names") == true)
    }

    @Test func `so each stays, where it stands alone`() throws {
        for name in [Self.one, Self.two] {
            let entry = EntrySpelling.entry("K", text: Array("{\"\(name)\":1}".utf8), in: .records("movies"))
            guard case .record(let fields, _) = entry.value else { return #expect(Bool(false)) }
            #expect(fields.keys.first.map { Array($0.utf8) } == Array(name.utf8))
        }
    }
}
