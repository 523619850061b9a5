internal import ArgumentParser
internal import ControlAPI

struct ApproveCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Approve a held operation: let the daemon carry it out.")

    @Argument(help: "The number of the hold, see 'moviesync holds'.")
    var id: Int64

    @Flag(help: "Only show what would change; nothing is decided.")
    var dryRun = false

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let reply: DecisionReply = try await session.client.post(
            "\(ControlRoute.holds)/\(id)/approve", dryRun ? ["dryRun": "true"] : [:])
        try session.output.show(DecisionAnswer("hold \(id) is approved", reply: reply))
    }
}
