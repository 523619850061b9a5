import ControlAPI
import FoundationEssentials
import SyncModel
import Testing

struct ReplyTests {
    @Test func `a reply with nothing in it still has all keys`() throws {
        let reply = RecordReply(collection: "movies", id: "A", fields: [:], stamp: "s")
        let text = String(decoding: try ControlJSON.text(reply), as: UTF8.self)
        #expect(
            text == """
                {"base":null,"collection":"movies","deleted":false,"fields":{},"id":"A","pending":false,\
                "reason":null,"stamp":"s"}
                """
        )
        #expect(try ControlJSON.read(RecordReply.self, from: Data(text.utf8)) == reply)
    }

    @Test(arguments: [
        [], [RecordReply(collection: "movies", id: "A", fields: [:], stamp: "s")],
        [
            RecordReply(
                collection: "movies", id: "B",
                fields: ["title": "Amélie / \\ 映画\t", "hasWatched": false, "year": 1979, "rating": 7.5, "Z": nil],
                stamp: "s", pending: true, reason: "it said \"no\"\n"),
            RecordReply(
                collection: "movies", id: "C", fields: ["cast": [["name": "Ash", "age": -3]], "a_b": [:], "aB": "x"],
                stamp: "s", deleted: true, base: .init(stamp: nil, etag: "e\"")),
            RecordReply(collection: "x", id: "D", fields: ["n": 1e300], stamp: "s", base: .init(stamp: "t", etag: nil)),
        ],
    ])
    func `a page of records is written as any other`(records: [RecordReply]) throws {
        for next in [nil, "D"] {
            let page = RecordPage(items: records.map { ListedRecord($0) }, next: next)
            let expected = try ControlJSON.text(Page(items: records, next: next))
            #expect(String(decoding: page.text, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
        }
    }

    @Test func `an answer of an older or newer daemon is understood`() throws {
        let older = #"{"collection":"movies","id":"A","fields":{"n":1.5},"stamp":"s","deleted":true,"pending":false}"#
        let reply = try ControlJSON.read(RecordReply.self, from: Data(older.utf8))
        #expect(reply.reason == nil)
        #expect(reply.base == nil)
        let newer = #"{"done":true,"pending":0,"reasons":[],"later":{}}"#
        #expect(try ControlJSON.read(SyncReply.self, from: Data(newer.utf8)).done)
    }

    @Test func `an error travels with its word and its message`() throws {
        let text = try ControlJSON.text(ControlError(404, "unknownHold", "there is no hold 4"))
        #expect(
            String(decoding: text, as: UTF8.self) == #"{"error":{"code":"unknownHold","message":"there is no hold 4"}}"#
        )
        #expect(try ControlJSON.read(ControlError.self, from: text).code == "unknownHold")
    }
}
