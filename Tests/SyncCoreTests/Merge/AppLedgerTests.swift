import JSONText
import SyncCore
import SyncModel
import Testing

/// What the ledger has where an app without stamps wrote between the edits of two nodes.
struct AppLedgerTests {
    typealias Record = RecordUnderTest

    /// An edit of the note that is dated before the last edit of another field, and not written when an app writes.
    private func editedEarlier() -> Record {
        var record = Record()
        let shown = Record.version(["title": "A", "note": "n", "year": 1979], Record.at(5), ["year": Record.at(500)])
        _ = record.sees(shown, Record.at(500))
        _ = record.edits(.update(["note": "mine"]), at: 400)
        return record
    }

    @Test(arguments: [1, 2])
    func `an edit that is lost to another node's, after an app wrote the record anew`(times: Int) {
        var record = editedEarlier()
        for number in 0..<times {
            #expect(record.seesApp(["title": .string("app's \(number)")]).conflicts.isEmpty)
        }
        let theirs = Record.version(
            ["title": .string("app's \(times - 1)"), "note": "theirs", "year": 1979], Record.at(5),
            ["title": Record.at(2000), "note": Record.at(450), "year": Record.at(500)])
        let conflicts = record.sees(theirs, Record.at(2001)).conflicts
        #expect(conflicts.map(\.fields) == [["note"]])
        #expect(conflicts.first?.winner == Version(Content(fields: ["note": "theirs"]), Record.at(450)))
        #expect(conflicts.first?.loser == Version(Content(fields: ["note": "mine"]), Record.mine(400)))
    }

    @Test func `an edit that is lost to the app's second write`() {
        var record = editedEarlier()
        #expect(record.seesApp(["title": "app's"]).conflicts.isEmpty)
        let conflicts = record.seesApp(["title": "app's", "note": "app's"]).conflicts
        #expect(conflicts.map(\.fields) == [["note"]])
        #expect(conflicts.first?.loser == Version(Content(fields: ["note": "mine"]), Record.mine(400)))
    }

    @Test func `not what was written before, also where the app took back what stands for nothing`() {
        var record = Record()
        _ = record.edits(.create(Record.film("A", watched: true)), at: 900)
        record.isWritten()
        #expect(record.seesApp(Record.film("A")).conflicts.isEmpty)
        for fields in [Record.film("A"), ["title": "A"]] {
            var copy = record
            let stamped = Record.version(fields, Record.mine(900), ["hasWatched": Record.at(2000)])
            #expect(copy.sees(stamped, Record.at(2001)).conflicts.isEmpty)
        }
    }

    @Test func `not a second time when another node stamps what the app wrote`() {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n"], 5)
        _ = record.edits(.update(["title": "mine"]), at: 900)
        #expect(record.seesApp(["title": "app's", "note": "n"]).conflicts.map(\.fields) == [["title"]])
        let stamped = Record.version(["title": "app's", "note": "n"], Record.at(5), ["title": Record.at(2000)])
        #expect(record.sees(stamped, Record.at(2000)).conflicts.isEmpty)
    }

    @Test func `not a second time when an app writes once more`() {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n"], 5)
        _ = record.edits(.update(["title": "mine"]), at: 900)
        #expect(record.seesApp(["title": "app's", "note": "n"]).conflicts.map(\.fields) == [["title"]])
        #expect(record.seesApp(["title": "app's second", "note": "n"]).conflicts.isEmpty)
        _ = record.edits(.update(["title": "mine again"]))
        #expect(record.seesApp(["title": "app's third", "note": "n"]).conflicts.map(\.fields) == [["title"]])
    }

    @Test func `not what an app wrote and was edited over, when another node stamps it`() throws {
        var record = Record()
        _ = record.sees(["title": "A", "note": "n"], 5)
        _ = record.seesApp(["title": "A", "note": "app's"])
        _ = record.edits(.update(["note": "over the app's"]))
        let stamped = Record.version(["title": "A", "note": "app's"], Record.at(5), ["note": Record.at(2000)])
        #expect(record.sees(stamped, Record.at(2000)).conflicts.isEmpty)
        #expect(record.fields?["note"] == "over the app's")
        // Nor is it merged: the version is the edit's, which goes above that stamp.
        let version = try #require(record.state.stamp)
        #expect(version == record.stamp(of: "note") && version > Record.at(2000))
    }
}
