import JSONText
import SyncCore
import SyncModel
import Testing

/// What the ledger has of this node's deletes that an edit elsewhere brought back.
struct DeleteLedgerTests {
    typealias Record = RecordUnderTest

    /// A record of another node, shown with these fields at this time, and deleted here at 900, which the remote has.
    private func deleted(_ fields: [String: JSONValue], at time: UInt64) -> Record {
        var record = Record()
        _ = record.sees(fields, time)
        _ = record.edits(.delete, at: 900)
        _ = record.seesTombstone(Record.mine(900))
        record.state.removed()
        return record
    }

    @Test func `an edit elsewhere that brought back what this node had just deleted`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        _ = record.edits(.delete, at: 900)
        let outcome = record.sees(["title": "theirs"], 950)
        #expect(outcome.change == .create)
        #expect(outcome.conflicts.map(\.loser) == [Version(nil, Record.mine(900))])
    }

    @Test func `not this node's own delete that it has brought back itself, of which no answer came`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        _ = record.edits(.delete, at: 900)
        _ = record.edits(.create(["title": "again"]), at: 950)
        #expect(record.seesTombstone(Record.mine(900)).conflicts.isEmpty)
        #expect(record.title == "again" && record.differs)
        // One that it has not seen is another matter.
        #expect(record.seesTombstone(Record.at(920)).conflicts.map(\.loser) == [Version(nil, Record.at(920))])
    }

    @Test func `not a record that was made anew after this node's delete had been written`() {
        var record = deleted(["title": "A"], at: 5)
        #expect(record.sees(["title": "B"], 2000).conflicts.isEmpty)
        #expect(record.title == "B")
    }

    @Test func `but one whose author had not seen it, though it had been written`() {
        var record = deleted(["title": "A", "note": "n"], at: 5)
        let theirs = Record.version(["title": "B", "note": "n"], Record.at(5), ["title": Record.at(2000)])
        let conflicts = record.sees(theirs, Record.at(2000)).conflicts
        #expect(record.title == "B" && conflicts.map(\.loser) == [Version(nil, Record.mine(900))])
    }

    @Test func `an edit elsewhere that this node's delete ended unseen, which is earlier than one of another field`() {
        func version(_ note: JSONValue, _ noted: UInt64) -> StampedContent {
            Record.version(
                ["title": "A", "note": note], Record.at(5), ["title": Record.at(500), "note": Record.at(noted)])
        }
        for (note, noted, isLost) in [("theirs", 400, true), ("n", 300, false)] as [(JSONValue, UInt64, Bool)] {
            var record = Record()
            _ = record.sees(version("n", 300), Record.at(500))
            _ = record.edits(.delete, at: 900)
            let shown = version(note, noted)
            let conflicts = record.sees(shown, Record.at(600)).conflicts
            #expect(record.state.view == nil)
            #expect(conflicts.map(\.winner) == (isLost ? [Version(nil, Record.mine(900))] : []))
            #expect(conflicts.map(\.loser) == (isLost ? [Version(shown.content, Record.at(400))] : []))
        }
    }

    @Test func `not one that another node's later edit had ended before`() {
        var record = deleted(["title": "A"], at: 800)
        #expect(record.sees(["title": "stale"], 700).conflicts.isEmpty)
    }

    @Test func `a field that was edited here before the delete, and elsewhere, where another edit brings both back`() {
        let deletes: [(inout Record) -> [DecidedConflict]] = [
            { $0.edits(.delete, at: 900).conflicts },
            { $0.seesTombstone(Record.at(900, node: NodeID(3))).conflicts },
        ]
        for (delete, isOwn) in zip(deletes, [true, false]) {
            var record = Record()
            _ = record.sees(["title": "A", "note": "n"], 5)
            _ = record.edits(.update(["note": "mine"]), at: 800)
            let noted = delete(&record)
            #expect(noted.isEmpty == isOwn)
            let theirs = Record.version(
                ["title": "B", "note": "theirs"], Record.at(5), ["title": Record.at(2000), "note": Record.at(700)])
            let conflicts = record.sees(theirs, Record.at(2000)).conflicts
            #expect(record.fields == ["title": "B", "note": "mine"])
            #expect(conflicts.map(\.fields) == (isOwn ? [[], ["note"]] : [["note"]]))
            #expect(conflicts.last?.winner == Version(Content(fields: ["note": "mine"]), Record.mine(800)))
            #expect(conflicts.last?.loser == Version(Content(fields: ["note": "theirs"]), Record.at(700)))
            guard isOwn else { continue }
            let back = Content(fields: ["title": "B", "note": "mine"])
            #expect(conflicts.first?.winner == Version(back, Record.at(2000)))
        }
    }

    @Test func `not a field that was written before the delete, nor one that both made the same`() {
        for isWritten in [true, false] {
            var record = Record()
            _ = record.sees(["title": "A", "note": "n"], 5)
            _ = record.edits(.update(["title": "mine"]), at: 800)
            if isWritten { record.isWritten() }
            _ = record.edits(.delete, at: 900)
            // Its author had seen the title, or has chosen the same one.
            let theirs = Record.version(
                ["title": isWritten ? "later" : "mine", "note": "theirs"], Record.at(5),
                ["title": Record.at(2000), "note": Record.at(2000)])
            for stamp in [Record.at(2000), Record.at(2001)] {
                var copy = record
                #expect(copy.sees(theirs, stamp).conflicts.map(\.loser) == [Version(nil, Record.mine(900))])
            }
        }
    }

    @Test func `not a delete of what an app had written, which another node has stamped later, or with a slow clock`() {
        for time in [9000, 600] as [UInt64] {
            var record = Record()
            _ = record.sees(["title": "A"], 5)
            _ = record.seesApp(["title": "app's"])
            _ = record.edits(.delete)
            let stamped = Record.version(["title": "app's"], Record.at(5), ["title": Record.at(time)])
            #expect(record.sees(stamped, Record.at(time)).conflicts.isEmpty)
            #expect(record.state.view == nil)
        }
    }

    // MARK: Deletes elsewhere

    /// A record of two others, whose latest edit is at 500, and with an edit of another field here that is dated earlier.
    private func editedEarlier() -> Record {
        var record = Record()
        let shown = Record.version(["title": "A", "note": "n"], Record.at(5), ["title": Record.at(500)])
        _ = record.sees(shown, Record.at(500))
        _ = record.edits(.update(["note": "mine"]), at: 400)
        return record
    }

    @Test func `a delete that ended an edit it had not seen, which is earlier than one of another field`() {
        let ended = Content(fields: ["title": "A", "note": "n"]).hash
        for hash in [nil, ended] {
            var record = editedEarlier()
            let conflicts = record.seesTombstone(Record.at(900), ended: hash).conflicts
            #expect(record.state.view == nil && conflicts.map(\.winner) == [Version(nil, Record.at(900))])
            let mine = Content(fields: ["title": "A", "note": "mine"])
            #expect(conflicts.map(\.loser) == [Version(mine, Record.mine(400))])
        }
    }

    @Test func `not one of another node's edits alone, nor of what was written and is older`() {
        var record = editedEarlier()
        record.isWritten()
        let later = Record.version(
            ["title": "B", "note": "mine"], Record.at(5), ["title": Record.at(2000), "note": Record.mine(400)])
        _ = record.sees(later, Record.at(2000))
        for hash in [nil, later.content.hash, Content(fields: ["title": "C", "note": "mine"]).hash] {
            var copy = record
            #expect(copy.seesTombstone(Record.at(3000), ended: hash).conflicts.isEmpty)
            #expect(copy.state.view == nil)
        }
    }
}
