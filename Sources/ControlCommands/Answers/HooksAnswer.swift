internal import ControlAPI
internal import SyncModel

/// The hooks.
struct HooksAnswer: Answer {
    var hooks: [HookReply]
    var now: Moment

    var reply: Page<HookReply> { Page(items: hooks) }

    func text(_ style: Style) -> String {
        guard !hooks.isEmpty else { return "no hook is configured" }
        var table = Table([
            .init("hook", .whole, .most), .init("kind"), .init("state", .whole, .most),
            .init("lag", number: true, .whole, .much),
            .init("delivered", number: true), .init("failures", number: true), .init("quarantine", number: true),
            .init("collections", .cutLast),
        ])
        for hook in hooks {
            table.add([
                .init(hook.name, .strong), .init(hook.kind.rawValue),
                .init(hook.state.rawValue, HooksAnswer.ink(of: hook.state)),
                .init(Formatted.count(Int(hook.lag)), hook.lag > 0 ? .warning : nil),
                .init(Formatted.count(hook.delivered)),
                .init(Formatted.count(hook.failures), hook.failures > 0 ? .warning : nil),
                .init(Formatted.count(hook.quarantined), hook.quarantined > 0 ? .bad : nil),
                .init(hook.collections.isEmpty ? "all" : hook.collections.joined(separator: ", ")),
            ])
        }
        return ([table.text(style)] + hooks.compactMap(remark)).joined(separator: "\n")
    }

    /// All of them in a line.
    static func short(_ hooks: [HookReply], _ style: Style) -> String {
        hooks.map { hook in
            var text = "\(Printable.text(hook.name)) \(style.paint(hook.state.rawValue, ink(of: hook.state)))"
            if hook.lag > 0 { text += " \(Formatted.count(Int(hook.lag))) behind" }
            if hook.quarantined > 0 { text += " \(Formatted.count(hook.quarantined)) in quarantine" }
            return text
        }
        .joined(separator: ", ")
    }

    /// What there is to say about one below the table.
    private func remark(_ hook: HookReply) -> String? {
        var parts: [String] = []
        if let reason = hook.reason { parts.append(reason) }
        if hook.state == .waiting { parts.append(Formatted.count(hook.attempts, "attempt")) }
        if let retry = hook.retryAt { parts.append("next attempt \(Formatted.ago(retry, now: now))") }
        if hook.state == .off { parts.append("moviesync hook retry \(hook.name) switches it on again") }
        if hook.quarantined > 0 { parts.append("moviesync hook failed \(hook.name) shows what it did not take") }
        return parts.isEmpty ? nil : Printable.text("\(hook.name): \(parts.joined(separator: "; "))")
    }

    private static func ink(of state: HookReply.State) -> Style.Ink? {
        switch state {
        case .ready, .delivering: .good
        case .waiting: .warning
        case .off, .refused: .bad
        }
    }
}

/// What hooks did not take.
struct RefusedEventsAnswer: Answer {
    var events: [RefusedEventReply]
    var now: Moment

    var reply: Page<RefusedEventReply> { Page(items: events) }

    func text(_ style: Style) -> String {
        guard !events.isEmpty else { return "every event was taken, or is still tried" }
        var table = Table([
            .init("hook", .whole, .most), .init("seq", number: true, .whole, .most), .init("since"),
            .init("attempts", number: true),
            .init("event"), .init("record"), .init("reason", .cutLast, .much),
        ])
        for event in events {
            let members = event.event.members ?? [:]
            table.add([
                .init(event.hook, .strong), .init("\(event.seq)"), .init(Formatted.ago(event.since, now: now)),
                .init(Formatted.count(event.attempts)),
                .init([members["collection"]?.text, members["event"]?.text].compactMap(\.self).joined(separator: " ")),
                .init(members["id"]?.text ?? "-"),
                .init(event.isDue ? "is tried again; \(event.reason)" : event.reason),
            ])
        }
        let most = ControlRoute.maxLimit
        guard Dictionary(grouping: events, by: \.hook).contains(where: { $0.value.count >= most }) else {
            return table.text(style)
        }
        return table.text(style)
            + "\nthe first \(Formatted.count(most)) of each hook are shown: 'moviesync hook list' counts all"
    }
}
