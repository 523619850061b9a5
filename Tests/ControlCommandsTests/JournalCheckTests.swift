import JSONText
import SyncModel
import Testing

@testable import ControlCommands

struct JournalCheckTests {
    private static let good = #"{"op":"delete","id":"6F9619FF-8B86-4011-B42D-00C04FC964FF"}"#

    @Test(arguments: [
        ("{", "invalidJSON"), ("[]", "invalidJSON"), ("x", "invalidJSON"), ("{}", "missingKey"),
        (#"{"op":"delete"}"#, "missingKey"), (#"{"op":"merge","id":"x"}"#, "unknownOperation"),
        (#"{"op":1,"id":"x"}"#, "invalidValue"), (#"{"op":"delete","id":"x"}"#, "invalidValue"),
        (#"{"op":"create","id":"6F9619FF-8B86-4011-B42D-00C04FC964FF"}"#, "missingKey"),
        (#"{"op":"update","id":"6F9619FF-8B86-4011-B42D-00C04FC964FF","fields":[]}"#, "invalidValue"),
        (#"{"op":"delete","id":"6F9619FF-8B86-4011-B42D-00C04FC964FF","at":"now"}"#, "invalidValue"),
        (#"{"op":"delete","id":"6F9619FF-8B86-4011-B42D-00C04FC964FF","at":5}"#, "invalidValue"),
        (#"{"op":"delete","id":"6F9619FF-8B86-4011-B42D-00C04FC964FF","opID":5}"#, "invalidValue"),
        (#"{"op":"delete","id":"6F9619FF-8B86-4011-B42D-00C04FC964FF","collection":"My Films"}"#, "unknownCollection"),
        (#"{"op":"update","id":"6F9619FF-8B86-4011-B42D-00C04FC964FF","fields":{"a/b":1}}"#, "invalidValue"),
    ])
    func `a bad line is named with its place and code`(line: String, code: String) {
        var check = JournalCheck(.uuids)
        check.read(Array("\(JournalCheckTests.good)\n\(line)\r\n\(JournalCheckTests.good)\n".utf8))
        #expect(check.lines == 3)
        #expect(check.bad.map(\.code) == [code])
        #expect(check.bad.first?.line == 2)
        #expect(check.bad.first?.offset == UInt64(JournalCheckTests.good.utf8.count + 1))
        #expect(check.bad.first?.length == line.utf8.count + 2)
    }

    @Test func `bytes that are no UTF-8 are named so`() {
        var check = JournalCheck(.uuids)
        check.read([UInt8](#"{"op":""#.utf8) + [0xFF, 0xFE, 0x0A])
        #expect(check.bad.map(\.code) == ["invalidUTF8"])
    }

    @Test func `a byte order mark, blank lines and CRLF are fine`() {
        var check = JournalCheck(.uuids)
        check.read(
            [0xEF, 0xBB, 0xBF] + Array("\(JournalCheckTests.good)\r\n\r\n  \n\r\r\n\(JournalCheckTests.good)\n".utf8))
        #expect(check.bad.isEmpty)
        #expect(check.lines == 5)
        #expect(!check.isUnfinished)
    }

    @Test func `a line that is too long is bad, and the one after it is read`() {
        var check = JournalCheck(.uuids)
        let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 400_000)
        for _ in 0..<4 { check.read(chunk) }
        #expect(check.isUnfinished)
        check.read(Array("\n\(JournalCheckTests.good)\nx\n".utf8))
        #expect(check.bad.map(\.code) == ["lineTooLong", "invalidJSON"])
        #expect(check.bad.map(\.length) == [1_600_001, 2])
        #expect(check.bad.last?.offset == UInt64(1_600_001 + JournalCheckTests.good.utf8.count + 1))
    }

    @Test func `any cut of the bytes gives the same lines`() {
        let bytes = Array("{}\n\(JournalCheckTests.good)\n\nx\r\n\(JournalCheckTests.good)".utf8)
        var whole = JournalCheck(.uuids)
        whole.read(bytes)
        #expect(whole.isUnfinished)
        for size in 1..<20 {
            var cut = JournalCheck(.uuids)
            for start in stride(from: 0, to: bytes.count, by: size) {
                cut.read(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(cut.bad == whole.bad)
            #expect(cut.lines == whole.lines)
            #expect(cut.isUnfinished)
        }
    }

    @Test func `keys that mean nothing are told, and what a journal says is counted`() throws {
        let lines = [
            #"{"op":"create","id":"6F9619FF-8B86-4011-B42D-00C04FC964F1","colection":"x","fields":{"a":1},"opID":"1"}"#,
            #"{"op":"create","id":"6F9619FF-8B86-4011-B42D-00C04FC964F1","fields":{"a":1},"opID":"1"}"#,
            #"{"op":"create","id":"6F9619FF-8B86-4011-B42D-00C04FC964F2","fields":{"a":1},"at":"2026-11-20T20:15:04Z"}"#,
            #"{"op":"delete","id":"6F9619FF-8B86-4011-B42D-00C04FC964F2","fields":{"a":1}}"#,
            #"{"op":"update","id":"6F9619FF-8B86-4011-B42D-00C04FC964F2","fields":{"a":1}}"#, "nonsense",
        ]
        var check = JournalCheck(.uuids, tally: JournalTally())
        check.read(Array(lines.map { $0 + "\n" }.joined().utf8))
        #expect(check.bad.map(\.line) == [6])
        #expect(
            check.odd.map(\.message) == [
                #"no line has a key "colection"; did you mean collection?"#, "a delete has no fields",
            ])
        let tally = try #require(check.tally)
        #expect(tally.repeated == 1 && tally.withoutTime == 4 && tally.earliest == 1_795_205_704_000)
        #expect(
            tally.collections == [
                "movies": .init(creates: 2, updates: 1, deletes: 1, records: 2, live: 1, updatesOfUnknown: 1)
            ])
    }

    @Test(arguments: [
        ("348/anna", 2), ("349/anna", 1), ("348/Anna", 0), ("r-1", 1),
        (RecordID.named("348/anna", in: "reviews").description.lowercased(), 2),
        ("6F9619FF-8B86-4011-B42D-00C04FC964FF", 2),
    ])
    func `lines of a record are found by its id, its key or their opID`(word: String, found: Int) {
        let keys = KeyTemplates { collection in
            collection == "reviews" ? KeyTemplate([.init("film", isInteger: true), .init("uid")]) : .uuid
        }
        var search = JournalSearch(for: word, keys)
        let lines = [
            #"{"op":"create","collection":"reviews","id":"348/anna","fields":{"text":"Good"},"opID":"r-1"}"#,
            #"{"op":"create","collection":"reviews","fields":{"film":349,"uid":"anna","text":"Bad"}}"#,
            #"{"op":"delete","collection":"reviews","id":"\#(RecordID.named("348/anna", in: "reviews"))"}"#,
            JournalCheckTests.good,
            #"{"op":"delete","collection":"artists","id":"6F9619FF-8B86-4011-B42D-00C04FC964FF"}"#,
        ]
        search.read(Array(lines.map { $0 + "\n" }.joined().utf8))
        #expect(search.found == found && Set(search.lines.map(\.operation.key.id)).count == min(found, 1))
    }
}
