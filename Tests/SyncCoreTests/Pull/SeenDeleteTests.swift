import JSONText
import SyncCore
import SyncModel
import Testing

/// A delete of what an app had written, or of what this node had edited, while others do not know of it (`docs/protocol.md`
/// sections 8 and 9).
struct SeenDeleteTests {
    typealias Record = RecordUnderTest

    private func known() -> Record {
        var record = Record()
        _ = record.sees(
            StampedContent(
                Content(fields: ["title": "A", "hasWatched": true, "note": "n"]), FieldStamps(Record.at(5))),
            Record.at(5))
        return record
    }

    /// Another node, which knew less of the record, has dated all that the app's body shows.
    private func dated(_ fields: [String: JSONValue], _ time: UInt64, _ named: [String: Stamp] = [:]) -> StampedContent
    {
        var stamps = FieldStamps(.zero)
        for name in fields.keys { stamps.named[name] = named[name] ?? Record.at(time) }
        return StampedContent(Content(fields: fields), stamps)
    }

    @Test func `a delete over an observation is above all that another node dates with it`() {
        var record = known()
        _ = record.seesApp(Record.film("B", watched: true))
        _ = record.edits(.delete)
        #expect(record.state.view == nil)
        _ = record.sees(dated(Record.film("B", watched: true), 900_000), Record.at(900_000))
        #expect(record.state.view == nil && record.differs)
        #expect(record.state.known.deletion ?? .zero > Record.at(900_000))
    }

    @Test func `but not above what was changed since, or edited on its own`() {
        for (fields, named) in [
            (Record.film("B", watched: false), [:]), (Record.film("C", watched: true), [:]),
            (Record.film("B", watched: true), ["hasWatched": Record.at(800_000)]),
            (["title": "B", "hasWatched": true, "note": "new"], [:]),
        ] as [([String: JSONValue], [String: Stamp])] {
            var record = known()
            _ = record.seesApp(Record.film("B", watched: true))
            _ = record.edits(.delete)
            _ = record.sees(dated(fields, 900_000, named), Record.at(900_000))
            #expect(record.state.view != nil, "\(fields) \(named)")
        }
        // A create of the same content.
        var record = known()
        _ = record.seesApp(Record.film("B", watched: true))
        _ = record.edits(.delete)
        _ = record.sees(Record.film("B", watched: true), 900_000)
        #expect(record.state.view != nil)
    }

    /// Whoever writes it after the delete has seen that, also where it is what the app had written.
    @Test(arguments: [false, true], [false, true])
    func `nor above what is made anew once it is gone, whether that was heard or not`(
        wasStamped: Bool, isHeard: Bool
    ) {
        var record = wasStamped ? known() : Record()
        _ = record.seesApp(Record.film("B", watched: true))
        _ = record.edits(.delete)
        if isHeard { record.state.removed() }
        let again = StampedContent(Content(fields: Record.film("B", watched: true)), FieldStamps(Record.at(900_000)))
        _ = record.sees(again, Record.at(900_000))
        #expect(record.title == "B" && !record.differs)
    }

    @Test func `without tombstones, what was never stamped ends without a trace, whatever the clock shows`() {
        var record = Record()
        record.keepsTombstones = false
        record.wall = 90_000
        _ = record.seesApp(Record.film("B"))
        _ = record.seesNothing()
        #expect(record.state.known.deletion == nil)
        // Made anew by a node whose clock is behind.
        _ = record.sees(Record.film("C"), 50_000)
        #expect(record.title == "C")
    }

    /// A node that did not know of the edit may have deleted it: a merge counts as later than all that is in it.
    @Test(arguments: [true, false])
    func `without tombstones an edit outlives a merge of what is older`(keepsTombstones: Bool) {
        var record = Record()
        record.keepsTombstones = keepsTombstones
        _ = record.sees(Record.version(Record.film("A"), Record.at(5), ["title": Record.at(7)]), Record.at(900))
        _ = record.edits(.update(["title": "mine"]), at: 800)
        _ = record.seesNothing()
        #expect(record.title == (keepsTombstones ? nil : "mine"))
    }

    @Test(arguments: [[1], [1, 3]] as [[UInt16]])
    func `lines of unknown time end with what an app deleted, however many they are`(counters: [UInt16]) {
        var record = known()
        for counter in counters {
            _ = record.state.edited(
                .update(["title": .string("r\(counter)")]), at: Record.at(5, counter), record.rules,
                clock: &record.clock, wall: record.wall)
        }
        _ = record.seesNothing()
        #expect(record.state.view == nil)
    }
}
