internal import ControlAPI

/// The daemon's counters in Prometheus' text exposition format.
struct MetricsText {
    private(set) var text = ""

    init(of status: StatusSnapshot, health: HealthReport) {
        addCollections(status)
        addJournal(status.journal)
        addRemote(status.remote)
        addPlugins(status.plugins ?? [])
        addHooks(status.hooks ?? [])
        let labels = [("version", status.version), ("node", status.node), ("remote", status.remote.plugin)]
        add("info", "gauge", "Always 1; says which daemon this is.", [(labels, 1)])
        add("up", "gauge", "1 unless something is critical.", health.level != .critical)
        add("healthy", "gauge", "1 while nothing is wrong.", health.level == .ok)
        add("holds", "gauge", "Holds that wait for a decision.", status.holds.count)
        add("start_time_seconds", "gauge", "When the daemon started.", seconds(status.startedAt))
        if let converged = status.convergedAt {
            add("converged_time_seconds", "gauge", "When both sides were last known to be equal.", seconds(converged))
        }
    }

    private mutating func addCollections(_ status: StatusSnapshot) {
        let collections = status.collections.sorted { $0.key < $1.key }
        func each(_ value: (CollectionStatus) -> Int) -> [Sample] {
            collections.map { ([("collection", $0.key)], Double(value($0.value))) }
        }
        add("records", "gauge", "Records, deleted ones not counted.", each(\.records))
        add("tombstones", "gauge", "Deletions that are still remembered.", each(\.tombstones))
        add("pending", "gauge", "Records the remote does not have yet.", each(\.pending))
        add("quarantined", "gauge", "Items that can't be processed.", each(\.quarantined))
        add("conflicts_total", "counter", "Conflicts that were decided.", each(\.conflicts))
        let ages = collections.map { ([("collection", $0.key)], $0.value.oldestPendingSeconds ?? 0) }
        add("oldest_pending_seconds", "gauge", "Age of the oldest record the remote does not have.", ages)
    }

    private mutating func addJournal(_ journal: JournalStatus) {
        add("journal_offset_bytes", "gauge", "How far the journal has been read.", Double(journal.offset))
        add("journal_size_bytes", "gauge", "Size of the journal.", Double(journal.size))
        add("journal_lines_total", "counter", "Lines read.", journal.lines)
        add("journal_quarantined", "gauge", "Lines that can't be processed.", journal.quarantined)
    }

    private mutating func addRemote(_ remote: RemoteStatus) {
        add("stream_up", "gauge", "1 while the remote's event stream is live.", remote.stream == .live)
        add("requests_total", "counter", "Requests to the remote.", remote.requests)
        add("sent_bytes_total", "counter", "Bytes sent to the remote.", remote.bytesSent)
        add("received_bytes_total", "counter", "Bytes received from the remote.", remote.bytesReceived)
        add("clock_offset_seconds", "gauge", "Remote clock less own clock.", Double(remote.clockOffsetMs) / 1000)
        if let pushed = remote.lastPushAt {
            add("last_push_time_seconds", "gauge", "When the last write was acknowledged.", seconds(pushed))
        }
        if let pulled = remote.lastPullAt {
            add("last_pull_time_seconds", "gauge", "When the last change or snapshot came in.", seconds(pulled))
        }
    }

    private mutating func addPlugins(_ plugins: [PluginReply]) {
        guard !plugins.isEmpty else { return }
        func each(_ value: (PluginReply) -> Int) -> [Sample] {
            plugins.map { ([("plugin", $0.name)], Double(value($0))) }
        }
        // One that waits to be called is as good as one that runs.
        add(
            "plugin_up", "gauge", "1 while the plugin can be called.",
            each { [.idle, .running].contains($0.state) ? 1 : 0 })
        add("plugin_open_calls", "gauge", "Calls that wait for an answer.", each(\.openCalls))
        add("plugin_calls_total", "counter", "Calls of the plugin.", each(\.calls))
        add("plugin_failed_calls_total", "counter", "Calls that failed.", each(\.failedCalls))
        add("plugin_starts_total", "counter", "How often it was started.", each(\.starts))
        add("plugin_failures_total", "counter", "How often it broke down.", each(\.failures))
    }

    private mutating func addHooks(_ hooks: [HookReply]) {
        guard !hooks.isEmpty else { return }
        func each(_ value: (HookReply) -> Double) -> [Sample] {
            hooks.map { ([("hook", $0.id)], value($0)) }
        }
        add(
            "hook_up", "gauge", "1 while the hook is told of changes.",
            each { [.ready, .delivering].contains($0.state) ? 1 : 0 })
        add("hook_lag", "gauge", "Changes that the hook was not told of yet.", each { Double($0.lag) })
        add("hook_lag_seconds", "gauge", "Age of the event that it is being told of.", each { $0.lagSeconds ?? 0 })
        add("hook_delivered_total", "counter", "Events that the hook took.", each { Double($0.delivered) })
        add("hook_failures_total", "counter", "Attempts that failed.", each { Double($0.failures) })
        add("hook_quarantined", "gauge", "Events that it did not take.", each { Double($0.quarantined) })
    }
}

extension MetricsText {
    private typealias Sample = (labels: [(name: String, value: String)], value: Double)

    private func seconds(_ moment: Moment) -> Double { Double(moment.milliseconds) / 1000 }

    private mutating func add(_ name: String, _ type: String, _ help: String, _ value: Bool) {
        add(name, type, help, value ? 1.0 : 0.0)
    }

    private mutating func add(_ name: String, _ type: String, _ help: String, _ value: Int) {
        add(name, type, help, Double(value))
    }

    private mutating func add(_ name: String, _ type: String, _ help: String, _ value: Double) {
        add(name, type, help, [([], value)])
    }

    private mutating func add(_ name: String, _ type: String, _ help: String, _ samples: [Sample]) {
        text += "# HELP moviesync_\(name) \(help)\n# TYPE moviesync_\(name) \(type)\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
            text += "moviesync_\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(digits(of: sample.value))\n"
        }
    }

    private func digits(of value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? value.description
    }

    private func escaped(_ label: String) -> String {
        label.reduce(into: "") { text, character in
            switch character {
            case "\\", "\"": text += "\\\(character)"
            case "\n": text += "\\n"
            default: text.append(character)
            }
        }
    }
}
