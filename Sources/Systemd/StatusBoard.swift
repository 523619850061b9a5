internal import Synchronization

/// The line that `systemctl status` shows while the daemon runs: the only place that says it, so that none goes by which
/// is not remembered here.
///
/// May be used from any thread.
package final class StatusBoard: Sendable {
    private struct State: Sendable {
        /// What is to be known beside what the daemon does.
        var note: String?
        /// What stands there in place of all else.
        var warning: String?
        /// What the manager has heard last.
        var shown: String?
    }

    /// Tells the manager everything but lines.
    package let notifier: SystemNotifier
    private let line: @Sendable () -> String
    private let state = Mutex(State())

    /// - Parameter line: what the daemon does at this moment, for people.
    package init(_ notifier: SystemNotifier, line: @escaping @Sendable () -> String) {
        self.notifier = notifier
        self.line = line
    }

    /// The start, or a reload, is finished; `note` stands behind what the daemon does until the next reload.
    package func ready(note: String? = nil) {
        state.withLock { state in
            state.note = note
            notifier.ready(status: next(&state))
        }
    }

    /// What the daemon does may have changed: the manager hears of it where it has.
    package func refresh() {
        state.withLock { state in
            let shown = state.shown
            let text = next(&state)
            if text != shown { notifier.status(text) }
        }
    }

    /// `text` stands there in place of all else until it is taken away; nil takes it away.
    package func warn(_ text: String?) {
        state.withLock { $0.warning = text }
        refresh()
    }

    /// What is to be shown now. Asked for under the lock, so that an older line never goes over a newer one.
    private func next(_ state: inout State) -> String {
        let text = state.warning ?? [line(), state.note].compactMap(\.self).joined(separator: "; ")
        state.shown = text
        return text
    }
}
