import FirebaseWire
import JSONText
import SyncModel
import Testing

struct EntrySpellingTests {
    private static let stamp = "0123456789ab-0002-00000000000000a1"

    @Test(
        arguments: [
            "null", "7", "[]", "[[1],{}]", #""text""#, "{}", #"{"title":"Alien","year":1979}"#,
            #"{"_t":5,"_v":"\#(stamp)","_b":"\#(stamp)","_f":{"_":"\#(stamp)","title":"\#(stamp)"},"title":"Alien"}"#,
            #"{"_v":"\#(stamp)","_h":"00","_t":-1,"__":2,"_":3}"#, #"{"_v":7,"_t":"late","_f":[],"":1}"#,
        ], [Keyspace.records("movies"), .tombstones("movies")])
    func `a text is read as its value is`(text: String, keyspace: Keyspace) throws {
        let bytes = Array(text.utf8)
        let entry = EntrySpelling.entry("K", text: bytes, in: keyspace, etag: "e")
        #expect(entry == EntrySpelling.entry("K", try JSONReader.value(bytes), in: keyspace, etag: "e"))
    }

    @Test func `of two members with one name the last one counts`() throws {
        let text = #"{"_t":5,"title":"A","_v":"\#(Self.stamp)","_t":6,"title":"B","_v":1}"#
        let entry = EntrySpelling.entry("K", text: Array(text.utf8), in: .records("movies"))
        #expect(entry.value == .record(fields: ["title": "B"], stamps: nil) && entry.serverTime == 6)
    }

    @Test(arguments: ["_", "_kept"])
    func `a reserved name is no field, whoever writes it`(name: String) {
        let text = #"{"\#(name)":true,"_v":"\#(Self.stamp)","title":"A"}"#
        let entry = EntrySpelling.entry("K", text: Array(text.utf8), in: .records("movies"))
        #expect(entry.value == .record(fields: ["title": "A"], stamps: Stamp(Self.stamp).map { RemoteStamps($0) }))
    }

    @Test(arguments: ["\u{200D}x", "\u{1F3FD}", "\u{301}"])
    func `the stamp of a member is spelled below its field, also where both make one character with a slash`(
        member: String
    ) throws {
        let stamp = try #require(Stamp(Self.stamp))
        let stamps = FieldStamps(stamp, named: [FieldStamps.member(member, of: "tags"): stamp.successor])
        let write = RemoteWrite(
            key: "K", body: .record(Content(fields: ["title": "A"]), identityFields: [:], fieldStamps: stamps),
            stamp: stamp.successor)
        var body: [UInt8] = []
        EntrySpelling.append(write, to: &body)
        let entry = EntrySpelling.entry("K", text: body, in: .records("movies"))
        guard case .record(_, let read?) = entry.value else { return #expect(Bool(false)) }
        #expect(read.fields == stamps)
        let spelled = try JSONReader.value(body).members?["_f"]?.members?["tags"]?.members ?? [:]
        #expect(spelled.keys.map { Array($0.utf8) } == [Array(member.utf8)])
    }

    @Test(arguments: [#"{"n":1e999}"#, #"{"a":1,}"#, "", "{"])
    func `what is no JSON is unreadable`(text: String) {
        let entry = EntrySpelling.entry("K", text: Array(text.utf8), in: .records("movies"))
        guard case .unreadable(let defect) = entry.value else { return #expect(Bool(false)) }
        #expect(defect.code == .unreadableRecord && !defect.message.isEmpty)
    }
}
