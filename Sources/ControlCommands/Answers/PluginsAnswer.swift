internal import ControlAPI

/// The plugins in other processes.
struct PluginsAnswer: Answer {
    var plugins: [PluginReply]
    var now: Moment

    var reply: Page<PluginReply> { Page(items: plugins) }

    func text(_ style: Style) -> String {
        guard !plugins.isEmpty else { return "no plugin is configured" }
        var table = Table([
            .init("plugin", .whole, .most), .init("state", .whole, .most), .init("since"), .init("version", .cutFirst),
            .init("provides", .cutFirst),
            .init("calls", number: true), .init("failed", number: true), .init("trust", .cutLast),
        ])
        for plugin in plugins {
            table.add([
                .init(plugin.name, .strong), .init(plugin.state.rawValue, PluginsAnswer.ink(of: plugin.state)),
                .init(Formatted.ago(plugin.since, now: now)),
                .init([plugin.program, plugin.version].compactMap(\.self).joined(separator: " ")),
                .init(plugin.provides.keys.sorted().joined(separator: ", ")), .init(Formatted.count(plugin.calls)),
                .init(Formatted.count(plugin.failedCalls), plugin.failedCalls > 0 ? .warning : nil),
                .init(PluginsAnswer.words(plugin.trust)),
            ])
        }
        return ([table.text(style)] + plugins.compactMap(remark)).joined(separator: "\n")
    }

    /// All of them in a line.
    static func short(_ plugins: [PluginReply], _ style: Style) -> String {
        plugins.map { "\(Printable.text($0.name)) \(style.paint($0.state.rawValue, ink(of: $0.state)))" }
            .joined(separator: ", ")
    }

    /// What there is to say about one below the table.
    private func remark(_ plugin: PluginReply) -> String? {
        var parts: [String] = []
        if let reason = plugin.reason { parts.append(reason) }
        if let retry = plugin.retryAt { parts.append("next attempt \(Formatted.ago(retry, now: now))") }
        if plugin.state == .down { parts.append("moviesync plugin restart \(plugin.name) starts it again") }
        if !plugin.secretsMissing.isEmpty {
            parts.append("it takes secrets that are not configured: \(plugin.secretsMissing.joined(separator: ", "))")
        }
        return parts.isEmpty ? nil : Printable.text("\(plugin.name): \(parts.joined(separator: "; "))")
    }

    private static func ink(of state: PluginReply.State) -> Style.Ink? {
        switch state {
        case .running: .good
        case .idle: nil
        case .starting, .stopping, .resting: .warning
        case .down, .refused: .bad
        }
    }

    private static func words(_ trust: PluginReply.Trust) -> String {
        switch trust {
        case .child: "trusted as the daemon itself"
        case .unit: "confined by its own unit"
        }
    }
}
