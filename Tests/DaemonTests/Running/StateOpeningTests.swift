import LocalStore
import Logging
import Synchronization
import Systemd
import TestSupport
import Testing

@testable import Daemon

@Suite(.timeLimit(.minutes(1))) struct StateOpeningTests {
    private final class Attempts: Sendable {
        let number = Mutex(0)

        /// Which attempt this is, from 1.
        func next() -> Int {
            number.withLock { number in
                number += 1
                return number
            }
        }
    }

    private static func opening(_ folder: String) -> StateOpening {
        StateOpening(
            folder: folder, notifier: SystemNotifier(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, pause: .zero)
    }

    @Test func `a state whose disk is full is opened when there is room`() async throws {
        let folder = try TemporaryFolder()
        let attempts = Attempts()
        let store = try await Self.opening(folder("state")).opened { folder in
            if attempts.next() < 3 { throw StoreError(.diskFull, "no room") }
            return try LocalStore(folder: folder)
        }
        #expect(attempts.next() == 4)
        store.close()
    }

    @Test func `nothing else is waited for`() async throws {
        let folder = try TemporaryFolder()
        let held = try LocalStore(folder: folder("state"))
        let error = await #expect(throws: StoreError.self) { try await Self.opening(folder("state")).opened() }
        #expect(error?.code == .inUse)
        held.close()
    }
}
