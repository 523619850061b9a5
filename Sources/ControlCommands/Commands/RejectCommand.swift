internal import ArgumentParser
internal import ControlAPI

struct RejectCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Reject a held operation: 'moviesync holds' says what that does.")

    @Argument(help: "The number of the hold, see 'moviesync holds'.")
    var id: Int64

    @Flag(help: "Only show what would change; nothing is decided.")
    var dryRun = false

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let reply: DecisionReply = try await session.client.post(
            "\(ControlRoute.holds)/\(id)/reject", dryRun ? ["dryRun": "true"] : [:])
        try session.output.show(DecisionAnswer("hold \(id) is rejected", reply: reply))
    }
}
