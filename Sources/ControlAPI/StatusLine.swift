internal import SyncModel

/// What the daemon does in one line for people, the worst first; `systemctl status` shows it.
package struct StatusLine: Hashable, Sendable, CustomStringConvertible {
    private let status: StatusSnapshot
    private let fault: String?
    private let quarantined: Int
    private let now: Moment

    /// - Parameters:
    ///   - fault: why the daemon can't work at all: its state or its journal.
    ///   - quarantined: how much is in quarantine, of whatever collection.
    package init(_ status: StatusSnapshot, fault: String? = nil, quarantined: Int = 0, now: Moment) {
        self.status = status
        self.fault = fault
        self.quarantined = quarantined
        self.now = now
    }

    package var description: String {
        switch status.state {
        case .stopping: return "stopping"
        case .starting: return "starting"
        case .running, .paused, .degraded: break
        }
        if let fault { return "degraded: \(fault)" }
        if let hold = status.holds.first { return held(hold) }
        if !status.pausedDirections.isEmpty {
            return "paused by a person: \(status.pausedDirections.joined(separator: " and "))" + also(pending)
        }
        if let reason = status.journal.waitsFor { return "the journal waits: \(reason)" }
        if let trouble = status.remote.trouble {
            return [pending ?? "not synced", trouble].joined(separator: ": ") + next
        }
        switch status.remote.stream {
        case .connecting: return "connecting to the remote" + also(pending)
        case .snapshot: return "loading from the remote" + also(pending)
        case .live, .down: return pending ?? synced
        }
    }

    private func held(_ hold: HoldReply) -> String {
        let others = status.holds.count - 1
        return "held: \(hold.reason); waits for approval" + (others > 0 ? ", with \(others.grouped) more" : "")
    }

    /// `12 pending for 4 min`; nil where nothing is.
    private var pending: String? {
        guard status.pending > 0 else { return nil }
        let oldest = status.collections.values.compactMap(\.oldestPendingSeconds).max() ?? 0
        let span = oldest < 60 ? "" : " for \(Span(seconds: UInt64(oldest)))"
        return "\(status.pending.grouped) pending" + span
    }

    private var next: String {
        guard let retry = status.remote.retryAt, retry.milliseconds > now.milliseconds else { return "" }
        return ", next try in \(Span(milliseconds: retry.milliseconds - now.milliseconds + 999))"
    }

    private var synced: String {
        let counts = status.collections.filter { $0.value.records > 0 }.sorted { $0.key < $1.key }
            .map { $0.value.records == 1 ? "1 record of \($0.key)" : "\($0.value.records.grouped) \($0.key)" }
        return "synced " + (counts.isEmpty ? "nothing yet" : counts.joined(separator: ", "))
            + (quarantined > 0 ? "; \(quarantined.grouped) in quarantine" : "")
    }

    private func also(_ text: String?) -> String { text.map { ", \($0)" } ?? "" }
}
