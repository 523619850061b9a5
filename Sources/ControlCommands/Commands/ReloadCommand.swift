internal import ArgumentParser
internal import ControlAPI

struct ReloadCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Read the configuration again."
    )

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        try session.output.show(ReloadAnswer(reply: try await session.client.post(ControlRoute.reload)))
    }
}
