internal import ArgumentParser
internal import ControlAPI

struct PauseCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "pause", abstract: "Pause syncing until 'resume'.")

    @Argument(help: "Only this direction.")
    var direction: PausedDirection?

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let query = direction.map { ["direction": $0.rawValue] } ?? [:]
        let reply: DoneReply = try await session.client.post(ControlRoute.pause, query)
        try session.output.show(DoneAnswer("paused", reply: reply))
    }
}
