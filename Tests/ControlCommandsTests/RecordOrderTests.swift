import ControlAPI
import ControlTestSupport
import SyncModel
import Testing

@testable import ControlCommands

struct RecordOrderTests {
    private static func record(_ title: String, _ fields: [String: JSONValue] = [:]) -> RecordReply {
        var record = FakeControlService.brazil
        record.fields = fields.merging(["title": .string(title)]) { $1 }
        return record
    }

    @Test(
        arguments: [
            (RecordOrder(), ["alien", "Brazil", "Casablanca"]),
            (RecordOrder(isReversed: true), ["Casablanca", "Brazil", "alien"]),
            (RecordOrder(sort: "year"), ["Casablanca", "alien", "Brazil"]),
            // What has no year has none in any direction.
            (RecordOrder(sort: "year", isReversed: true), ["alien", "Casablanca", "Brazil"]),
            (RecordOrder(sort: "year", limit: 1), ["Casablanca"]), (RecordOrder(limit: 2), ["alien", "Brazil"]),
        ] as [(RecordOrder, [String])])
    func `records are sorted by a field, and as many shown as are wanted`(order: RecordOrder, titles: [String]) {
        let records = [
            RecordOrderTests.record("Brazil"), RecordOrderTests.record("alien", ["year": 1979]),
            RecordOrderTests.record("Casablanca", ["year": 1942.5]),
        ]
        let arranged = order.arranged(records, FakeControlService.movies)
        #expect(arranged.map { $0.fields["title"]?.text } == titles)
    }

    @Test func `ids are as short as they are clear, and never shorter than eight`() {
        let all = ["6F9619FF-8B86", "6F9619FF-8C86", "6F000000-8B86", "A0000000-0000"]
        let ids = ShortIDs(of: all)
        #expect(all.map(ids.text) == ["6F9619FF-8B", "6F9619FF-8C", "6F000000", "A0000000"])
        #expect(ShortIDs.whole.text(all[0]) == all[0])
        for id in all { #expect(all.count { $0.hasPrefix(ids.text(id)) } == 1) }
    }

    @Test func `in a pipe there are tabs, whole ids and plain values`() {
        var answer = RecordsAnswer(
            schema: FakeControlService.movies, records: [FakeControlService.alien, RecordOrderTests.record("a\tb")])
        var style = Style()
        style.isTabbed = true
        #expect(
            answer.text(style) == """
                id\ttitle\thasWatched\tyear\tpending
                \(FakeControlService.brazilID)\ta b\t\t\tpending
                \(FakeControlService.alienID)\tAlien\ttrue\t1979\t
                """)
        answer.order.columns = ["year", "title"]
        #expect(answer.text(style).hasPrefix("id\tyear\ttitle\tpending\n"))
    }

    @Test(arguments: [(nil, true), ("", false), ("cat", false), ("more -d", true)] as [(String?, Bool)])
    func `a pager is what was chosen`(chosen: String?, isUsed: Bool) {
        #expect((Pager.command(chosen) != nil) == isUsed)
        if let chosen, isUsed { #expect(Pager.command(chosen) == chosen) }
    }
}
