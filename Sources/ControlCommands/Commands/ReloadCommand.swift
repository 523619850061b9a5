internal import ArgumentParser
internal import ControlAPI

struct ReloadCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Reload the configuration."
    )

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        try session.output.show(ReloadAnswer(reply: try await session.client.post(ControlRoute.reload)))
    }
}
