import JSONText
import SyncCore
import SyncModel
import Testing

/// What the ledger has of a field with `merge: set`, whose members carry stamps of their own.
struct SetLedgerTests {
    typealias Record = RecordUnderTest

    @Test func `members of a set are decided each by itself`() {
        let theirs: [(StampedContent, wins: Bool, lost: Bool)] = [
            // The whole record anew, by somebody who has seen no member.
            (Record.version(["title": "A"], Record.at(2000)), false, true),
            (Record.version(["tags": ["other"], "title": "A"], Record.at(2000)), false, true),
            // Another member, and another field.
            (
                Record.version(["tags": ["other"], "title": "A"], Record.at(5), ["tags/other": Record.at(2000)]), true,
                false
            ),
            (Record.version(["title": "B"], Record.at(5), ["title": Record.at(2000)]), true, false),
            // This member, removed by somebody else before.
            (Record.version(["title": "A"], Record.at(5), ["tags/mine": Record.at(800)]), true, true),
        ]
        for (shown, wins, isDecided) in theirs {
            var record = Record(MergeRules(fields: ["tags": .set]))
            _ = record.sees(["title": "A"], 5)
            _ = record.edits(.update(["tags": ["mine"]]), at: 900)
            let conflicts = record.sees(shown, shown.newest).conflicts
            #expect(record.fields?["tags"].map { "\($0)".contains("mine") } ?? false == wins)
            #expect(conflicts.map(\.fields) == (isDecided ? [["tags"]] : []))
            guard let conflict = conflicts.first else { continue }
            #expect(conflict.rule == .fieldRule)
            #expect((wins ? conflict.winner : conflict.loser).content?.fields == ["tags": ["mine"]])
        }
    }

    @Test func `a member that was removed here before a delete elsewhere`() {
        let shown: [String: JSONValue] = ["title": "A", "tags": ["a"]]
        for edit in [Edit.create(["title": "mine"]), .create(["title": "A"]), .update(["tags": nil])] {
            var record = Record(MergeRules(fields: ["tags": .set]))
            _ = record.sees(shown, 5)
            _ = record.edits(edit, at: 400)
            let mine = Version(Content(fields: record.fields ?? [:]), Record.mine(400))
            let noted = record.seesTombstone(Record.at(900), ended: Content(fields: shown).hash).conflicts
            #expect(record.fields == nil)
            #expect(noted.map(\.winner) == [Version(nil, Record.at(900))])
            #expect(noted.map(\.loser) == [mine])
            // Who brings it back knew of neither: while the delete is known, so is the removal.
            let theirs = Record.version(
                ["title": "B", "tags": ["a"]], Record.at(5), ["title": Record.at(2000)])
            _ = record.sees(theirs, Record.at(2000))
            #expect(record.fields == ["title": "B"])
        }
    }
}
