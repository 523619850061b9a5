internal import ArgumentParser
internal import ControlAPI

struct RestoreCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore the losing version of a conflict, as a new edit."
    )

    @Argument(help: "The number of the conflict, see 'moviesync conflicts'.")
    var conflict: Int64

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let reply: DoneReply = try await session.client.post("\(ControlRoute.conflicts)/\(conflict)/restore")
        try session.output.show(DoneAnswer("the loser of conflict \(conflict) is back", reply: reply))
    }
}
