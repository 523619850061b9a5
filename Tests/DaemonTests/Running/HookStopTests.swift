import HookRules
import JSONText
import LocalStore
import Logging
import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import HookDelivery

/// A hook that is stopped at any moment: its cursor never passes what it did not take, and what is not put aside.
struct HookStopTests {
    private let store: LocalStore
    private let count: Int64 = 40

    init() throws {
        store = try LocalStore(StateInMemory(), identity: "here", newNode: NodeID(1))
        _ = try store.writeNow { [count] transaction in
            for number in 1...count {
                let key = RecordKey("movies", RecordID(high: 0, low: UInt64(number)))
                let version = Version(Content(fields: ["title": "A"]), .zero)
                _ = try transaction.append(
                    change: .create, origin: .journal, of: key, version, at: 1, past: nil, previous: nil)
            }
        }
    }

    private func runner(_ outcome: @escaping @Sendable () async -> HookOutcome) -> HookRunner {
        let context = HookContext(
            store: store, variables: [:], readSecret: { _ in [] }, addresses: { _ in [] },
            callPlugin: { _, _ in await outcome() }, wall: { 1 }, sleep: { _ in },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        return HookRunner(
            HookSettings(name: "hook", way: .plugin, collections: []), StoredHook(name: "plugin:hook", cursor: 0),
            quarantined: 0, context)
    }

    @Test(.timeLimit(.minutes(1)), arguments: 0..<60)
    func `what it refuses while it is stopped is put aside all the same`(seed: UInt64) async throws {
        var random = SeededRandom(seed)
        let told = Mutex(0)
        let last = Int.random(in: 1...Int(count), using: &random)
        let (reached, reaches) = AsyncStream<Void>.makeStream()
        let runner = runner {
            if told.withLock({ told in
                told += 1
                return told == last
            }) {
                reaches.finish()
            }
            return .refused("no")
        }
        let running = Task { await runner.run() }
        for await _ in reached {}
        for _ in 0..<Int.random(in: 0...30, using: &random) { await Task.yield() }
        runner.stop()
        await running.value
        let (cursor, aside) = try await store.read { transaction in
            (
                try transaction.hook("plugin:hook")?.cursor ?? 0,
                try transaction.refusedEvents(of: "plugin:hook", after: 0, limit: 100).map(\.sequence)
            )
        }
        #expect(aside == Array(1...max(cursor, 1)).filter { $0 <= cursor })
    }
}
