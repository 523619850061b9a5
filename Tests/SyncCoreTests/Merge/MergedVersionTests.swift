import JSONText
import SyncCore
import SyncModel
import Testing

/// Which versions have a stamp above those of all their fields, by which others know that an edit of theirs had not been seen,
/// and what they make of one: `docs/protocol.md` section 4.
struct MergedVersionTests {
    typealias Record = RecordUnderTest

    private func isMerged(_ record: Record) throws -> Bool {
        let (version, live) = (try #require(record.state.stamp), try #require(record.state.known.live))
        return version > live.stamps.newest
    }

    @Test(arguments: [false, true]) func `two edits in a row are none, whatever tells of the first`(isShown: Bool)
        throws
    {
        var record = Record.edited()
        let (sent, stamp) = (try #require(record.state.outgoing(record.rules)), try #require(record.state.stamp))
        _ = record.edits(.update(["note": "mine"]), at: 901)
        if isShown {
            _ = record.sees(sent, stamp)
        } else {
            _ = record.state.acknowledged(sent, at: stamp, etag: "w", clock: &record.clock, record.context)
        }
        #expect(record.differs && record.state.stamp == Record.mine(901))
    }

    @Test func `one that has taken in another's edit is one, also where that was older than what was known`() throws {
        var record = Record.edited()
        let theirs = Record.version(["title": "theirs", "note": "n"], Record.at(5), ["title": Record.at(800)])
        _ = record.sees(theirs, Record.at(800))
        #expect(try isMerged(record))
        // The remote was set back, and one who knew nothing later has written there.
        record = Record()
        _ = record.sees(["title": "C"], 950)
        _ = record.sees(["title": "A"], 800)
        #expect(try record.title == "C" && isMerged(record))
    }

    @Test(arguments: [true, false])
    func `what was merged with ours was not seen, and what was merged with another's may have been`(isOurs: Bool) {
        var record = Record.edited()
        record.isWritten()
        let note = isOurs ? [:] : ["note": Record.at(950, node: NodeID(3))]
        let stamps = ["title": Record.at(1000)].merging(note) { $1 }
        let merged = Record.version(["title": "theirs", "note": "n"], Record.at(5), stamps)
        #expect(record.sees(merged, Record.at(1100)).conflicts.map(\.fields) == (isOurs ? [["title"]] : []))
    }

    @Test(arguments: [true, false])
    func `whoever replaces a version of ours had seen all of it, though its answer never came`(isOurs: Bool) {
        var record = Record.edited()
        let theirs = Record.version(["title": "theirs", "note": "n"], Record.at(5), ["title": Record.at(2000)])
        let conflicts = record.sees(theirs, Record.at(2000), replacing: isOurs ? Record.mine(900) : Record.at(5))
            .conflicts
        #expect(conflicts.map(\.fields) == (isOurs ? [] : [["title"]]))
    }
}
