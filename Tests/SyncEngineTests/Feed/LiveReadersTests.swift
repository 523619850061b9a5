import ControlAPI
import LocalStore
import SyncModel
import TestSupport
import Testing

@testable import SyncEngine

/// Readers of a feed that forgets.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct LiveReadersTests {
    private let folder: TemporaryFolder
    private let store: LocalStore

    init() throws {
        folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.changes = 100
        store = try LocalStore(folder: folder("state"), limits: limits)
    }

    private func change(_ count: Int) async throws {
        _ = try await store.write { transaction throws in
            let key = RecordKey("movies", RecordID(high: 0x4011, low: 1))
            let version = Version(Content(text: Array("{}".utf8), hash: .deleted), .zero)
            for _ in 0..<count {
                try transaction.append(change: .update, origin: .journal, of: key, version, at: 9)
            }
        }
    }

    @Test func `a reader gets all that is kept`() async throws {
        try await change(60)
        var changes = LiveReaders().changes(after: 0, from: store).makeAsyncIterator()
        #expect(await changes.next()?.seq == 1)
        try await change(30)
        for number: Int64 in 2...90 { #expect(await changes.next()?.seq == number) }
    }

    @Test func `who is so slow that something was forgotten hears nothing of what follows it`() async throws {
        try await change(60)
        var changes = LiveReaders().changes(after: 0, from: store).makeAsyncIterator()
        #expect(await changes.next()?.seq == 1)
        try await change(300)
        for number: Int64 in 2...60 { #expect(await changes.next()?.seq == number) }
        #expect(await changes.next() == nil)
    }
}
