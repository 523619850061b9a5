import LocalStore
import Logging
import Synchronization
import TestSupport

@testable import SyncEngine

/// A feed with what it said last.
final class RunningFeed: Sendable {
    let signal = Signal()
    private let feed: ChangeFeedFile
    private let said = Said()

    private final class Said: Sendable {
        let bell = Bell()
        let last = Mutex<Int64>(0)
        let failures = Mutex(0)
        let isFine = Mutex(false)
    }

    init(store: LocalStore, path: String, keeping: Int64, limits: FeedLimits, now: UInt64?) {
        var feed = ChangeFeedFile(
            store: store, path: path, logger: Logger(label: "test"), signal: signal
        ) { [said] result in
            switch result {
            case .success(let sequence): said.last.withLock { $0 = sequence }
            case .failure: said.failures.withLock { $0 += 1 }
            }
            said.isFine.withLock { $0 = (try? result.get()) != nil }
            said.bell.ring()
        }
        feed.keeping = keeping
        feed.limits = { limits }
        feed.now = { now }
        self.feed = feed
    }

    func run() async { await feed.run() }

    func wait(for sequence: Int64) async throws {
        _ = try await until("entry \(sequence)", hearing: [said.bell]) { [said] in
            said.last.withLock { $0 } == sequence ? true : nil
        }
    }

    func waitForSuccess() async throws {
        _ = try await until("a success", hearing: [said.bell]) { [said] in said.isFine.withLock { $0 } ? true : nil }
    }

    func waitForFailure(times: Int = 1) async throws {
        _ = try await until("a failure", hearing: [said.bell]) { [said] in
            said.failures.withLock { $0 } >= times ? true : nil
        }
    }
}
