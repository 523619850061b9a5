import SyncModel
import Testing

@testable import FirebaseWire

struct FieldStampSpellingTests {
    @Test(arguments: ["Drama", "a/b", "\u{301}x", "\u{301}x/y", ".", "7", "_", ""])
    func `the stamp of any member of a set stands under legal keys, and is read again`(_ member: String) throws {
        let common = try #require(Stamp("0123456789ab-0002-00000000000000a1"))
        let later = try #require(Stamp("0123456789ac-0000-00000000000000a1"))
        let stamps = FieldStamps(common, named: ["genres/" + member: later])
        let value = FieldStampSpelling.value(of: stamps)
        let keys = (value.members ?? [:]).flatMap { name, value in [name] + Array((value.members ?? [:]).keys) }
        #expect(keys.count == 3)
        #expect(keys.allSatisfy { WireKey.isLegal($0) })
        #expect(FieldStampSpelling.stamps(value) == stamps)
    }
}
