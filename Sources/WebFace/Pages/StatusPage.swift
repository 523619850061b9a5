internal import ControlAPI
internal import SyncModel

/// How the daemon is: the remote, the journal, the collections, and what belongs to it.
struct StatusPage: Sendable {
    let status: StatusSnapshot
    let catalogs: [CatalogReply]

    var page: WebPage {
        WebPage(
            "Status", place: "/status",
            [.init(id: "status", listens: [.status, .library, .attention], template: .status, model: model)])
    }

    private var model: Model {
        let (remote, journal) = (status.remote, status.journal)
        return [
            "health": .text((status.health?.level ?? .ok).rawValue),
            "reasons": .list((status.health?.reasons ?? []).map { ["text": .text($0)] }),
            "facts": .list(
                [
                    fact("State", status.state.rawValue), fact("Version", status.version), fact("Node", status.node),
                    fact("Started", Shown.time(status.startedAt)),
                    fact("Equal to the remote", status.convergedAt.map { "at \(Shown.time($0))" } ?? "not yet"),
                    fact(
                        "Paused",
                        status.pausedDirections.isEmpty ? nil : status.pausedDirections.joined(separator: ", ")),
                    fact("Remote", "\(remote.plugin) \(remote.url)"), fact("Stream", remote.stream.rawValue),
                    fact("Pushed", remote.lastPushAt.map(Shown.time)),
                    fact("Pulled", remote.lastPullAt.map(Shown.time)),
                    fact("Last error of the remote", remote.lastError),
                    fact("Next try", remote.retryAt.map(Shown.time)),
                    fact("Clock of the remote", "\(remote.clockOffsetMs) ms from ours"),
                    fact("Journal", journal.path),
                    fact(
                        "Read",
                        "\(journal.offset.grouped) of \(journal.size.grouped) bytes, \(journal.lines.grouped) lines"),
                    fact("Journal waits for", journal.waitsFor), fact("Error of the journal", journal.lastError),
                ].compactMap(\.self)),
            "collections": .list(status.collections.sorted { $0.key < $1.key }.map(collection)),
            "others": .list(others), "hasOthers": .flag(!others.isEmpty),
        ]
    }

    private func fact(_ name: String, _ value: String?) -> Model? {
        value.map { ["name": .text(name), "value": .text($0)] }
    }

    private func collection(_ name: String, _ counts: CollectionStatus) -> Model {
        [
            "name": .text(name), "records": .text(counts.records.grouped), "pending": .text(counts.pending.grouped),
            "lag": .text(counts.oldestPendingSeconds.map { Span(seconds: UInt64(max(0, $0))).description } ?? ""),
            "quarantined": .text(counts.quarantined.grouped), "conflicts": .text(counts.conflicts.grouped),
            "deleted": .text(counts.tombstones.grouped),
        ]
    }

    /// What stands beside the sync: plugins, hooks and catalogs.
    private var others: [Model] {
        let plugins = (status.plugins ?? []).map { ("plugin", $0.name, $0.state.rawValue, $0.reason) }
        let hooks = (status.hooks ?? []).map { ("hook", $0.name, $0.state.rawValue, $0.reason) }
        let sources = catalogs.map { ("catalog", $0.title, $0.state.rawValue, $0.reason) }
        return (plugins + hooks + sources).map { kind, name, state, reason in
            ["kind": .text(kind), "name": .text(name), "state": .text(state), "reason": .text(reason ?? "")]
        }
    }
}
