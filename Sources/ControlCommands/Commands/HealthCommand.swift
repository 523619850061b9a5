internal import ArgumentParser
internal import ControlAPI

struct HealthCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "health", abstract: "Check the health of the daemon.",
        discussion: "Exit codes: 0 ok, 1 warning, 2 critical, 3 no daemon answers."
    )

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let health: HealthReport
        do {
            health = try await session.client.get(ControlRoute.health)
        } catch let failure as CommandFailure where failure.code == .notRunning {
            Output.printError(failure, json: common.json)
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
