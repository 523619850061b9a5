internal import CSystemd
internal import Glibc

/// Tells the service manager how the daemon is doing, over the socket that `NOTIFY_SOCKET` names.
///
/// Where the variable is not set, or the manager does not listen, nothing happens: a daemon run by hand behaves the
/// same. May be called from any thread.
package struct SystemNotifier: Sendable {
    package init() {}

    /// The start, or a reload, is finished. `status` becomes the line that `systemctl status` shows; ``StatusBoard`` says
    /// it.
    func ready(status: String? = nil) { send(["READY=1"] + line(status)) }

    /// What the daemon is doing, as one line for people; line breaks become spaces. ``StatusBoard`` says it.
    func status(_ text: String) { send(line(text)) }

    /// A reload begins; ``StatusBoard/ready(note:)`` must follow, also where it fails.
    package func reloading() {
        send(["RELOADING=1", "MONOTONIC_USEC=\(Self.monotonicMicroseconds())"])
    }

    /// The start goes on, and takes up to `limit` more; `text` becomes the line that `systemctl status` shows.
    package func starting(_ text: String, within limit: Duration) {
        send(line(text) + [Self.extension(by: limit)])
    }

    /// The shutdown begins, and takes up to `limit`.
    package func stopping(within limit: Duration) {
        send(["STOPPING=1", "STATUS=stopping", Self.extension(by: limit)])
    }

    /// Runs `body`, during which the manager grants the start or the stop more time than its unit says; at most ten
    /// minutes, so that what hangs is not waited for without end.
    package func extendingTimeout<Result>(_ status: String, _ body: () throws -> Result) async rethrows -> Result {
        let extending = Task {
            for _ in 0..<60 where !Task.isCancelled {
                send(["STATUS=" + status, Self.extension(by: .seconds(20))])
                try? await Task.sleep(for: .seconds(10))
            }
        }
        defer { extending.cancel() }
        return try body()
    }

    private static func `extension`(by duration: Duration) -> String {
        "EXTEND_TIMEOUT_USEC=\(Int64(duration / .microseconds(1)))"
    }

    /// The daemon is alive; to be called from the loop that does the work, so that a hang is seen.
    package func watchdog() { send(["WATCHDOG=1"]) }

    /// How often ``watchdog()`` is to be called: half of what the manager allows; nil where it does not watch.
    package var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds / 2))
    }

    private func line(_ status: String?) -> [String] {
        guard let status else { return [] }
        return ["STATUS=" + String(status.map { $0.isNewline || $0 == "\0" ? " " : $0 })]
    }

    /// "Sent" does not mean "accepted", and there is nobody to tell about a failure: the result is not looked at.
    private func send(_ assignments: [String]) {
        _ = sd_notify(0, assignments.joined(separator: "\n"))
    }

    /// The clock that the manager compares with: `CLOCK_MONOTONIC`, which stands still while the machine sleeps.
    private static func monotonicMicroseconds() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }
}
