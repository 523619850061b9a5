internal import ControlAPI
internal import Synchronization

extension SyncEngine {
    /// What the daemon does, in one line for people.
    package var statusLine: String { context.status.line(remote: context.remote) }

    /// That ``statusLine`` may be another one: at once, and from then on at most once a second; ends when its reader is
    /// cancelled.
    ///
    /// A throttled sequence of swift-async-algorithms would keep the last change of a second to itself.
    package func statusChanges() -> AsyncStream<Void> {
        let signal = Signal()
        let number = context.status.waiters.add(signal)
        let isFirst = Mutex(true)
        return AsyncStream { [context] () async -> Void? in
            let comesAtOnce = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if !comesAtOnce {
                // How long something waits is told each minute; with nothing to tell, nothing wakes up.
                await signal.wait(for: context.status.current.isSettled ? nil : .seconds(60))
                try? await Task.sleep(for: .seconds(1))
            }
            guard Task.isCancelled else { return () }
            context.status.waiters.remove(number)
            return nil
        } onCancel: {
            signal.notify()
        }
    }
}
