internal import ControlAPI

/// The status of the daemon, on one screen.
struct StatusAnswer: Answer {
    var reply: StatusSnapshot
    var now: Moment

    func text(_ style: Style) -> String {
        var parts = [head(style), collections(style) + comparisons(style) + declarations(style) + disabled(style)]
        if !reply.holds.isEmpty { parts.append(HoldsAnswer(holds: reply.holds, now: now).text(style)) }
        return parts.joined(separator: "\n\n")
    }

    private func head(_ style: Style) -> String {
        let journal = reply.journal
        let lines = Formatted.count(journal.lines, "line")
        var rows = [
            ("moviesync", "\(reply.version)  \(style.paint(reply.state.rawValue, ink(of: reply.state)))\(paused)")
        ]
        rows += troubles.map { ("", style.paint(Printable.text($0), ink(of: reply.state))) }
        rows += [
            ("node", "\(reply.node)  pid \(reply.pid)  started \(Formatted.ago(reply.startedAt, now: now))"),
            ("equal", reply.convergedAt.map { Formatted.ago($0, now: now) } ?? "not yet"),
            ("journal", Printable.text(journal.path)),
            ("", "\(lag(of: journal, style))  (\(lines), \(Formatted.bytes(journal.size)))"),
        ]
        if let error = journal.lastError { rows.append(("", style.paint(Printable.text(error), .bad))) }
        if let reason = journal.waitsFor {
            rows.append(("", style.paint("waits: \(Printable.text(reason))", .warning)))
        }
        rows.append(("remote", "\(reply.remote.plugin) \(Printable.text(reply.remote.url))"))
        rows.append(("", stream(style)))
        if reply.health == nil, let error = reply.remote.lastError {
            rows.append(("", style.paint(Printable.text(error), .bad) + retry))
        }
        if let plugins = reply.plugins { rows.append(("plugins", PluginsAnswer.short(plugins, style))) }
        if let hooks = reply.hooks { rows.append(("hooks", HooksAnswer.short(hooks, style))) }
        if let people = reply.people {
            let words = people.map { person in
                let name = Printable.text(person.name)
                return person.state == .ended ? style.paint("\(name) (has to sign in again)", .bad) : name
            }
            rows.append(("people", words.joined(separator: ", ")))
        }
        return rows.map { name, value in
            style.paint(name, .strong) + String(repeating: " ", count: 11 - name.count) + value
        }
        .joined(separator: "\n")
    }

    /// What is wrong; holds stand below, with what can be done.
    private var troubles: [String] { (reply.health?.reasons ?? []).filter { !$0.hasPrefix("hold ") } }

    private var paused: String {
        reply.pausedDirections.isEmpty ? "" : "  paused: \(reply.pausedDirections.joined(separator: ", "))"
    }

    private var retry: String { reply.remote.retryAt.map { "; next attempt \(Formatted.ago($0, now: now))" } ?? "" }

    private func lag(of journal: JournalStatus, _ style: Style) -> String {
        let behind = journal.size > journal.offset ? journal.size - journal.offset : 0
        let lag =
            if behind > 0 {
                style.paint("\(Formatted.bytes(behind)) behind", .warning)
            } else if journal.lastError != nil {
                style.paint("not read to its end", .bad)
            } else { "read to its end" }
        return lag + (journal.lastReadAt.map { ", last read \(Formatted.ago($0, now: now))" } ?? "")
    }

    private func stream(_ style: Style) -> String {
        let remote = reply.remote
        let ink: Style.Ink = remote.stream == .live ? .good : remote.stream == .down ? .bad : .warning
        let isPaused = remote.stream != .live && reply.pausedDirections.contains("pull")
        var text = "stream \(isPaused ? "closed while pull is paused" : style.paint(remote.stream.rawValue, ink))"
        if let pushed = remote.lastPushAt { text += ", pushed \(Formatted.ago(pushed, now: now))" }
        if let pulled = remote.lastPullAt { text += ", pulled \(Formatted.ago(pulled, now: now))" }
        if abs(remote.clockOffsetMs) >= 1_000 {
            text += ", clock off by \(Formatted.span(seconds: abs(Double(remote.clockOffsetMs)) / 1_000))"
        }
        return text
    }

    private func ink(of state: StatusSnapshot.State) -> Style.Ink {
        switch state {
        case .running: .good
        case .starting, .paused, .stopping: .warning
        case .degraded: .bad
        }
    }

    private func collections(_ style: Style) -> String {
        var table = Table([
            .init("collection", .cutLast, .most), .init("records", number: true, .whole, .much),
            .init("pending", number: true, .whole, .much),
            .init("oldest", number: true), .init("quarantine", number: true), .init("conflicts", number: true),
            .init("deleted", number: true),
        ])
        for (name, counts) in reply.collections.sorted(by: { $0.key < $1.key }) {
            table.add([
                .init(name), .init(Formatted.count(counts.records)),
                .init(Formatted.count(counts.pending), counts.pending > 0 ? .warning : nil),
                .init(counts.oldestPendingSeconds.map { Formatted.span(seconds: $0) } ?? "-"),
                .init(Formatted.count(counts.quarantined), counts.quarantined > 0 ? .bad : nil),
                .init(Formatted.count(counts.conflicts)), .init(Formatted.count(counts.tombstones)),
            ])
        }
        return table.text(style)
    }

    /// Which collections other nodes declare otherwise.
    private func declarations(_ style: Style) -> String {
        reply.collections.sorted { $0.key < $1.key }.compactMap { name, counts in
            guard let nodes = counts.declaredOtherwise else { return nil }
            let words = nodes.map { Printable.text($0) }.joined(separator: ", ")
            return style.paint("\n\(name) is declared otherwise by \(words): see moviesync nodes", .warning)
        }
        .joined()
    }

    /// What the state holds of collections that are not enabled.
    private func disabled(_ style: Style) -> String {
        (reply.disabled ?? [:]).sorted { $0.key < $1.key }.map { name, kept in
            let pending = kept.pending > 0 ? ", \(Formatted.count(kept.pending)) of them pending" : ""
            let words = "\(name) is not enabled: \(Formatted.count(kept.records, "record")) of it stay here\(pending)"
            return style.paint("\n" + words, .faint)
        }
        .joined()
    }

    /// When each collection was last compared with the remote, and what was found.
    private func comparisons(_ style: Style) -> String {
        reply.collections.sorted { $0.key < $1.key }.compactMap { name, counts in
            guard let last = counts.lastVerify else { return nil }
            let found =
                last.differences == 0
                ? style.paint("equal", .good)
                : style.paint(VerifyAnswer.kinds(last.found), last.repaired ? .faint : .warning)
                    + (last.repaired ? "; read again" : "")
            return "\n\(name) was compared with the remote \(Formatted.ago(last.at, now: now)): \(found)"
        }
        .joined()
    }
}
