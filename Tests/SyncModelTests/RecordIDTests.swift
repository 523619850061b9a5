import Foundation
import SyncModel
import Testing

struct RecordIDTests {
    static let text = "6F9619FF-8B86-4011-B42D-00C04FC964FF"

    @Test(arguments: [text, "6f9619ff-8b86-4011-b42d-00c04fc964ff", "6F9619ff-8b86-4011-B42D-00c04fc964FF"])
    func `a UUID is read in any case, and is upper case`(spelling: String) {
        #expect(RecordID(spelling)?.description == Self.text)
    }

    @Test(arguments: [
        "", "6F9619FF8B864011B42D00C04FC964FF", "6F9619FF-8B86-4011-B42D-00C04FC964F", "{\(text)}",
        "6F9619FF-8B86-4011-B42D-00C04FC964FG", "6F9619FF-8B86-4011-B42D_00C04FC964FF", " \(text)", "\(text)\n",
        "6F9619F-F8B86-4011-B42D-00C04FC964FF", "６F9619FF-8B86-4011-B42D-00C04FC964",
    ])
    func `anything else is no id`(text: String) { #expect(RecordID(text) == nil) }

    @Test func `bytes read back what they wrote, and order is the order of texts`() {
        let ids = (0..<200).map { _ in RecordID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)) }.sorted()
        for id in ids { #expect(RecordID(bytes: id.bytes) == id && RecordID(id.description) == id) }
        #expect(ids.map(\.description) == ids.map(\.description).sorted())
        #expect(RecordID(bytes: [1, 2, 3]) == nil)
    }

    @Test func `random ids say that they are random`() {
        for _ in 0..<200 { #expect(RecordID.random().isRandom) }
    }

    @Test(arguments: [
        ("6F9619FF-8B86-4011-B42D-00C04FC964FF", true), ("6F9619FF-8B86-4011-842D-00C04FC964FF", true),
        ("6F9619FF-8B86-5011-B42D-00C04FC964FF", false), ("6F9619FF-8B86-4011-C42D-00C04FC964FF", false),
        ("6F9619FF-8B86-1011-B42D-00C04FC964FF", false), ("00000000-0000-0000-0000-000000000000", false),
    ])
    func `only version 4 is random`(text: String, random: Bool) { #expect(RecordID(text)?.isRandom == random) }

    @Test func `every digit is written and read in its place`() {
        for shift in stride(from: 0, to: 64, by: 4) {
            for digit in 0..<16 as Range<UInt64> {
                for id in [
                    RecordID(high: digit << UInt64(shift), low: ~0), RecordID(high: ~0, low: digit << UInt64(shift)),
                ] {
                    let spelt = UUID(uuidString: id.description)
                    #expect(spelt?.uuidString == id.description)
                    #expect(RecordID(id.description) == id && RecordID(id.description.lowercased()) == id)
                }
            }
        }
    }

    @Test(arguments: 0..<36) func `a character that is none of an id makes it none, wherever it stands`(place: Int) {
        for character in "-g/:@G`\u{1}\u{10}\u{19}\u{7F}" {
            var text = Array("00112233-4455-6677-8899-AABBCCDDEEFF")
            guard text[place] != character else { continue }
            text[place] = character
            #expect(RecordID(String(text)) == nil)
        }
    }
}
