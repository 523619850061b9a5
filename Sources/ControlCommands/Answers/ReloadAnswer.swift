internal import ControlAPI

/// What a reload changed.
struct ReloadAnswer: Answer {
    var reply: ReloadReply

    func text(_ style: Style) -> String {
        var lines = [
            reply.reloaded.isEmpty ? "no changes" : "now in force: \(reply.reloaded.joined(separator: ", "))"
        ]
        if !reply.needsRestart.isEmpty {
            lines.append(style.paint("after a restart: \(reply.needsRestart.joined(separator: ", "))", .warning))
        }
        return lines.joined(separator: "\n")
    }
}
