internal import ArgumentParser
internal import ControlAPI

struct ResumeCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "resume", abstract: "Resume syncing.")

    @Argument(help: "Only this direction.")
    var direction: PausedDirection?

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let query = direction.map { ["direction": $0.rawValue] } ?? [:]
        let reply: DoneReply = try await session.client.post(ControlRoute.resume, query)
        try session.output.show(DoneAnswer("resumed", reply: reply))
    }
}
