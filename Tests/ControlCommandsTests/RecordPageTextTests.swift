import ControlAPI
import ControlTestSupport
import SyncModel
import Testing

@testable import ControlCommands

struct RecordPageTextTests {
    private static let records = [FakeControlService.brazil, FakeControlService.alien]

    private func read(_ text: String) -> RecordPageText? { RecordPageText(Array(text.utf8)) }

    @Test(arguments: [0, 1, 2], [nil, "6F"])
    func `a page is read as it was written`(count: Int, next: String?) throws {
        let records = Array(RecordPageTextTests.records.prefix(count))
        let text = try ControlJSON.text(Page(items: records, next: next)) + [UInt8(ascii: "\n")]
        let page = try #require(RecordPageText(Array(text)))
        #expect(page.values() == records)
        #expect(page.next == next)
        let texts = try records.map { String(decoding: try ControlJSON.text($0), as: UTF8.self) }
        #expect(String(decoding: page.records, as: UTF8.self) == texts.joined(separator: ","))
    }

    @Test func `what a newer daemon adds is passed over`() throws {
        let newer = """
            {"count":1,"items":[{"collection":"movies","deleted":false,"fields":{"n":12345678901234567890,"t":"]}"},\
            "id":"A","later":[{"id":"B"}],"pending":false,"stamp":"s"}],"later":{"items":[1],"next":"no"},"next":null}
            """
        let page = try #require(read(newer))
        let fields: [String: JSONValue] = ["n": 12345678901234567890.0, "t": "]}"]
        #expect(page.values() == [RecordReply(collection: "movies", id: "A", fields: fields, stamp: "s")])
        #expect(page.next == nil)
    }

    @Test(arguments: [
        "", "[]", "7", #"{"items":{}}"#, #"{"next":null}"#, #"{"items":[{]}"#, #"{"items":[]"#, "<html></html>",
    ])
    func `what is no page is refused`(text: String) { #expect(read(text) == nil) }

    @Test(arguments: [
        "7", #"{"collection":"movies","deleted":false,"fields":{},"id":"A","pending":false}"#,
        #"{"collection":"movies","deleted":false,"fields":[],"id":"A","pending":false,"stamp":"s"}"#,
        #"{"collection":"movies","deleted":0,"fields":{},"id":"A","pending":false,"stamp":"s"}"#,
    ])
    func `what is no record is refused`(record: String) throws {
        #expect(try #require(read(#"{"items":[\#(record)],"next":null}"#)).values() == nil)
    }
}
