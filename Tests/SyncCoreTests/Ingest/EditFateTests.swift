import JSONText
import SyncCore
import SyncModel
import Testing

struct EditFateTests {
    private static func evidence(
        _ isTaken: Bool, _ pending: Pending, _ change: (inout EditFate.Evidence) -> Void = { _ in }
    ) -> EditFate.Evidence {
        var evidence = EditFate.Evidence(isTaken: isTaken, pending: pending)
        change(&evidence)
        return evidence
    }

    private static let stamp = Stamp(physical: 1, counter: 0, node: NodeID(1))
    private static let film = EditFate.GivenUp(
        number: 6, winner: Version(Content(fields: ["title": .string("A")]), stamp))
    private static let nothing = EditFate.GivenUp(number: 6, winner: Version(nil, stamp))

    @Test(
        arguments: [
            (evidence(false, .no), .unread(heldBy: nil), false),
            // The remote has the record, but not this edit of it.
            (evidence(false, .no) { $0.journalHold = 4 }, .unread(heldBy: 4), true),
            (evidence(true, .no), .confirmed, true), (evidence(true, .yes), .pending, false),
            (evidence(true, .no) { $0.hold = 1 }, .held(by: 1), true),
            (evidence(true, .no) { $0.item = 3 }, .quarantined(item: 3), true),
            (evidence(false, .no) { $0.item = 3 }, .quarantined(item: 3), true),
            // Another line with the same opID has taken its place.
            (evidence(true, .no) { ($0.hasWaited, $0.item) = (true, 3) }, .confirmed, true),
            (evidence(true, .yes) { ($0.hasWaited, $0.hold) = (true, 1) }, .pending, false),
            (evidence(false, .no) { ($0.hasWaited, $0.item) = (true, 3) }, .quarantined(item: 3), true),
            (evidence(true, .blocked) { $0.recordHold = 2 }, .held(by: 2), true),
            (evidence(true, .blocked) { $0.refusal = 5 }, .refused(item: 5), true),
            (evidence(true, .blocked), .refused(item: nil), true),
            // A hold of something else about the record says nothing of an edit that was pushed.
            (evidence(true, .no) { $0.recordHold = 2 }, .confirmed, true),
            (evidence(true, .yes) { $0.journalHold = 4 }, .pending, false),
            (evidence(true, .yes) { $0.isPaused = true }, .paused, true),
            (evidence(true, .no) { $0.isPaused = true }, .confirmed, true),
            // A version of the record was refused and dropped: it may have been in that.
            (
                evidence(true, .no) { ($0.givenUp, $0.version) = (film, film.winner) },
                .confirmedOrGivenUp(conflict: 6), true
            ),
            (evidence(true, .yes) { ($0.givenUp, $0.version) = (film, film.winner) }, .pending, false),
            (evidence(false, .no) { $0.givenUp = film }, .unread(heldBy: nil), false),
            // Nothing was there before that version, and nothing since.
            (evidence(true, .yes) { $0.givenUp = nothing }, .dropped, true),
            (evidence(true, .yes) { ($0.givenUp, $0.version) = (nothing, nothing.winner) }, .dropped, true),
            (evidence(true, .yes) { ($0.givenUp, $0.version) = (nothing, film.winner) }, .pending, false),
            // It is tried again when all of the remote has been read.
            (
                evidence(true, .no) { ($0.item, $0.lacksRecord, $0.hasReadAll) = (3, true, false) }, .early(item: 3),
                false
            ),
            (evidence(true, .no) { ($0.item, $0.lacksRecord) = (3, true) }, .quarantined(item: 3), true),
            (evidence(true, .no) { ($0.item, $0.hasReadAll) = (3, false) }, .quarantined(item: 3), true),
        ] as [(EditFate.Evidence, EditFate, Bool)])
    func `a line is somewhere`(evidence: EditFate.Evidence, fate: EditFate, isFinal: Bool) {
        #expect(EditFate(evidence) == fate)
        #expect(EditFate(evidence).isFinal == isFinal)
    }
}
