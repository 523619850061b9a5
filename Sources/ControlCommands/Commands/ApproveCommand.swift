internal import ArgumentParser
internal import ControlAPI

struct ApproveCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Approve a held operation: let the daemon carry it out.")

    @Argument(help: "The number of the hold, see 'moviesync holds'.")
    var id: Int64

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let reply: DoneReply = try await session.client.post("\(ControlRoute.holds)/\(id)/approve")
        try session.output.show(DoneAnswer("hold \(id) is approved", reply: reply))
    }
}
