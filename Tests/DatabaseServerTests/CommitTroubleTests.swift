import DatabaseTree
import FirebaseWire
import Logging
import TestSupport
import Testing

@testable import DatabaseServer

struct CommitTroubleTests {
    private static let begin = ContinuousClock.now

    @Test func `a trouble is said when it begins, then once a minute, and when it is over`() {
        var trouble = CommitTrouble()
        #expect(trouble.worked(at: CommitTroubleTests.begin) == nil)
        let said = (0..<150).map { trouble.failed(2, at: CommitTroubleTests.begin + .seconds($0)) }
        #expect(said.enumerated().filter { $0.element != nil }.map(\.offset) == [0, 60, 120])
        #expect(said.compactMap(\.self) == [2, 120, 120])
        let past = CommitTrouble.Past(count: 300, duration: .seconds(200))
        #expect(trouble.worked(at: CommitTroubleTests.begin + .seconds(200)) == past)
        #expect(trouble.worked(at: CommitTroubleTests.begin + .seconds(201)) == nil)
        #expect(trouble.failed(1, at: CommitTroubleTests.begin + .seconds(202)) == 1)
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `a full disk is said once, in plain words, and so is that it works again`() async throws {
        let folder = try TemporaryFolder()
        let (logger, events) = NotedEvents.make()
        let queue = try await LooseQueue(folder.path, logger: logger)
        try await queue.put("/a", "1")
        try queue.setFull(true)
        let large = "\"\(String(repeating: "x", count: 100_000))\""
        for _ in 0..<3 {
            let error = await #expect(throws: StorageError.self) { try await queue.put("/b", large) }
            #expect(error?.message == "The server could not store this: the disk is full")
        }
        try queue.setFull(false)
        try await queue.put("/b", large)
        var heard: [Logger.Metadata] = []
        for await event in events where event["event"]?.description.hasPrefix("commit.") == true {
            heard.append(event)
            if event["event"] == "commit.recovered" { break }
        }
        #expect(heard.compactMap { $0["event"]?.description } == ["commit.failed", "commit.recovered"])
        #expect(heard.first?["reason"] == "the disk is full" && heard.first?["count"] == "1")
        #expect(heard.last?["count"] == "3")
        try await queue.close()
    }
}
