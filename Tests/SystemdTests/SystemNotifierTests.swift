import Glibc
import TestSupport
import Testing

@testable import Systemd

/// Each test runs in a process of its own, because the address of the manager stands in the environment.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct SystemNotifierTests {
    @Test func `nothing is sent without a manager`() async {
        await #expect(processExitsWith: .success) {
            unsetenv("NOTIFY_SOCKET")
            SystemNotifier().ready()
            #expect(SystemNotifier().watchdogInterval == nil)
        }
    }

    @Test func `ready, stopping and alive are said`() async {
        await #expect(processExitsWith: .success) {
            let manager = try Manager()
            SystemNotifier().ready(status: "running")
            #expect(manager.received() == "READY=1\nSTATUS=running")
            SystemNotifier().stopping(within: .seconds(20))
            #expect(manager.received() == "STOPPING=1\nSTATUS=stopping\nEXTEND_TIMEOUT_USEC=20000000")
            SystemNotifier().watchdog()
            #expect(manager.received() == "WATCHDOG=1")
        }
    }

    @Test func `more time is asked for while something goes on, and not before or after`() async {
        await #expect(processExitsWith: .success) {
            let manager = try Manager()
            let said = await SystemNotifier().extendingTimeout("opening the state") { manager.received() }
            #expect(said == "STATUS=opening the state\nEXTEND_TIMEOUT_USEC=20000000")
            SystemNotifier().ready()
            #expect(manager.received() == "READY=1")
        }
    }

    @Test func `a status is one line`() async {
        await #expect(processExitsWith: .success) {
            let manager = try Manager()
            SystemNotifier().status("two\nlines\r\nREADY=1")
            #expect(manager.received() == "STATUS=two lines READY=1")
        }
    }

    @Test func `a reload carries the manager's clock`() async {
        await #expect(processExitsWith: .success) {
            let manager = try Manager()
            var before = timespec()
            clock_gettime(CLOCK_MONOTONIC, &before)
            SystemNotifier().reloading()
            let lines = manager.received().split(separator: "\n")
            #expect(lines.first == "RELOADING=1")
            let time = try #require(lines.last.flatMap { Int($0.dropFirst("MONOTONIC_USEC=".count)) })
            let earliest = before.tv_sec * 1_000_000 + before.tv_nsec / 1000
            #expect((earliest...(earliest + 60_000_000)).contains(time))
        }
    }

    @Test func `the watchdog is fed at half its time`() async {
        await #expect(processExitsWith: .success) {
            setenv("WATCHDOG_USEC", "3000000", 1)
            setenv("WATCHDOG_PID", "\(getpid())", 1)
            #expect(SystemNotifier().watchdogInterval == .milliseconds(1500))
            setenv("WATCHDOG_PID", "1", 1)
            #expect(SystemNotifier().watchdogInterval == nil)
        }
    }
}

/// The receiving end of the service manager's protocol, at an abstract address that needs no file.
struct Manager {
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        let name = "moviesync-test-\(getpid())"
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: [0] + Array(name.utf8)) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        try #require(bound == 0)
        setenv("NOTIFY_SOCKET", "@" + name, 1)
    }

    /// The next message; empty where none arrives within ten seconds.
    func received() -> String {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 10_000) == 1 else { return "" }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}
