import Synchronization
import TestSupport
import Testing

@testable import Systemd

/// Each test runs in a process of its own, because the address of the manager stands in the environment.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct StatusBoardTests {
    @Test func `what a reload has shown is replaced by what stood there before it`() async {
        await #expect(processExitsWith: .success) {
            let (manager, work) = (try Manager(), Work())
            let board = StatusBoard(SystemNotifier()) { work.line }
            board.ready()
            #expect(manager.received() == "READY=1\nSTATUS=synced 3 movies")
            work.line = "connecting to the remote"
            board.ready()
            #expect(manager.received() == "READY=1\nSTATUS=connecting to the remote")
            work.line = "synced 3 movies"
            board.refresh()
            #expect(manager.received() == "STATUS=synced 3 movies")
        }
    }

    @Test func `the same line is sent once, and what hung and is over is replaced`() async {
        await #expect(processExitsWith: .success) {
            let (manager, work) = (try Manager(), Work())
            let board = StatusBoard(SystemNotifier()) { work.line }
            board.refresh()
            board.refresh()
            board.warn("hangs: engine")
            work.line = "synced 4 movies"
            board.refresh()
            board.warn(nil)
            board.notifier.watchdog()
            #expect(manager.received() == "STATUS=synced 3 movies")
            #expect(manager.received() == "STATUS=hangs: engine")
            #expect(manager.received() == "STATUS=synced 4 movies")
            #expect(manager.received() == "WATCHDOG=1")
        }
    }

    @Test func `what a reload leaves to say stands there until the next one`() async {
        await #expect(processExitsWith: .success) {
            let (manager, work) = (try Manager(), Work())
            let board = StatusBoard(SystemNotifier()) { work.line }
            board.ready(note: "waits for a restart: local")
            #expect(manager.received() == "READY=1\nSTATUS=synced 3 movies; waits for a restart: local")
            work.line = "synced 4 movies"
            board.refresh()
            #expect(manager.received() == "STATUS=synced 4 movies; waits for a restart: local")
            board.ready()
            #expect(manager.received() == "READY=1\nSTATUS=synced 4 movies")
        }
    }
}

/// What a daemon does.
private final class Work: Sendable {
    private let state = Mutex("synced 3 movies")

    var line: String {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
