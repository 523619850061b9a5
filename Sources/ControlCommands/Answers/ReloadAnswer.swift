internal import ControlAPI

/// What a reload changed.
struct ReloadAnswer: Answer {
    var reply: ReloadReply

    func text(_ style: Style) -> String {
        let problems = reply.problems ?? []
        var lines: [String] = []
        if !reply.reloaded.isEmpty { lines.append("now in force: \(reply.reloaded.joined(separator: ", "))") }
        if reply.reloaded.isEmpty, problems.isEmpty { lines.append("no changes") }
        lines += problems.map { style.paint("can't be read: \(Printable.text($0))", .bad) }
        if !reply.needsRestart.isEmpty {
            lines.append(style.paint("after a restart: \(reply.needsRestart.joined(separator: ", "))", .warning))
        }
        return lines.joined(separator: "\n")
    }
}
