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
}
