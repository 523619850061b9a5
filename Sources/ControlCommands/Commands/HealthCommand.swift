internal import ArgumentParser
internal import ControlAPI

struct HealthCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "health", abstract: "Say whether all is well.",
        discussion: "The exit code is 0 when it is, 1 for a warning, 2 for something critical, 3 without a daemon."
    )

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let health: HealthReport
        do {
            health = try await session.client.get(ControlRoute.health)
        } catch let failure as CommandFailure where failure.code == .notRunning {
            Output.complain(failure.message)
            throw ExitCode(3)
        }
        try session.output.show(HealthAnswer(reply: health))
        switch health.level {
        case .ok: return
        case .warning: throw ExitCode(1)
        case .critical: throw ExitCode(2)
        }
    }
}
