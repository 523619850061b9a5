import ControlAPI
import Dispatch
import LocalStore
import Synchronization
import TestSupport
import Testing

@testable import SyncEngine

@Suite(.timeLimit(.minutes(1))) struct LifeSignTests {
    private final class Parts: Sendable {
        let names = Mutex(Set<String>())
    }

    private static let all: Set<String> = ["the journal", "the state", "the sync of movies"]

    @Test func `each part of an engine with nothing to do lives`() async throws {
        try await EngineUnderTest().whileRunning { test in
            try await test.until("it runs") { $0.state == .running }
            for sign in test.engine.lifeSigns { await sign.isAlive() }
            #expect(Set(test.engine.lifeSigns.map(\.part)) == Self.all)
        }
    }

    @Test func `a writer of the state that hangs is seen, and all that needs it`() async throws {
        try await EngineUnderTest().whileRunning { test in
            try await test.until("the collections run") { $0.remote.stream == .live }
            let (hangs, hanging) = AsyncStream<Void>.makeStream()
            let end = DispatchSemaphore(value: 0)
            let hung = Task { [store = test.store] in
                try await store.write { _ in
                    hanging.finish()
                    end.wait()
                }
            }
            for await _ in hangs {}
            let alive = Parts()
            let signs = test.engine.lifeSigns.map { sign in
                Task {
                    await sign.isAlive()
                    alive.names.withLock { _ = $0.insert(sign.part) }
                }
            }
            await signs[0].value
            #expect(alive.names.withLock { $0 } == ["the journal"])
            end.signal()
            _ = try await hung.value
            for sign in signs { await sign.value }
            #expect(alive.names.withLock { $0 } == Self.all)
        }
    }

    @Test func `a journal that waits lives, and one that hangs does not`() async {
        let pulse = Pulse()
        let (entered, entering) = AsyncStream<Void>.makeStream()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await pulse.waiting {
                    entering.finish()
                    try? await Task.sleep(for: .seconds(3_600))
                }
            }
            for await _ in entered {}
            await pulse.isFelt { try? await Task.sleep(for: .seconds(3_600)) }
            group.cancelAll()
        }
        let hung = Task {
            await pulse.isFelt { try? await Task.sleep(for: .seconds(3_600)) }
            return Task.isCancelled
        }
        hung.cancel()
        #expect(await hung.value, "nothing but being cancelled ended it")
        await pulse.isFelt {}
    }

    @Test func `a beat shows life without an answer`() async {
        let pulse = Pulse()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    pulse.beat()
                    await Task.yield()
                }
            }
            await pulse.isFelt { try? await Task.sleep(for: .seconds(3_600)) }
            group.cancelAll()
        }
    }
}
