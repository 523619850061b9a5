import JSONText
import SyncCore
import SyncModel
import Testing

/// Which decisions go to the ledger, and which must not: `docs/protocol.md` section 4.
struct LedgerTests {
    typealias Record = RecordUnderTest

    @Test func `a delete of what an app had changed before anybody here had read that`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        let edit = record.edits(.delete, at: 900)
        #expect(edit.conflicts.isEmpty)
        let conflicts = record.seesApp(["title": "app's"]).conflicts
        #expect(record.state.view?.fields["title"] == "app's")
        #expect(conflicts.map(\.loser) == [Version(nil, Record.mine(900))])
        #expect(conflicts.first?.winner.content?.fields["title"] == "app's")
        // It is there once.
        #expect(record.seesApp(["title": "app's again"]).conflicts.isEmpty)
    }

    @Test func `a field that both sides changed without having seen each other's edit`() {
        for (time, wins) in [(800, true), (2000, false)] as [(UInt64, Bool)] {
            var record = Record.edited()
            let theirs = Record.version(["title": "theirs", "note": "n"], Record.at(5), ["title": Record.at(time)])
            let conflicts = record.sees(theirs, Record.at(time)).conflicts
            let (mine, other) = (
                Version(Content(fields: ["title": "mine"]), Record.mine(900)),
                Version(Content(fields: ["title": "theirs"]), Record.at(time))
            )
            #expect(conflicts.count == 1 && conflicts.first?.fields == ["title"])
            #expect(conflicts.first?.rule == .laterStamp)
            #expect(conflicts.first?.winner == (wins ? mine : other))
            #expect(conflicts.first?.loser == (wins ? other : mine))
        }
    }

    @Test(
        arguments: [(7, 9, 800, false), (7, 9, 2000, false), (9, 7, 800, true), (9, 7, 2000, true)]
            as [(Int64, Int64, UInt64, Bool)])
    func `a field with a rule of its own is decided by that, whenever it was written`(
        mine: Int64, theirs: Int64, time: UInt64, wins: Bool
    ) throws {
        var record = Record(MergeRules(fields: ["best": .max]))
        _ = record.sees(["best": 5, "title": "A"], 5)
        _ = record.edits(.update(["best": .integer(mine)]), at: 900)
        let shown = Record.version(["best": .integer(theirs), "title": "A"], Record.at(5), ["best": Record.at(time)])
        let conflict = try #require(record.sees(shown, Record.at(time)).conflicts.first)
        #expect(conflict.rule == .fieldRule && conflict.fields == ["best"])
        #expect(conflict.winner.content?.fields == ["best": 9] && conflict.loser.content?.fields == ["best": 7])
        #expect(record.fields?["best"] == 9 && (conflict.winner.stamp == Record.mine(900)) == wins)
    }

    @Test func `one stamp and two values, as two restored states may give them to lines of unknown time`() {
        for title in ["B", "C", "D", "E", "F"] {
            var record = Record.edited()
            let conflicts = record.sees(
                Record.version(["title": .string(title), "note": "n"], Record.mine(900)), Record.mine(900)
            ).conflicts
            #expect(conflicts.map(\.rule) == [.contentHash])
            #expect(conflicts.first?.loser.content?.fields["title"]?.text == (record.title == "mine" ? title : "mine"))
        }
    }

    @Test func `two keys for one record with one stamp and two values, whichever counts`() throws {
        let gate = StampPolicy(wall: 1 << 40, offset: 0, maxAhead: 0)
        for title in ["B", "C", "D", "E", "F"] {
            var record = Record()
            _ = record.sees(["title": "A", "note": "n"], 5)
            let shown = try gate.admit(Content(fields: ["title": .string(title)]), RemoteStamps(Record.at(5)))
            let outcome = record.state.mergedDuplicate(.stamped(shown), clock: &record.clock, record.context)
            #expect(outcome.conflicts.map(\.rule) == [.contentHash] && outcome.conflicts.first?.fields == ["title"])
            #expect(outcome.conflicts.first?.winner.content?.fields["title"]?.text == record.title)
            let other = record.title == "A" ? title : "A"
            #expect(outcome.conflicts.first?.loser.content?.fields == ["title": .string(other)])
        }
    }

    @Test func `not one that only one side changed`() {
        var record = Record.edited()
        let theirs = Record.version(["title": "A", "note": "theirs"], Record.at(5), ["note": Record.at(2000)])
        #expect(record.sees(theirs, Record.at(2000)).conflicts.isEmpty)
        #expect(record.fields == ["title": "mine", "note": "theirs"])
    }

    @Test func `not one that both changed to the same value`() {
        var record = Record.edited()
        let theirs = Record.version(["title": "mine", "note": "n"], Record.at(5), ["title": Record.at(800)])
        #expect(record.sees(theirs, Record.at(800)).conflicts.isEmpty)
    }

    @Test func `not one whose edit here the other side had seen`() {
        var record = Record.edited()
        record.isWritten()
        #expect(record.sees(["title": "later", "note": "n"], 9000).conflicts.isEmpty)
        #expect(record.title == "later")
    }

    @Test func `one id on two nodes: the first write of the other went over ours`() {
        for (isBlind, isLost) in [(true, true), (false, false)] {
            var record = Record()
            _ = record.edits(.create(["title": "mine", "note": "n"]), at: 900)
            record.isWritten()
            let theirs = Record.version(["title": "theirs", "note": "n"], Record.at(2000))
            let conflicts = record.sees(theirs, Record.at(2000), isBlind: isBlind).conflicts
            #expect(conflicts.map(\.fields) == (isLost ? [["title"]] : []))
            #expect(conflicts.first?.loser.content?.fields == (isLost ? ["title": "mine"] : nil))
            #expect(record.title == "theirs")
        }
    }

    @Test func `one that is confirmed is lost to what replaced a version from before it`() {
        for (replaced, isLost) in [(Record.at(500), true), (Record.mine(900), false)] {
            var record = Record()
            _ = record.edits(.create(["title": "mine", "note": "n"]), at: 900)
            record.isWritten()
            // Its author has dated what an app wrote over the version before ours.
            let theirs = Record.version(["title": "app's", "note": "n"], Record.at(500), ["title": Record.at(2000)])
            let conflicts = record.sees(theirs, Record.at(2000), replacing: replaced).conflicts
            #expect(conflicts.map(\.fields) == (isLost ? [["title"]] : []))
            #expect(record.title == "app's")
        }
    }

    @Test func `not where an app had changed what another node has stamped`() {
        var record = Record()
        _ = record.edits(.create(["title": "A", "note": "n"]), at: 900)
        record.isWritten()
        let stamped = Record.version(["title": "app's", "note": "n"], Record.mine(900), ["title": Record.at(2000)])
        #expect(record.sees(stamped, Record.at(2000), isBlind: true).conflicts.isEmpty)
    }

    @Test func `nor where it was read before, over another node's version of another field`() {
        var record = Record()
        _ = record.edits(.create(["title": "A", "note": "n"]), at: 900)
        record.isWritten()
        let noted = Record.version(["title": "A", "note": "m"], Record.mine(900), ["note": Record.at(1500)])
        #expect(record.sees(noted, Record.at(1500)).conflicts.isEmpty)
        #expect(record.seesApp(["title": "app's", "note": "m"]).conflicts.isEmpty)
        let stamped = Record.version(
            ["title": "app's", "note": "m"], Record.mine(900), ["title": Record.at(2000), "note": Record.at(1500)])
        #expect(record.sees(stamped, Record.at(2000)).conflicts.isEmpty)
    }

    @Test func `nor a record that was made anew where no tombstones are kept`() {
        var record = Record()
        record.keepsTombstones = false
        _ = record.sees(["title": "A"], 5)
        _ = record.edits(.delete, at: 900)
        // It is not removed yet.
        var early = record
        #expect(early.sees(["title": "B"], 1000).conflicts.count == 1)
        _ = record.seesNothing()
        #expect(record.sees(["title": "B"], 1000).conflicts.isEmpty)
    }

    @Test func `what an app wrote alone gets one stamp, and is taken for no merge`() {
        var other = Record()
        _ = other.sees(["title": "A", "note": "n"], 5)
        _ = other.seesApp(["title": "app's", "note": "n"])
        #expect(other.state.stamp == other.state.observed?.stamp(of: "title"))
        // A second time, before it is written.
        _ = other.seesApp(["title": "app's", "note": "later"])
        #expect(other.state.stamp == other.state.observed?.stamp(of: "note"))
        // Beside an edit that is not sent yet it is one.
        var editing = Record()
        _ = editing.sees(["title": "A", "note": "n"], 5)
        _ = editing.edits(.update(["note": "mine"]), at: 900)
        _ = editing.seesApp(["title": "app's", "note": "n"])
        #expect(editing.state.stamp.map { $0 > (editing.state.observed?.stamp(of: "title") ?? .zero) } == true)
    }

    @Test func `not a value that nobody chose`() {
        var record = Record()
        _ = record.edits(.create(Record.film("A")), at: 900)
        let theirs = Record.version(Record.film("A", watched: true), Record.at(800))
        #expect(record.sees(theirs, Record.at(800)).conflicts.isEmpty)
    }

    @Test func `not what another node decided between two others`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        _ = record.sees(["title": "B"], 8)
        #expect(record.sees(["title": "C"], 6).conflicts.isEmpty)
    }

    @Test func `an edit that is read late is lost once, also where an app and another node wrote later`() {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n"], 950)
        _ = record.seesApp(["title": "app's", "note": "n"])
        let conflicts = record.edits(.update(["title": "mine", "note": "my note"]), at: 900).conflicts
        #expect(conflicts.map(\.fields) == [["title"], ["note"]])
    }

    @Test func `not a write whose answer was lost, and that the other side had read before`() {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n"], 5)
        _ = record.edits(.update(["title": "mine", "note": "mine too"]), at: 900)
        let theirs = Record.version(
            ["title": "later", "note": "mine too"], Record.mine(900), ["title": Record.at(2000)])
        #expect(record.sees(theirs, Record.at(2000)).conflicts.isEmpty)
        #expect(record.title == "later")
    }

    @Test func `one whose author read this node's write only after the edit`() {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n"], 5)
        _ = record.edits(.update(["title": "mine", "note": "mine too"]), at: 900)
        let theirs = Record.version(
            ["title": "later", "note": "mine too"], Record.mine(900), ["title": Record.at(2000)])
        #expect(record.sees(theirs, Record.at(2001)).conflicts.map(\.fields) == [["title"]])
    }

    // MARK: Deletes

    @Test func `not a delete of just what this node has, though it does not know whether that was written`() {
        var record = Record.edited()
        let ended = record.state.view?.hash
        #expect(record.seesTombstone(Record.at(5000), ended: ended).conflicts.isEmpty)
        #expect(record.state.view == nil)
    }

    @Test func `a delete that ended an edit it had not seen`() {
        var record = Record.edited()
        let outcome = record.seesTombstone(Record.at(5000))
        #expect(outcome.change == .delete)
        #expect(outcome.conflicts.map(\.winner) == [Version(nil, Record.at(5000))])
        #expect(outcome.conflicts.first?.loser.content?.fields["title"] == "mine")
    }

    @Test func `an edit that survived a delete which had not seen it`() {
        var record = Record.edited()
        let outcome = record.seesTombstone(Record.at(700))
        #expect(outcome.change == nil && record.title == "mine")
        #expect(outcome.conflicts.map(\.loser) == [Version(nil, Record.at(700))])
    }

    @Test func `not a delete of what this node had written and the other side had seen`() {
        var record = Record.edited()
        record.isWritten()
        let ended = record.state.view?.hash
        #expect(record.seesTombstone(Record.at(5000), ended: ended).conflicts.isEmpty)
        #expect(record.state.view == nil)
    }

    @Test func `a delete that names other content than what this node had written`() {
        var record = Record.edited()
        record.isWritten()
        let outcome = record.seesTombstone(Record.at(5000), ended: Content(fields: ["title": "A"]).hash)
        #expect(outcome.conflicts.count == 1)
    }

    @Test func `an edit elsewhere that this node's delete ended unseen`() {
        var record = Record()
        _ = record.sees(["title": "A"], 5)
        _ = record.edits(.delete, at: 900)
        let outcome = record.sees(["title": "theirs"], 800)
        #expect(outcome.change == nil && record.state.view == nil)
        #expect(outcome.conflicts.map(\.winner) == [Version(nil, Record.mine(900))])
        #expect(outcome.conflicts.first?.loser == Version(Content(fields: ["title": "theirs"]), Record.at(800)))
    }

    // MARK: Apps

    @Test func `an app's value over an edit that it can't have seen`() {
        var record = Record.edited()
        let outcome = record.seesApp(["title": "app's"])
        #expect(record.title == "app's")
        #expect(outcome.conflicts.map(\.fields) == [["title"]])
        #expect(outcome.conflicts.first?.loser == Version(Content(fields: ["title": "mine"]), Record.mine(900)))
    }

    @Test func `not over one that it can have seen, and not twice`() {
        var record = Record.edited()
        record.isWritten()
        #expect(record.seesApp(["title": "app's"]).conflicts.isEmpty)
        _ = record.edits(.update(["note": "mine too"]), at: 2000)
        #expect(record.seesApp(["title": "app's", "note": "app's"]).conflicts.map(\.fields) == [["note"]])
        #expect(record.seesApp(["title": "other", "note": "app's"]).conflicts.isEmpty)
    }
}
