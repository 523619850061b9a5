internal import ArgumentParser
internal import ControlAPI

struct VerifyCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Compare all records with the remote."
    )

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let reply: DoneReply = try await session.client.post(ControlRoute.verify, wait: .seconds(3_600))
        try session.output.show(DoneAnswer("verified: this node and the remote are equal", reply: reply))
    }
}
