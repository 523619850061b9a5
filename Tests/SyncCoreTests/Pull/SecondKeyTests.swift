import JSONText
import SyncCore
import SyncModel
import Testing

/// What stands under a second key of a record: `docs/protocol.md` section 9.
struct SecondKeyTests {
    typealias Record = RecordUnderTest

    private func known() -> Record {
        var record = Record()
        _ = record.sees(["title": "A", "hasWatched": false, "note": "n"], 5)
        return record
    }

    private func second(_ fields: [String: JSONValue], stamp: UInt64?, _ record: inout Record) throws -> Outcome {
        let gate = StampPolicy(wall: 1 << 40, offset: 0, maxAhead: 0)
        let reading: Reading =
            if let stamp {
                .stamped(try gate.admit(Content(fields: fields), RemoteStamps(Record.at(stamp))))
            } else {
                .foreign(ForeignBody(named: fields))
            }
        return record.state.mergedDuplicate(reading, clock: &record.clock, record.context)
    }

    @Test(arguments: [(3, "A"), (9, "B")] as [(UInt64, String)])
    func `a stamped second is compared by its stamps`(time: UInt64, title: String) throws {
        var record = known()
        _ = try second(Record.film("B"), stamp: time, &record)
        #expect(record.title == title && record.state.remote?.stamp == Record.at(5))
        #expect(record.differs == (title == "B"))
    }

    @Test func `an unstamped second is an edit made now`() throws {
        var record = known()
        let outcome = try second(Record.film("B"), stamp: nil, &record)
        #expect(outcome.change == .update)
        // Nothing tells which of the two was first.
        #expect(outcome.conflicts.map(\.fields) == [["title"]])
        #expect(record.fields == ["title": "B", "hasWatched": false, "note": "n"] && record.differs)
        #expect(record.stamp(of: "title") == Record.at(1000, node: Record.me))
        #expect(record.stamp(of: "note") == Record.at(5))
    }

    @Test func `also over what another app wrote, of which nothing is stamped yet`() throws {
        var record = Record()
        _ = record.seesApp(Record.film("A"))
        let outcome = try second(Record.film("B"), stamp: nil, &record)
        #expect(record.title == "B" && outcome.conflicts.map(\.fields) == [["title"]])
        #expect(outcome.conflicts.first?.loser.content?.fields["title"] == "A")
    }

    @Test func `a second that says the same, or is gone, changes nothing`() throws {
        var record = known()
        let before = record.state
        #expect(try second(Record.film("A"), stamp: nil, &record) == Outcome())
        #expect(record.state.mergedDuplicate(.absent, clock: &record.clock, record.context) == Outcome())
        #expect(record.state == before)
    }
}
