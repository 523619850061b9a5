internal import ArgumentParser
internal import ControlAPI

struct DoctorCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look at all that a node needs, and say how to mend it.",
        discussion: """
            Exit codes: 0 nothing is wrong, 1 warnings, 2 errors. Works while the daemon is down, too, and says then what \
            could not be checked.
            """)

    static let looksAtConfiguration = true

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let doctor = Doctor(
            session: session, socket: await session.paths.controlSocket(),
            inquiry: ConfigurationInquiry(config: common.config), side: session.paths.side)
        let findings = await doctor.findings()
        let levels = findings.map(\.level)
        let code: Int32 = levels.contains(.error) ? 2 : levels.contains(.warning) ? 1 : 0
        try session.output.show(DoctorAnswer(findings: findings), exitCode: code)
    }
}

/// What the doctor has found, one line each, and what to do below.
struct DoctorAnswer: Answer {
    var findings: [Finding]

    var reply: Page<Finding> { Page(items: findings) }

    func text(_ style: Style) -> String {
        let width = findings.map(\.check.count).max() ?? 0
        var lines = findings.flatMap { finding in
            let name = finding.check + String(repeating: " ", count: width - finding.check.count)
            let first = "\(word(finding.level, style))  \(name)  \(Printable.text(finding.message))"
            guard let fix = finding.fix else { return [first] }
            return [first, String(repeating: " ", count: 11 + width) + "-> \(Printable.text(fix))"]
        }
        let errors = findings.count { $0.level == .error }
        let warnings = findings.count { $0.level == .warning }
        lines.append(
            errors + warnings == 0
                ? "nothing is wrong"
                : "\(Formatted.count(errors, "error")), \(Formatted.count(warnings, "warning"))")
        return lines.joined(separator: "\n")
    }

    private func word(_ level: Finding.Level, _ style: Style) -> String {
        switch level {
        case .ok: style.paint("ok     ", .good)
        case .warning: style.paint("warning", .warning)
        case .error: style.paint("error  ", .bad)
        case .unknown: style.paint("?      ", .faint)
        }
    }
}
