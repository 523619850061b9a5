import ControlAPI
import Testing

@Suite struct StatusLineTests {
    private let now = Moment(milliseconds: 1_000_000)

    private func status(_ change: (inout StatusSnapshot) -> Void = { _ in }) -> StatusSnapshot {
        var status = StatusSnapshot(
            node: "00", pid: 1, startedAt: now, state: .running, journal: JournalStatus(path: "/j"), collections: [:],
            remote: RemoteStatus(plugin: "firebase", url: "http://hub", stream: .live))
        status.collections = ["artists": CollectionStatus(), "movies": CollectionStatus(records: 36_273)]
        change(&status)
        return status
    }

    private func line(_ change: (inout StatusSnapshot) -> Void) -> String {
        StatusLine(status(change), now: now).description
    }

    @Test func `what is equal is counted`() {
        #expect(StatusLine(status(), now: now).description == "synced 36,273 movies")
        #expect(
            StatusLine(status(), quarantined: 3, now: now).description == "synced 36,273 movies; 3 in quarantine")
        #expect(line { $0.collections = [:] } == "synced nothing yet")
        #expect(line { $0.collections["artists"]?.records = 1 } == "synced 1 record of artists, 36,273 movies")
    }

    @Test func `what waits says how long, why, and when it is tried again`() {
        let said = line {
            $0.collections["movies"]?.pending = 12
            $0.collections["movies"]?.oldestPendingSeconds = 250
            $0.remote.stream = .down
            $0.remote.trouble = "http://hub answered 503"
            $0.remote.retryAt = Moment(milliseconds: now.milliseconds + 29_500)
        }
        #expect(said == "12 pending for 4 min: http://hub answered 503, next try in 30 s")
        #expect(line { $0.collections["movies"]?.pending = 2 } == "2 pending")
    }

    @Test func `a push that is refused is named, though the stream is live`() {
        let said = line {
            $0.collections["movies"]?.pending = 1
            $0.remote.trouble = "http://hub answered 401"
        }
        #expect(said == "1 pending: http://hub answered 401")
        #expect(line { $0.remote.lastError = "over" } == "synced 36,273 movies")
    }

    @Test func `a remote that is away is named, though nothing waits`() {
        #expect(line { $0.remote.trouble = "nobody answers" } == "not synced: nobody answers")
    }

    @Test func `a decision, a pause and a fault come first`() {
        let hold = HoldReply(id: 1, kind: "massDelete", reason: "the journal would delete 9,000 movies", since: now)
        let held = line {
            $0.remote.stream = .down
            $0.holds = [hold, hold]
        }
        #expect(held == "held: the journal would delete 9,000 movies; waits for approval, with 1 more")
        let paused = line {
            $0.pausedDirections = ["push"]
            $0.collections["movies"]?.pending = 3
        }
        #expect(paused == "paused by a person: push, 3 pending")
        let waiting = line { $0.journal.waitsFor = "the check isbn is down" }
        #expect(waiting == "the journal waits: the check isbn is down")
        let broken = status { $0.holds = [hold] }
        #expect(StatusLine(broken, fault: "the disk is full", now: now).description == "degraded: the disk is full")
    }

    @Test func `the start and the stop are what they are`() {
        #expect(line { $0.state = .starting } == "starting")
        #expect(line { $0.state = .stopping } == "stopping")
        #expect(line { $0.remote.stream = .connecting } == "connecting to the remote")
        #expect(line { $0.remote.stream = .snapshot } == "loading from the remote")
    }
}
