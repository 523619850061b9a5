import ControlAPI
import Foundation
import SyncModel
import TestSupport
import Testing

@testable import SyncEngine

/// What status and health say of each trouble.
struct HealthTests {
    private typealias Facts = EngineStatus.Facts
    private static let now: Int64 = 1_800_000_000_000
    private static let movies = CollectionID.default

    private static func facts(_ change: (inout EngineStatus.Facts) -> Void) -> EngineStatus.Facts {
        var facts = EngineStatus.Facts(journal: JournalStatus(path: "/j"))
        facts.journalWatched = true
        facts.streams[.records(movies)] = .live
        change(&facts)
        return facts
    }

    private static func failure(_ code: RemoteError.Code) -> Facts.Failure { .init(RemoteError(code, "the words")) }

    @Test func `when all is well nothing is said`() {
        let facts = HealthTests.facts { _ in }
        #expect(facts.state == .running)
        #expect(facts.health(now: HealthTests.now) == HealthReport(level: .ok))
    }

    @Test func `what can't read its journal, or write its state, is not equal to anything`() {
        var facts = HealthTests.facts { $0.journalCaughtUp = true }
        #expect(facts.isConverged)
        facts.journal.lastError = "permission denied"
        #expect(!facts.isConverged)
        (facts.journal.lastError, facts.storeError) = (nil, "the disk is full")
        #expect(!facts.isConverged)
    }

    @Test(
        arguments: [
            (facts { $0.holds = [Hold(.emptyRemote, .pull, reason: "", since: 0)] }, false),
            (facts { $0.holds = [Hold(.futureEdit, .journal, reason: "", since: 0)] }, true),
            (facts { $0.quarantinedElsewhere = 1 }, false),
            (facts { ($0.quarantinedElsewhere, $0.journal.quarantined) = (1, 1) }, true),
        ] as [(EngineStatus.Facts, Bool)])
    func `nor is what the remote shows and nobody believes`(_ facts: EngineStatus.Facts, _ isConverged: Bool) {
        var facts = facts
        facts.journalCaughtUp = true
        #expect(facts.isConverged == isConverged && facts.isAtRest)
    }

    @Test(
        arguments: [
            (.unreachable, "the remote can't be reached: the words"),
            (.unauthorized, "the remote does not accept the credential: the words"),
            (.denied, "the remote's rules, or the credential, do not allow it: the words"),
            (.unavailable, "the remote is busy, or down: the words"),
            (.stopped, "the database is gone, disabled, out of quota, or forbids everything: the words"),
            (.refused, "the remote fails (refused): the words"),
        ] as [(RemoteError.Code, String)])
    func `a remote that fails is named at once, with the next attempt`(code: RemoteError.Code, words: String) {
        var facts = HealthTests.facts { facts in
            facts.failing[HealthTests.movies] = .init(
                failure: HealthTests.failure(code), retryAt: UInt64(HealthTests.now) + 90_000)
        }
        #expect(facts.state == .degraded)
        #expect(facts.health(now: HealthTests.now).reasons == [words + "; next attempt in 1 min"])
        facts.failing[HealthTests.movies] = .init(writeFailure: facts.failure)
        #expect(facts.health(now: HealthTests.now).reasons == ["writing fails: " + words])
        facts.failing = [:]
        #expect(facts.state == .running)
    }

    @Test func `what waits in one collection fails on, whatever rests in another`() {
        let (writing, reading) = (HealthTests.failure(.unauthorized), HealthTests.failure(.denied))
        var facts = HealthTests.facts { facts in
            facts.counts[HealthTests.movies, default: .init()].pending = 5
            facts.streams[.records("artists")] = .live
            facts.failing = [HealthTests.movies: .init(writeFailure: writing), "artists": .init(failure: reading)]
        }
        facts.forgetSettled()
        #expect(facts.failure == nil && facts.writeFailure == writing && facts.state == .degraded)
        facts.counts[HealthTests.movies, default: .init()].pending = 0
        facts.forgetSettled()
        #expect(facts.failing.isEmpty && facts.state == .running)
    }

    @Test func `what is deleted while the daemon runs is gone from its place`() throws {
        let node = try EngineUnderTest(socket: "control.sock")
        let socket = node.folder("control.sock")
        #expect(node.engine.misplaced.count == 1)
        try Data().write(to: URL(filePath: socket))
        #expect(node.engine.misplaced.isEmpty)
        try FileManager.default.removeItem(atPath: node.folder.path)
        let words = node.engine.misplaced
        #expect(words.count == 3 && words[0].hasPrefix("the state \(node.folder.path)/state/state.sqlite is gone"))
        #expect(words[1].hasPrefix("the journal's folder \(node.folder.path) is not there"))
        #expect(words[2].hasPrefix("the control socket \(socket) is gone"))
    }

    @Test func `a pause is no failure`() {
        let facts = HealthTests.facts { facts in
            facts.paused = [.push, .pull]
            facts.streams[.records(HealthTests.movies)] = .down
            facts.failing[HealthTests.movies] = .init(writeFailure: HealthTests.failure(.denied))
        }
        #expect(facts.state == .paused)
        let reasons = facts.health(now: HealthTests.now).reasons
        #expect(reasons == ["pull is paused: see moviesync resume pull", "push is paused: see moviesync resume push"])
    }

    @Test(
        arguments: [
            (facts { $0.storeError = "the disk is full" }, .critical, "the state can't be written: the disk is full"),
            (facts { $0.stateHangs = true }, .critical, "the disk of the state does not answer"),
            (facts { $0.journal.lastError = "no" }, .critical, "the journal can't be read: no"),
            (facts { $0.misplaced = ["the state /s is gone"] }, .critical, "the state /s is gone"),
            (
                facts { ($0.journalWatched, $0.started) = (false, UInt64(now) - 11_000) }, .warning,
                "the daemon has been starting for 11 s, and reads nothing of the journal yet"
            ),
            (
                facts { $0.peopleTrouble.unsaved = "the disk is full" }, .warning,
                "who has signed in or out is not kept, and forgotten when the daemon ends, until it can be"
            ),
            (facts { $0.peopleTrouble.unread = "no rights" }, .warning, "who had signed in is not known: no rights"),
            (facts { $0.feedError = "no" }, .warning, "the change feed can't be written"),
            (facts { $0.journal.waitsFor = "shelf" }, .warning, "the journal waits: shelf"),
            (facts { $0.quarantinedElsewhere = 2 }, .warning, "2 in quarantine: see moviesync quarantine"),
            (
                facts { $0.holds = [Hold(.massDelete, .journal, reason: "many", since: 0)] }, .critical,
                "hold 0 (massDelete): many: see moviesync holds"
            ),
            (
                facts {
                    $0.counts[movies, default: .init()].pending = 3
                    $0.oldestPending[movies] = now - 129_703_135_000
                }, .warning, "movies: 3 pending, the oldest for 4 years"
            ),
        ] as [(EngineStatus.Facts, HealthReport.Level, String)])
    func `each trouble has its level and its words`(
        facts: EngineStatus.Facts, level: HealthReport.Level, words: String
    ) {
        let health = facts.health(now: HealthTests.now)
        #expect(health.level == level)
        #expect(health.reasons.count == 1 && health.reasons[0].hasPrefix(words), "\(health.reasons)")
    }
}
