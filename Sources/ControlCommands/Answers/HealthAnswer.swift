internal import ControlAPI

/// The health of the daemon.
struct HealthAnswer: Answer {
    var reply: HealthReport

    func text(_ style: Style) -> String {
        let ink: Style.Ink =
            switch reply.level {
            case .ok: .good
            case .warning: .warning
            case .critical: .bad
            }
        return ([style.paint(reply.level.rawValue, ink)] + reply.reasons.map(Printable.text)).joined(separator: "\n")
    }
}
