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
        let code: Int32 =
            switch health.level {
            case .ok: 0
            case .warning: 1
            case .critical: 2
            }
        try session.output.show(HealthAnswer(reply: health), exitCode: code)
    }
}
