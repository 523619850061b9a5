internal import ControlAPI
internal import Synchronization

extension SyncEngine {
    /// What the daemon does, in one line for people.
    package var statusLine: String { context.status.line(remote: context.remote) }

    /// ``statusLine`` each time it has changed, at most once a second; ends when its reader is cancelled.
    ///
    /// A throttled sequence of swift-async-algorithms would keep the last change of a second to itself.
    package func statusLines() -> AsyncStream<String> {
        let signal = Signal()
        let number = context.status.waiters.add(signal)
        let last = Mutex("")
        return AsyncStream { [context] in
            while !Task.isCancelled {
                let line = self.statusLine
                let isNew = last.withLock { last in
                    defer { last = line }
                    return last != line
                }
                if isNew { return line }
                // How long something waits is told each minute; with nothing to tell, nothing wakes up.
                await signal.wait(for: context.status.current.isSettled ? nil : .seconds(60))
                try? await Task.sleep(for: .seconds(1))
            }
            context.status.waiters.remove(number)
            return nil
        } onCancel: {
            signal.notify()
        }
    }
}
